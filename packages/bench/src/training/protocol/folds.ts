// Stratified folds that keep groups whole: the runs of one script are all in one fold, and every fold holds each category in
// about its share. Groups are placed greedily, the largest first, where they serve the balance best.
import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';

export interface Foldable {
  readonly group: string;
  readonly category: string;
}

/** The fold of each case, from 0 to `count` - 1. */
export function groupedFolds(cases: readonly Foldable[], count: number, seed: number): number[] {
  const categories = [...new Set(cases.map(({ category }) => category))].sort();
  const groups = new Map<string, number[]>();
  for (const { group, category } of cases) {
    const counts = groups.get(group) ?? categories.map(() => 0);
    counts[categories.indexOf(category)]! += 1;
    groups.set(group, counts);
  }
  const totals = categories.map((name) => cases.filter(({ category }) => category === name).length);
  const loads = Array.from({ length: count }, () => categories.map(() => 0));
  const fold = new Map<string, number>();
  for (const [group, counts] of ordered(groups, seed)) {
    let best = 0;
    let least = Number.POSITIVE_INFINITY;
    for (let candidate = 0; candidate < count; candidate++) {
      const cost = imbalance(loads, candidate, counts, totals);
      if (cost < least - 1e-12) {
        least = cost;
        best = candidate;
      }
    }
    fold.set(group, best);
    counts.forEach((value, index) => {
      loads[best]![index]! += value;
    });
  }
  return cases.map(({ group }) => fold.get(group)!);
}

/** Largest first, those of equal size in an order drawn from the seed. */
function ordered(
  groups: ReadonlyMap<string, readonly number[]>,
  seed: number,
): [string, readonly number[]][] {
  const random = xoroshiro128plus(seed);
  const list = [...groups].sort(([a], [b]) => (a < b ? -1 : 1));
  for (let index = list.length - 1; index > 0; index--) {
    const other = uniformInt(random, 0, index);
    [list[index], list[other]] = [list[other]!, list[index]!];
  }
  const size = (counts: readonly number[]): number => counts.reduce((sum, value) => sum + value, 0);
  return list.sort(([, a], [, b]) => size(b) - size(a));
}

/** Sum over categories of the spread of their shares over the folds, plus that of the folds' sizes. */
function imbalance(
  loads: readonly (readonly number[])[],
  candidate: number,
  counts: readonly number[],
  totals: readonly number[],
): number {
  const after = loads.map((load, index) =>
    index === candidate ? load.map((value, category) => value + counts[category]!) : load,
  );
  const spread = (values: readonly number[]): number => {
    const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
    return values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  };
  const all = totals.reduce((sum, value) => sum + value, 0);
  const sizes = spread(after.map((load) => load.reduce((sum, value) => sum + value, 0) / all));
  return totals.reduce(
    (sum, total, category) => sum + spread(after.map((load) => load[category]! / Math.max(1, total))),
    sizes,
  );
}
