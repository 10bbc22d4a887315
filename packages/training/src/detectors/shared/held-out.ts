// The score on held-out data, read from as few points as people paste: whether what was reached was lost again, and whether it
// swings from one evaluation to the next.
import { type Curve, finiteValues, smoothingWidth } from '../../features/curve.js';
import { chanceAbove, chanceOfRise, unlikely } from '../../features/few-points.js';
import { median, noise, trailingMedian } from '../../features/robust.js';
import type { RunView } from '../../features/view.js';
import { figure } from '../../record/figures.js';
import type { RunEvidence } from '../define.js';
import { citePoint } from './cite.js';
import { chanceAccuracy } from './learning.js';

export interface LostScore {
  readonly step: number;
  /** Large moves up and down: one is a fall, more are swings. */
  readonly reversals: number;
  readonly evidence: readonly RunEvidence[];
}

/** A share of the best that no noise of an evaluation takes away. */
const large = 0.3;

/** The held-out accuracy fell far below its best and ended there, or keeps falling and rising; or all that a reward had gained is gone. Null for noise. */
export function lostScore(view: RunView): LostScore | null {
  const reward = view.curve('reward');
  const unlearned = reward && (unlearnt(reward) ?? goneAgain(reward));
  if (unlearned) return unlearned;
  // Guesses swing too; nothing was reached that could be lost.
  if (view.task.loss === 'reinforcement' || chanceAccuracy(view, 'eval')) return null;
  for (const split of ['eval', 'test'] as const)
    for (const curve of view.curves('accuracy', split)) {
      if (curve.series.subject !== null) continue;
      const found = fallen(curve) ?? belowItsBest(view, curve);
      if (found) return found;
    }
  const trained = view.curve('accuracy', 'train');
  return trained && gone(trained);
}

/**
 * A reward that had grown far beyond its noise, stayed there, and is back where it began or below, for as long as it was high; or has lost more than
 * half of what it had gained for the whole last third of a long run.
 */
function unlearnt(curve: Curve): LostScore | null {
  const values = finiteValues(curve);
  if (values.length < 8) return null;
  // Of single episodes one is lucky now and then; what was learned stays for a while.
  const width = Math.max(3, smoothingWidth(values.length));
  const smooth = trailingMedian(values, width);
  const best = Math.max(...smooth);
  const bestAt = smooth.indexOf(best);
  const gained = best - median(values.slice(0, width));
  const third = smooth.slice(Math.ceil((2 * smooth.length) / 3));
  const halved = values.length >= 60 && best - Math.max(...third) > 0.5 * gained;
  const lost = (value: number): boolean => best - value > (halved ? 0.5 : 0.9) * gained;
  const high = values.filter((value) => best - value < 0.2 * gained).length;
  const low = values.length - 1 - values.findLastIndex((value) => !lost(value));
  if (gained <= 6 * noise(values.slice(0, bestAt + 1)) || high < width || low < width || bestAt < 2)
    return null;
  const at = curve.finite[values.length - low]!;
  return {
    step: curve.steps[at]!,
    reversals: 1,
    evidence: [
      citePoint(
        curve,
        at,
        `${curve.name} had reached ${figure(best)} and is ${figure(values.at(-1)!)} at the end`,
      ),
    ],
  };
}

/** Fewer rewards than `unlearnt` judges by their levels: above the least of them, as a score is above nothing. */
const fewRewards = 60;

/** All that had been gained is gone for good, read from a few rewards. What stood high from the first on was not learned. */
function goneAgain(curve: Curve): LostScore | null {
  const values = finiteValues(curve);
  const least = Math.min(...values);
  const above = values.map((value) => value - least);
  if (values.length >= fewRewards || above[0]! > 0.4 * Math.max(...above)) return null;
  const climbed = chanceOfRise(values.slice(0, values.indexOf(Math.max(...values)) + 1)) < 0.05;
  return climbed && Math.max(...above) > 0.15 ? gone(curve, above, unlikely) : null;
}

/**
 * Training's own score fell to less than half of its best and stays there, far below all that was before and without a sign of coming back. A batch
 * of a row or two gets little right time and again: it has to last far longer than it ever did.
 */
function gone(curve: Curve, values = finiteValues(curve), chance = unlikely / 5): LostScore | null {
  const best = Math.max(...values);
  const from = values.findLastIndex((value) => value > 0.5 * best) + 1;
  const [before, after] = [values.slice(0, from), values.slice(from)];
  if (before.length < 3 || after.length < 3 || best < 0.15 || chanceOfRise(after) < 0.05) return null;
  const own = finiteValues(curve);
  const level = Math.max(...after);
  let longest = 0;
  for (let index = 0, low = 0; index < from; index++) {
    low = values[index]! <= level ? low + 1 : 0;
    longest = Math.max(longest, low);
  }
  if (after.length <= 2 * longest) return null;
  // Nothing at all is no noise; anything else has to lie apart from what came just before.
  const last = before.slice(-Math.max(3, Math.floor(after.length / 2)));
  if (level > 0 && chanceAbove(last, after) > chance) return null;
  const at = curve.finite[from]!;
  return {
    step: curve.steps[at]!,
    reversals: 1,
    evidence: [
      citePoint(
        curve,
        at,
        `${curve.name} was ${figure(Math.max(...own))} and is never above ${figure(Math.max(...own.slice(from)))} from here on`,
      ),
    ],
  };
}

function fallen(curve: Curve): LostScore | null {
  const values = finiteValues(curve);
  if (values.length < 5) return null;
  const best = Math.max(...values);
  const bestAt = values.indexOf(best);
  // One lucky evaluation is no level: a second one must have come near it.
  if (values.filter((value) => value > 0.85 * best).length < 2 || best < 0.15) return null;
  const least = Math.max(0.1, large * best);
  const moves = reversalsOf(values, least);
  const end = values.at(-1)!;
  const low = values.findIndex((value, index) => index > bestAt && value < best - least);
  // Dips that passed, and none for a good while.
  const lately = values.slice(-Math.max(5, Math.ceil(values.length / 5)));
  const isCalm = lately.every((value) => value > best - least);
  if (end > best - least && (moves < 3 || isCalm)) return null;
  const at = low < 0 ? values.length - 1 : low;
  return {
    step: curve.steps[curve.finite[at]!]!,
    reversals: moves,
    evidence: [
      citePoint(
        curve,
        curve.finite[at]!,
        moves >= 3
          ? `${curve.name} swings by more than ${figure(least)} ${moves} times`
          : `${curve.name} was ${figure(best)}, fell to ${figure(values[at]!)} and ended at ${figure(values.at(-1)!)}`,
      ),
    ],
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
