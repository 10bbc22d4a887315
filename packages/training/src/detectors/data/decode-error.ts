/**
 * # A data file cannot be decoded
 *
 * ## What
 * Text was read in the wrong encoding, or a line is not the JSON, CSV or number it should be.
 *
 * ## Why
 * Files of another encoding, a stray quote, a header in the middle, a number with a comma.
 *
 * ## Example
 * `UnicodeDecodeError: 'utf-8' codec can't decode byte 0xe9 in position 104`, `json.decoder.JSONDecodeError: Expecting value`,
 * `ParserError: Error tokenizing data. C error: Expected 5 fields in line 812, saw 6`, `libpng error: IDAT: CRC error` before
 * `TypeError: 'NoneType' object is not subscriptable`.
 *
 * ## Stays silent
 * When the file is the run's own configuration (JSON or YAML of settings).
 */
import type { Failure } from '../../features/failures.js';
import type { RunView } from '../../features/view.js';
import { decoderSays } from '../../messages/families.js';
import { defineDetector } from '../define.js';
import { fromFailure, pathOf } from '../shared/match.js';

const pattern =
  /UnicodeDecodeError|UnicodeError|codec can't decode|JSONDecodeError|Error tokenizing data|ParserError|could not convert string to float|invalid literal for (int|float)|ArrowInvalid|ArrowTypeError|JSON parse error|Field \d+ in record|Expect \d+ fields|CSV parse error|DatasetGenerationError|unable to parse|Could not parse example|malformed(?! node or string)/i;

/** Whoever reads rows says at which of them it stopped: "part-7.tsv:512: expected 12 columns", "clips.csv, line 31". */
const placeInData =
  /\.(?:csv|tsv|txt|jsonl?|ndjson|parquet|arrow|tar|bin|rec|tfrecords?|h5)['"]?(?::|,? (?:at |in )?(?:line|row|record|offset)[ #:]{0,2})\d+/i;

export const decodeError = defineDetector({
  id: 'data/decode-error',
  subcause: 'decode_error',
  role: 'root',
  signal: 'text',
  needs: ['text'],
  detect: (_record, _features, { view }) => {
    const said = fromFailure(view, pattern, {
      strength: 0.91,
      when: (failure) =>
        !/out of memory/i.test(failure.message) &&
        !/config|hparams|settings|argparse/i.test(pathOf(failure).split('\n').slice(-2).join(' ')),
    });
    if (said.length > 0) return said;
    const placed = fromFailure(view, placeInData, {
      strength: 0.88,
      when: ({ frames, message }) => frames.length > 0 && !/config|hparams|settings/i.test(message),
    });
    if (placed.length > 0) return placed;
    return fromFailure(view, /\bNoneType\b/, {
      strength: 0.88,
      when: (failure) => /\bimread\(/.test(failure.frames.at(-1)?.code ?? '') || saidBefore(view, failure),
    });
  },
});

/** Lines between what a decoder prints and the error of whoever used what it did not give. */
const near = 40;

/** A decoder complained right before: what the program got instead of a picture is nothing. */
function saidBefore({ lines }: RunView, { at }: Failure): boolean {
  const end = at.line ?? 0;
  return lines.some(
    ({ text, at: { file, line = 0 } }) =>
      file === at.file && line < end && line >= end - near && decoderSays.test(text),
  );
}
