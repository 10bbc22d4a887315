// Did a course that should fall leave its best for good? One question for losses, and for scores and rewards with their sign turned, whether
// it climbed, jumped or crept back: the points since then lie above those before, beyond the noise of both, and take back most of what was gained.
import { type Curve, smoothingWidth } from '../../features/curve.js';
import { chanceApart, chanceOfRise, unlikely } from '../../features/few-points.js';
import { median, noise, trailingMedian } from '../../features/robust.js';

export interface Left {
  /** Index of the first value that lies above for good. */
  readonly from: number;
  readonly best: number;
  /** The usual value since. */
  readonly level: number;
  /** How likely noise about one level would part the points as far, or order them so. */
  readonly chance: number;
  /** The share of what had been gained that is lost, in orders of magnitude of what is positive; above 1 where it is worse than at the beginning. */
  readonly lost: number;
  /** Whether more than one value says it. */
  readonly several: boolean;
  /** How far it rose, and how far it had fallen before, in units of the noise before. */
  readonly rise: number;
  readonly gain: number;
}

/** Less than this of what was gained is a dent: in orders of magnitude, and as it is. */
const leastLost = { inLogs: 0.5, plain: 0.15 };

/** Noise that printed digits leave even in the smoothest course. */
const leastNoise = 1e-3;

/** `values`: lower is better. Null while it is at its best, or on its way back to it. */
export function leftForGood(values: readonly number[]): Left | null {
  const inLogs = values.every((value) => value > 0);
  const points = inLogs ? values.map(Math.log) : values;
  const count = points.length;
  const smooth = trailingMedian(points, smoothingWidth(count));
  const best = Math.min(...smooth);
  const bestAt = smooth.indexOf(best);
  const end = median(points.slice(-Math.max(1, Math.min(20, Math.round((count - bestAt) / 4)))));
  const middle = best + (end - best) / 3;
  const from = lastStay(points, bestAt + 1, middle);
  if (cameBack(smooth, from, middle) || stoodThereBefore(points, from, middle)) return null;
  // A first point or two before all others is no level.
  if (count < 2 || from >= count || from < Math.min(3, count / 10)) return null;
  const [before, after] = [points.slice(0, from), points.slice(from)];
  const first = median(points.slice(0, Math.max(1, Math.min(20, Math.floor(count / 20)))));
  const lost = first > best ? (end - best) / (first - best) : end > first ? Number.POSITIVE_INFINITY : 0;
  const plain = inLogs ? (Math.exp(end) - Math.exp(best)) / (Math.exp(first) - Math.exp(best)) : lost;
  if (lost < leastLost.inLogs || (plain >= 0 && plain < leastLost.plain) || isReturning(before, after, best))
    return null;
  const near = before.slice(-Math.max(3, Math.min(after.length, Math.ceil(before.length / 2))));
  const wavers = noise(before) || 0;
  const unit = Math.max(wavers, leastNoise * (inLogs ? 1 : Math.abs(best)), 1e-12);
  return {
    from,
    best: inLogs ? Math.exp(best) : best,
    level: inLogs ? Math.exp(median(after)) : median(after),
    chance: Math.min(
      chanceApart(after, near, inLogs, wavers),
      chanceApart([Math.min(...after)], near, inLogs, wavers),
      chanceOfRise(points.slice(bestAt + 1)),
    ),
    lost,
    several: after.length > 1,
    rise: (end - best) / unit,
    gain: (first - best) / unit,
  };
}

/** From where on all but a lucky point in twenty lie above `middle`. */
function lastStay(points: readonly number[], least: number, middle: number): number {
  let from = points.length;
  for (let at = points.length - 1, below = 0; at >= least; at--) {
    if (points[at]! > middle) from = at;
    else below += 1;
    if (below > (points.length - at) / 20) break;
  }
  return from;
}

/** It had left before, for as long, and come back: as the losses of several parts that are trained in turn. */
function cameBack(smooth: readonly number[], from: number, middle: number): boolean {
  const first = smooth.findIndex((value) => value <= middle);
  let stay = 0;
  for (let at = first; at >= 0 && at < from; at++) {
    stay = smooth[at]! > middle ? stay + 1 : 0;
    if (stay >= smooth.length - from) return smooth.slice(at, from).some((value) => value <= middle);
  }
  return false;
}

/** A standstill is so many times as long as the stay at the best that came out of it, and has so many points at least. */
const standstill = { times: 2, least: 5 };

/** It had stood where it went back to, and left that level for a short while only: a batch or two that were easy, not what was learned and lost. */
function stoodThereBefore(points: readonly number[], from: number, middle: number): boolean {
  const stay = from - 1 - points.slice(0, from).findLastIndex((value) => value > middle);
  const length = Math.max(standstill.least, standstill.times * stay);
  const stood = points.slice(Math.max(0, from - stay - length), from - stay);
  return (
    stood.length === length &&
    Math.min(...stood) > middle &&
    chanceOfRise(stood.map((value) => -value)) > unlikely &&
    median(points.slice(from)) <= Math.max(...stood)
  );
}

/** What of the way back it must have come to be called returning: few points may fall by chance, and what was thrown far above all before has lost more. */
const wayBack = { few: 0.2, more: 0.25, thrown: 0.62, beyond: 1.2 };

/** It falls again since its highest point, and has come a good part of the way back. */
function isReturning(before: readonly number[], after: readonly number[], best: number): boolean {
  const peak = Math.max(...after);
  const since = after.slice(after.indexOf(peak));
  if (since.length < 3) return (peak - since.at(-1)!) / (peak - best) > wayBack.few;
  const thrown = peak - best > wayBack.beyond * (Math.max(...before) - best);
  const come = (peak - median(since.slice(-3))) / (peak - best);
  return come > (thrown ? wayBack.thrown : wayBack.more) && chanceOfRise(since.map((value) => -value)) < 0.05;
}

/** As unlikely as noise has to be, over all courses that say the same; where one point alone says it, it has to be far more unlikely. */
const proof = { several: 1e-3, single: 2e-4, rise: 4 };

/** Whether noise is out of the question; `others`: what other courses of the same run, measured on their own, say of it. */
export function isProven(found: Left, others: readonly Left[] = []): boolean {
  const product = others.reduce((chance, other) => chance * Math.min(1, other.chance), found.chance);
  // Fisher: so likely is a product as small as this of so many chances.
  let [chance, term] = [product, product];
  for (let each = 1; each <= others.length; each++) {
    term *= -Math.log(product) / each;
    chance += term;
  }
  return found.rise > proof.rise && chance < (found.several ? proof.several : proof.single);
}

/** A score as a course that should fall. */
export function turned(curve: Curve | null): Curve | null {
  return curve && { ...curve, values: curve.values.map((value) => -value) };
}
