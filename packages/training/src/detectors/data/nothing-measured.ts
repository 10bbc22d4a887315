/**
 * # The numbers are those of nothing
 *
 * ## What
 * What is measured over held-out data, or over all that is annotated, has the values that only an empty set gives: a loss and a score of exactly 0,
 * a mean that is no number while the weights are well, averages over a count of 0.
 *
 * ## Why
 * The loop over held-out data never runs (a split without rows, `drop_last`, an iterator that was not reset), or no annotation is found under
 * the paths and names that are looked for.
 *
 * ## Example
 * `loss: 0.26 - accuracy: 0.89 - val_loss: 0.0 - val_accuracy: 0.0` in every epoch.
 *
 * ## Stays silent
 * While any number of the same evaluation is one, where training is no number either, where half precision may be why, and for
 * evaluations that pause.
 */
import { type Curve, finiteValues, toCurve } from '../../features/curve.js';
import type { RunView } from '../../features/view.js';
import type { Split } from '../../record/run-record.js';
import { defineDetector, type Observation } from '../define.js';
import { citePoint } from '../shared/cite.js';

export const nothingMeasured = defineDetector({
  id: 'data/nothing-measured',
  subcause: 'empty_data',
  role: 'root',
  signal: 'curve',
  needs: ['loss', 'eval'],
  detect: (_record, _features, { view }) =>
    [
      ...evaluatedNothing(view),
      ...trainedOnNothing(view),
      ...shareOfNothing(view),
      ...meanOfNothing(view),
      ...countOfNothing(view),
      ...partsOfNothing(view),
    ].slice(0, 1),
});

const heldOut: readonly Split[] = ['eval', 'test'];

/** Not to lose anything and not to get anything right at once is possible only where nothing was asked. */
export function evaluatedNothing(view: RunView): Observation[] {
  const trained = view.curve('loss', 'train');
  if (!trained || !finiteValues(trained).some((value) => value > 0)) return [];
  for (const split of heldOut) {
    const own = (['loss', 'accuracy', 'f1', 'auc'] as const).flatMap((metric) => view.curves(metric, split));
    const [loss, ...scores] = own;
    const isZero = ({ values }: Curve): boolean => values.length >= 2 && values.every((value) => value === 0);
    if (loss?.series.metric !== 'loss' || scores.length === 0 || !own.every(isZero)) continue;
    return [
      found(
        0.78,
        loss,
        `${loss.name} and ${scores[0]!.name} are exactly 0 in every evaluation: nothing was evaluated`,
      ),
    ];
  }
  return [];
}

/** The same of training itself, from its first row on. */
function trainedOnNothing(view: RunView): Observation[] {
  const loss = view.curve('loss', 'train');
  const score = view.curve('accuracy', 'train') ?? view.curve('f1', 'train') ?? view.curve('f1', 'eval');
  const isZero = (curve: Curve | null): boolean =>
    curve !== null && curve.length >= 3 && curve.values.every((value) => value === 0);
  if (
    !loss ||
    !isZero(loss) ||
    !isZero(score) ||
    loss.series.masked.size > 0 ||
    view.task.loss === 'reinforcement'
  )
    return [];
  return [
    found(
      0.7,
      loss,
      `${loss.name} and ${score!.name} are exactly 0 from the first row on: nothing was asked`,
    ),
  ];
}

/** Right answers were counted before; from here on the share of them is no number, so there was none to count, while training goes well. */
function shareOfNothing(view: RunView): Observation[] {
  if (view.curves('loss').some(({ finite, length }) => finite.length < length)) return [];
  for (const curve of view.curves('accuracy')) {
    const from = curve.values.findLastIndex(Number.isFinite) + 1;
    // Evaluations pause, and leave rows without a number where training goes on.
    const paused = curve.finite.some((at, index) => index > 0 && at > curve.finite[index - 1]! + 1);
    const few = curve.length - from < 2 && view.curves('loss').length > 0;
    if (from === 0 || from === curve.length || paused || few) continue;
    return [
      found(0.7, curve, `${curve.name} was a number, and is none from here on: a share of no answers`, from),
    ];
  }
  return [];
}

/** So many evaluations in a row are no accident of one batch. */
const evaluations = 3;

/** All that is told of held-out data is no number in every evaluation, and training, which went on behind them, is well: the mean of no batch. */
function meanOfNothing(view: RunView): Observation[] {
  const trained = view.curve('loss', 'train');
  const scaled = view.task.precision === 'fp16' || view.curve('loss_scale') !== null;
  if (!trained || trained.length < 2 || trained.finite.length < trained.length || scaled) return [];
  const own = view.record.series
    .filter(({ split, metric }) => split === 'eval' && metric !== 'epoch')
    .map(toCurve);
  const loss = own.find(({ series, length }) => series.metric === 'loss' && length >= evaluations);
  if (!loss || own.some(({ finite }) => finite.length > 0) || !loss.values.every(Number.isNaN)) return [];
  const isBehind = trained.steps.at(-1)! > loss.steps[0]!;
  return isBehind
    ? [
        found(
          0.68,
          loss,
          `${loss.name} is no number in all ${loss.length} evaluations, while ${trained.name} always is one: the mean of nothing`,
        ),
      ]
    : [];
}

const counts =
  /^(?:count|n|num|samples?|instances?|support|gts?|targets?|labels?|num_(?:gts?|targets?|labels?|instances?))$/i;

/** What is averaged is no number in any row, and the rows count nothing. */
function countOfNothing(view: RunView): Observation[] {
  const rows = view.record.series.filter(({ metric, length }) => metric === 'other' && length >= 2);
  const count = rows.find(
    ({ rawName, values }) => counts.test(rawName) && values.every((value) => value === 0),
  );
  const averages = rows.filter(({ values }) => values.every(Number.isNaN));
  const learns = view
    .curves('loss', 'train')
    .some((curve) => finiteValues(curve).some((value) => value !== 0));
  if (!count || averages.length < 2 || learns) return [];
  return [
    found(
      0.74,
      toCurve(count),
      `${count.rawName} is 0 in every row, and ${averages[0]!.rawName} is no number: an average over nothing`,
    ),
  ];
}

/** So many parts of a loss do not reach zero together. */
const parts = 4;

/** Held-out data or not, one row is enough: each of many parts of the loss is exactly 0. */
function partsOfNothing(view: RunView): Observation[] {
  const losses = view.curves('loss');
  const [first] = losses;
  if (!first || new Set(losses.map(({ name }) => name)).size < parts || view.curve('reward')) return [];
  if (!losses.every(({ values }) => values.every((value) => value === 0))) return [];
  return [
    found(
      0.66,
      first,
      `each of ${losses.length} parts of the loss is exactly 0: nothing is left to compare with`,
    ),
  ];
}

function found(strength: number, curve: Curve, fact: string, index = curve.length - 1): Observation {
  return { strength, onset: curve.steps[0]!, evidence: [citePoint(curve, index, fact)] };
}
