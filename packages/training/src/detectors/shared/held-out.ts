// The score on held-out data, read from as few points as people paste: whether what was reached was lost again, and whether it
// swings from one evaluation to the next.
import { type Curve, finiteValues } from '../../features/curve.js';
import type { RunView } from '../../features/view.js';
import { figure } from '../../record/figures.js';
import type { RunEvidence } from '../define.js';
import { citePoint } from './cite.js';
import { chanceAccuracy } from './learning.js';
import { isProven, leftForGood } from './left.js';

export interface LostScore {
  readonly step: number;
  /** Large moves up and down: one is a fall, more are swings. */
  readonly reversals: number;
  readonly evidence: readonly RunEvidence[];
}

/** A share of the best that no noise of an evaluation takes away. */
const large = 0.3;

/** The held-out accuracy fell far below its best for good, or keeps falling and rising; or what a reward had gained is gone. Null for noise. */
export function lostScore(view: RunView): LostScore | null {
  const reward = view.curve('reward');
  const unlearned = reward && gone(reward, 0);
  if (unlearned) return unlearned;
  // Guesses swing too; nothing was reached that could be lost.
  if (view.task.loss === 'reinforcement' || chanceAccuracy(view, 'eval')) return null;
  for (const split of ['eval', 'test'] as const)
    for (const curve of view.curves('accuracy', split)) {
      if (curve.series.subject !== null || keptItsBest(view, curve)) continue;
      const found = swings(curve) ?? gone(curve) ?? belowItsBest(view, curve);
      if (found) return found;
    }
  const trained = view.curve('accuracy', 'train');
  return trained && gone(trained);
}

/** When all was over test data was scored, about as well as held-out data ever was: the best of the run was kept. */
function keptItsBest(view: RunView, curve: Curve): boolean {
  const test = curve.series.split === 'eval' ? view.curve('accuracy', 'test') : null;
  const last = test?.finite.at(-1);
  if (!test || last === undefined || test.finite.length > curve.finite.length / 5) return false;
  const isAfter = test.steps[last]! >= curve.steps[curve.finite.at(-1)!]!;
  return isAfter && test.values[last]! >= (1 - large / 2) * Math.max(...finiteValues(curve));
}

/** So far beyond its noise had a reward climbed that was learned; what stood high from the first on was not. */
const learned = 3;

/** What had been reached is lost for good, and by as much as matters. */
function gone(curve: Curve, least = 0.1): LostScore | null {
  const values = finiteValues(curve);
  const found = leftForGood(values.map((value) => -value));
  if (!found || !isProven(found) || found.level - found.best < Math.max(least, -large * found.best))
    return null;
  const { metric } = curve.series;
  if (metric === 'reward' && (found.gain < learned || found.from < values.length / 10)) return null;
  const at = curve.finite[found.from]!;
  return {
    step: curve.steps[at]!,
    reversals: 1,
    evidence: [
      citePoint(
        curve,
        at,
        `${curve.name} had reached ${figure(-found.best)} and is ${figure(values.at(-1)!)} at the end`,
      ),
    ],
  };
}

/** Large moves up and down, again and again, and no calm since. */
function swings(curve: Curve): LostScore | null {
  const values = finiteValues(curve);
  if (values.length < 5) return null;
  const best = Math.max(...values);
  // One lucky evaluation is no level: a second one must have come near it.
  if (values.filter((value) => value > 0.85 * best).length < 2 || best < 0.15) return null;
  const least = Math.max(0.1, large * best);
  const moves = reversalsOf(values, least);
  const lately = values.slice(-Math.max(5, Math.ceil(values.length / 5)));
  if (moves < 3 || lately.every((value) => value > best - least)) return null;
  const at =
    curve.finite[values.findIndex((value, index) => index > values.indexOf(best) && value < best - least)] ??
    curve.finite.at(-1)!;
  return {
    step: curve.steps[at]!,
    reversals: moves,
    evidence: [citePoint(curve, at, `${curve.name} swings by more than ${figure(least)} ${moves} times`)],
  };
}

/** Turns after a move larger than `least`, counted as a zigzag: each one starts where the move before ended. */
export function reversalsOf(values: readonly number[], least: number): number {
  let count = 0;
  let extreme = values[0]!;
  let rising = true;
  for (const value of values) {
    if (rising ? value > extreme : value < extreme) extreme = value;
    else if (Math.abs(value - extreme) > least) {
      count++;
      rising = !rising;
      extreme = value;
    }
  }
  return count;
}

/** The log names the best score of the run beside the present one, which has been far below it all along. */
function belowItsBest(view: RunView, curve: Curve): LostScore | null {
  const best = view
    .curves('accuracy')
    .find(({ series }) => series.subject === 'best' && series.split === curve.series.split);
  const values = finiteValues(curve);
  const top = best ? Math.max(...finiteValues(best)) : 0;
  if (values.length < 3 || top < 0.1 || Math.max(...values) > (1 - large) * top) return null;
  return {
    step: curve.steps[curve.finite[0]!]!,
    reversals: 1,
    evidence: [
      citePoint(
        curve,
        curve.finite.at(-1)!,
        `${curve.name} is ${figure(values.at(-1)!)}, its best was ${figure(top)}`,
      ),
    ],
  };
}
