/**
 * # The data set or a batch is empty
 *
 * ## What
 * A loader, sampler or reduction met zero samples; or one rank counts none of what all others have, and leaves while they wait; or the log counts no rows to train on, and the training loss is 0 or NaN in every row.
 *
 * ## Why
 * A wrong path or filter leaves nothing; `drop_last` with fewer samples than a batch drops everything.
 *
 * ## Example
 * `ValueError: num_samples should be a positive integer value, but got num_samples=0`, `ZeroDivisionError` on `len(loader)`.
 *
 * ## Stays silent
 * On a StopIteration of a run that went on, and where nothing is trained: a script that only evaluates has no training rows either.
 */

import type { Curve } from '../../features/curve.js';
import { numberSetting } from '../../features/task.js';
import type { RunView } from '../../features/view.js';
import { setting } from '../../record/run-record.js';
import { defineDetector, type Observation } from '../define.js';
import { citeLine, citePoint, citeSetting } from '../shared/cite.js';
import { fromFailure, fromLine, pathOf } from '../shared/match.js';
import { fromStoppage } from '../shared/stoppage.js';

const pattern =
  /Length of all samples has to be greater than 0|num_samples should be a positive integer|num_samples=0|sequence has length 0|(dataset|dataloader|data loader|iterator|batch|sequence|list of files|training set|train set) (is|was|seems|appears) empty|empty (dataset|batch|dataloader|sequence|training)|no (training )?(data|samples|examples|images|files|rows) (were |was )?(found|available|left|to train)|Found 0 (images|files|samples)|Found no valid file|expected a non-empty (list|sequence|TensorList)|stack expects a non-empty|zero-size array to reduction|[Cc]annot (do a non-empty|sample) .*empty|Expected input data to be non-empty|with n_samples=0|0 sample\(s\)|ran out of data|input ran out of data|max\(\) (arg|iterable argument) is (an )?empty|is empty\b|\bno (train(ing)? )?batches\b|\blength of .{0,40}(loader|data ?set)\b.{0,40} is (zero|0)\b/i;

/** Said before any step: there is nothing to learn from. */
const nothing =
  /input ran out of data|dataset is empty|found 0 (images|files|samples)|\bno (training )?(data|labels|images|annotations|samples) found\b(?!.*\b(download|creat|generat|build)ing)|^\s*0 train(ing)? (images|samples)\b|\b(?:loaded|read|found|got|using|collected) 0 (?:train\w* )?(?:samples|examples|images|files|sequences|sentences|utterances|rows|records|instances|pairs)\b|\btrain(?:ing)?[ _-]?(?:data ?set|set|data|split|samples|examples|images|files|instances|sentences)(?: size| length| count)?(?: ?[:=]| has| contains) ?0(?![\d.,/%:]| ?(?:\/|%|of\b))/i;

/** A data set took apart what it had read, and had read nothing: its own files, or samples that were all refused before. */
const tookApart =
  /not enough values to unpack \(expected \d+, got 0\)|need at least one (?:array|tensor) to \w+/;
const ofDataSet = /[/\\]data(sets?|loaders?)?([/\\]|\w*\.py)|dataset\w*\.py/i;
const refused = /ignoring (corrupt|invalid)|no labels found/i;

