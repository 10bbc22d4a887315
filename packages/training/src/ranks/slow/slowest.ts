// The rank whose own work takes longest, by the times that every rank recorded of itself. Behind a collective all steps last as long as
// the slowest one: what a rank does before its forward pass is told apart first.
import { type Curve, finiteValues } from '../../features/curve.js';
import { median } from '../../features/robust.js';
import type { RunView } from '../../features/view.js';
import type { TextLine } from '../../record/run-record.js';
import { lateLevel, stillSlower } from './trade.js';

export interface Slowest {
  readonly rank: number;
  readonly curve: Curve;
  /** Seconds a step, of this rank and of the others. */
  readonly own: number;
  readonly others: number;
  readonly of: 'data_time' | 'step_time';
}

const fewestPoints = 8;

export function slowestIn(view: RunView): Slowest | null {
  const byRank = (metric: Slowest['of']) =>
    view.curves(metric).filter((curve) => curve.series.rank !== null && curve.finite.length >= fewestPoints);
  const waiting = byRank('data_time');
  const of = differ(waiting) ? 'data_time' : 'step_time';
  const ranked = of === 'data_time' ? waiting : byRank('step_time');
  if (ranked.length < 2) return null;
  const levels = ranked.map((curve) => median(finiteValues(curve)));
  const at = levels.indexOf(Math.max(...levels));
  const curve = ranked[at]!;
  const own = levels[at]!;
  const others = ranked.length === 2 ? Math.min(...levels) : median(levels);
  const often = finiteValues(curve).filter((value) => value > 1.3 * others).length / curve.finite.length;
  if (own / Math.max(others, 1e-6) < 1.5 || often < 0.6) return null;
  const late = ranked.flatMap((one) => (one === curve ? [] : lateLevel(finiteValues(one))));
  if (lateLevel(finiteValues(curve)) < stillSlower * median(late)) return null;
  return { rank: curve.series.rank!, curve, own, others, of };
}

function differ(curves: readonly Curve[]): boolean {
  const levels = curves.map((curve) => median(finiteValues(curve)));
  return levels.length >= 2 && Math.max(...levels) > 0.05 && Math.max(...levels) > 3 * Math.min(...levels);
}

const toldSlow =
  /\bslow(?:est)? (?:rank|worker)\W{0,4}(\d{1,5})\b|\brank (\d{1,5}) is (?:much )?slower|\bstraggler\W{1,4}(?:is )?rank\W{0,3}(\d{1,5})\b|\bMx\w+\/Rnk: [\d.]+ ?\w*\/(\d{1,5})\b/i;
const fewestTold = 3;
const fewestOfMany = 6;

/** The rank that the run's own reports name slowest, again and again until the end. */
export function toldSlowest({
  lines,
  record,
}: RunView): { readonly rank: number; readonly line: TextLine } | null {
  const told = lines.flatMap((line) => {
    const found = line.text.length < 1000 ? toldSlow.exec(line.text) : null;
    return found ? [{ rank: Number(found.slice(1).find((digits) => digits !== undefined)), line }] : [];
  });
  const last = told.at(-1);
  if (last === undefined) return null;
  const from = told.findLastIndex(({ rank }) => rank !== last.rank) + 1;
  const same = told.slice(from);
  // A few of many reports name one rank by chance; and what is told no more is over.
  const isOften = same.length >= fewestTold && same.length >= Math.min(fewestOfMany, told.length / 2);
  const gaps = same.map(({ line }, at) => (line.step ?? 0) - (same[at - 1]?.line.step ?? line.step ?? 0));
  const since = (record.lastStep ?? 0) - (last.line.step ?? record.lastStep ?? 0);
  return isOften && since <= 3 * Math.max(...gaps, 1) ? same[0]! : null;
}
