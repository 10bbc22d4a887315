/**
 * # What the run is judged by got worse
 *
 * ## What
 * A score of held-out data was best early in the run, and every later evaluation is far below it, while the training loss went on falling. Or
 * the loss of held-out data is suddenly thousands of times what it was, and stays there.
 *
 * ## Why
 * The model learns its training data by heart; or its outputs run away where training does not look.
 *
 * ## Example
 * Training loss 2.9 to 0.3; validation BLEU 0.14 at the first evaluation, 0.09 at the last and never above 0.11 in between.
 *
 * ## Stays silent
 * While any score of the same kind of data keeps its best, for a best that noise may have made, for few evaluations, and where something is NaN.
 */
import { finiteValues } from '../../features/curve.js';
import { median, noise, trailingMedian } from '../../features/robust.js';
import type { RunView } from '../../features/view.js';
import { figure } from '../../record/figures.js';
import { defineDetector, type Observation } from '../define.js';
import { citePoint } from '../shared/cite.js';
import { chanceAccuracy } from '../shared/learning.js';
import { scoresOf } from '../shared/measures.js';
import { nonFiniteOf } from '../shared/nonfinite.js';

export const gotWorse = defineDetector({
  id: 'optimization/got-worse',
  subcause: 'overfit',
  role: 'root',
  signal: 'curve',
  needs: ['eval'],
  detect: (_record, _features, { view }) => [...ranAway(view), ...scoreLeftBehind(view)].slice(0, 1),
});

/** So few evaluations do not tell a best from luck. */
const fewest = 8;

/** What of its best a score must have lost in its last third. */
const lostShare = 0.25;

function scoreLeftBehind(view: RunView): Observation[] {
  const loss = view.curve('loss', 'train');
  if (view.task.loss === 'reinforcement' || !loss || chanceAccuracy(view, 'eval') || nonFiniteOf(view))
    return [];
  const measures = scoresOf(view).filter(({ values }) => values.length >= fewest);
  const found = measures.map(({ curve, values }) => {
    const smooth = trailingMedian(values, 3);
    const best = Math.max(...smooth);
    const bestAt = smooth.indexOf(best);
    const since = values.slice(Math.ceil((2 * values.length) / 3));
    const kept = best <= 0 || bestAt > values.length / 3 || Math.max(...since) > 0.95 * best;
    const left = median(since) < Math.min((1 - lostShare) * best, best - 1.5 * noise(values));
    return { curve, best, bestAt, end: median(since), kept, left };
  });
  const lost = found.filter(({ left }) => left);
  const [first] = lost;
  if (!first || found.some(({ kept }) => kept) || lost.length < found.length / 2) return [];
  const step = first.curve.steps[first.curve.finite[first.bestAt]!]!;
  const then = loss.finite.filter((at) => loss.steps[at]! <= step).map((at) => loss.values[at]!);
  const end = median(finiteValues(loss).slice(-3));
  if (then.length === 0 || then.at(-1)! <= 0 || end > 0.7 * then.at(-1)!) return [];
  return [
    {
      strength: 0.66,
      onset: step,
      evidence: [
        citePoint(
          first.curve,
          first.curve.finite[first.bestAt]!,
          `${first.curve.name} was best here, at ${figure(first.best)}, and is ${figure(first.end)} in the last third`,
        ),
        citePoint(
          loss,
          loss.finite.at(-1)!,
          `while ${loss.name} fell from ${figure(then.at(-1)!)} to ${figure(end)}`,
        ),
      ],
    },
  ];
}

/** No other data and no other scale: only outputs that run away lose so many times what they lost before. */
const beyond = 1000;

/** Held-out data lost about the same for a while, and from some evaluation on thousands of times as much, while training is finite. */
function ranAway(view: RunView): Observation[] {
  // Half precision that overflows looks so too, and is told apart by its scale.
  const other =
    view.task.loss === 'reinforcement' || view.task.precision === 'fp16' || view.curve('loss_scale');
  const held = other ? null : view.curve('loss', 'eval');
  const values = held ? finiteValues(held) : [];
  const from = values.findIndex((_, at) => at >= 3 && isBeyond(values, at));
  if (!held || from < 0) return [];
  const at = held.finite[from]!;
  return [
    {
      subcause: 'divergence',
      strength: 0.9,
      onset: held.steps[at]!,
      evidence: [
        citePoint(
          held,
          at,
          `${held.name} had been about ${figure(median(values.slice(0, from)))} and is ${figure(values[from]!)} here, ${figure(values.at(-1)!)} at the end`,
        ),
      ],
    },
  ];
}

/** Most evaluations from here on, the last among them. */
function isBeyond(values: readonly number[], from: number): boolean {
  const before = values.slice(0, from);
  const after = values.slice(from);
  const far = after.map((value) => value > beyond * Math.max(...before));
  return (
    Math.min(...before) > 0 &&
    far[0]! &&
    far.at(-1)! &&
    far.length >= 2 &&
    far.filter((one) => one).length > 0.6 * far.length
  );
}
