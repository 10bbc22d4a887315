/**
 * # A data file is truncated or damaged
 *
 * ## What
 * Reading a sample or a shard ended too early, or its checksum or header is wrong.
 *
 * ## Why
 * Interrupted downloads and copies leave files that open and then end.
 *
 * ## Example
 * `OSError: image file is truncated (12 bytes not processed)`, `EOFError: Compressed file ended before the end-of-stream
 * marker was reached`, `DATA_LOSS: truncated record`.
 *
 * ## Stays silent
 * When the file is a checkpoint of the model: see checkpoint keys.
 */
import { isConsequence } from '../../ranks/lost/consequence.js';
import { defineDetector } from '../define.js';
import { fromFailure, pathOf } from '../shared/match.js';

const pattern =
  /Failed to read all data for array|not fully written|could only read \d+|image file is truncated|broken (PNG|data stream)|cannot identify image file|UnidentifiedImageError|Compressed file ended before|unexpected end of (data|file|stream)|EOFError|BadZipFile|BadGzipFile|not a gzip file|Truncated File Read|truncated record|DATA_LOSS|corrupted record|DataLossError|Parquet magic bytes not found|ArrowInvalid.*(footer|magic|truncated)|cannot reshape array of size \d+ into shape|buffer (size must be|is smaller)|Error -3 while decompressing|CRC (check|error)|premature end|moov atom not found|file signature not found|truncated file: eof =|ReadError: (unexpected end|file could not be opened|truncated header)/i;

/** What readers of archives and checkpoints say of a file that ends before its end, or that only points to the one that was meant: of Git LFS, or a page. */
export const cutShort =
  /PytorchStreamReader failed (reading|finding)|failed finding central directory|EOFError: Ran out of input|pickle data was truncated|unexpected EOF, expected \d+ more bytes|incomplete metadata, file not fully covered|Error while deserializing header: \w*(TooSmall|TooLarge|Incomplete|InvalidHeaderLength)|invalid load key, '[v<]'/;

export const truncatedData = defineDetector({
  id: 'data/truncated-data',
  subcause: 'truncated_data',
  role: 'root',
  signal: 'text',
  needs: ['text'],
  detect: (_record, _features, { view }) => {
    const cut = fromFailure(view, cutShort, { strength: 0.94 });
    if (cut.length > 0) return cut;
    return fromFailure(view, pattern, {
      strength: 0.92,
      when: (failure) =>
        !isConsequence(failure) &&
        !/multiprocessing|torch\/serialization|load_state_dict|torch\.load|from_pretrained|safetensors/.test(
          pathOf(failure),
        ) &&
        !(
          /cannot reshape array/.test(failure.text) &&
          !/frombuffer|memmap|fromfile|open\(|load|read/i.test(pathOf(failure))
        ),
    });
  },
});