export const emptyData = defineDetector({
  id: 'data/empty-data',
  subcause: 'empty_data',
  role: 'root',
  signal: 'text',
  needs: ['text'],
  detect: (record, _features, { view }) => {
    const said = fromFailure(view, pattern, { strength: 0.93 });
    if (said.length > 0) return said;
    const left = fromStoppage(view, 'empty_data');
    if (left.length > 0) return left;
    const apart = fromFailure(view, tookApart, {
      strength: 0.86,
      when: ({ frames }) =>
        frames.slice(-2).some(({ file }) => ofDataSet.test(file)) ||
        view.lines.some(({ text }) => refused.test(text)),
    });
    if (apart.length > 0) return apart;
    const divided = fromFailure(
      view,
      /^(ZeroDivisionError|StopIteration|IndexError: list index out of range)/,
      {
        strength: 0.82,
        when: (failure) =>
          /len\(.*(loader|data|set|batch)|n_batches|num_batches|steps_per_epoch|next\(iter|samples/i.test(
            pathOf(failure).split('\n').at(-1) ?? '',
          ),
      },
    );
    if (divided.length > 0) return divided;
    if (view.curves('loss').length === 0) {
      const ran = fromLine(view, nothing, { strength: 0.85 });
      if (ran.length > 0) return ran;
    }
    const unfed = nothingToTrainOn(view);
    if (unfed.length > 0) return unfed;
    const unannotated = allAreMinusOne(view);
    if (unannotated.length > 0) return unannotated;
    const zero = partOfNothing(view);
    if (zero.length > 0) return zero;
    const count = numberSetting(record, 'num_examples');
    const entry = setting(record, 'num_examples');
    return count === 0 && entry ? [{ strength: 0.85, onset: 0, evidence: [citeSetting(entry)] }] : [];
  },
});

const rowWord = '(?:samples?|examples?|rows|images|files|records|items|sequences|sentences|points|pairs)';
/** `training samples: 0`, `train: 0 examples`, `len(train_set) = 0`: the part to train on is counted, and has none. */
const countedZero = new RegExp(
  [
    `\\btrain(?:ing)?(?:[ _-](?:set|split|data(?:set)?))?[ _-](?:size|count|${rowWord})\\s*[:=]\\s*0(?![\\d.%/:]|,\\d)`,
    `\\btrain(?:ing)?(?:[ _-](?:set|split|data(?:set)?))?\\s*[:=]\\s*0 ${rowWord}\\b`,
    '\\blen\\(\\w*train\\w*\\)\\s*[:=]\\s*0(?![\\d.%/:]|,\\d)',
  ].join('|'),
  'i',
);

/** The log counts no rows to train on, and training has a loss of nothing: exactly 0 or no number in every row. */
function nothingToTrainOn(view: RunView): Observation[] {
  const loss = view.curve('loss', 'train');
  const isVoid = loss !== null && loss.length >= 1 && loss.values.every((value) => !(Math.abs(value) > 0));
  return isVoid || view.ending.kind === 'failed' ? fromLine(view, countedZero, { strength: 0.86 }) : [];
}

/** The part of a detector's loss that only annotated boxes and masks enter. */
const ofBoxes = /(?:^|[^a-z])(?:bbox|box|boxes|[gdc]?iou|l1|dfl|wh|reg|mask)(?:[^a-z]|$)/i;
/** An evaluation table counts what is annotated: "Class Images Labels P R ..." above "all 10 0 0 0 ...". */
const counted = /^\s*class\s+images\s+(?:labels|instances|targets)\b/i;
const countedNone = /^\s*all\s+\d+\s+0\s+0\b/;

/** Evaluators of boxes answer -1 where nothing is annotated: of one size it is usual, of all sizes there is no annotation at all. */
const ofAllSizes = /average (?:precision|recall).{0,80}area=\s*all\b.*=\s*(-?[\d.]+)\s*$/i;

function allAreMinusOne(view: RunView): Observation[] {
  const told = view.lines.filter(({ text }) => text.length < 300 && ofAllSizes.test(text));
  const [line] = told;
  if (!line || told.length < 2 || told.some(({ text }) => Number(ofAllSizes.exec(text)![1]) !== -1))
    return [];
  return [{ strength: 0.82, onset: line.step, evidence: [citeLine(line)] }];
}

/** Exactly 0 in every row while others are not: no annotation ever met a prediction. */
function partOfNothing(view: RunView): Observation[] {
  const losses = view.curves('loss', 'train');
  const [part, ...rest] = losses.filter(({ name }) => ofBoxes.test(name));
  const isZero = ({ values }: Curve): boolean => values.every((value) => value === 0);
  if (part && part.length >= 3 && [part, ...rest].every(isZero) && !losses.every(isZero))
    return [
      {
        strength: 0.72,
        onset: part.steps[0]!,
        evidence: [citePoint(part, part.length - 1, `${part.name} is exactly 0 in every row`)],
      },
    ];
  // Losses that are NaN found nothing either, whatever is annotated.
  const isCounted = view.lines.some(({ text }) => counted.test(text));
  return isCounted && !view.lines.some(({ text }) => /\bnan\b/i.test(text))
    ? fromLine(view, countedNone, { strength: 0.72 })
    : [];
}
