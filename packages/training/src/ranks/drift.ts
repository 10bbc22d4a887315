// Replicas that drift apart: ranks that held the same weights, as the hooks' norms show, and hold different ones later. Ranks that hold
// parts of a model never had equal norms and are not compared.
import { allSeries, type RunRecord, type Where } from '../record/run-record.js';

export interface Drift {
  /** The one that differs from most; null when no side is larger. */
  readonly rank: number | null;
  /** The first step at which they differed. */
  readonly step: number;
  readonly norms: readonly { readonly rank: number; readonly norm: number }[];
  readonly at: Where;
}

/** Sums in another order differ in the last digits of a float32. */
const same = 1e-5;
const apart = 1e-3;
const fewestSteps = 2;

export function driftIn(record: RunRecord): Drift | null {
  const series = allSeries(record, 'param_norm').filter(
    ({ rank, subject }) => rank !== null && subject === null,
  );
  const byRank = new Map(series.map((entry) => [entry.rank!, entry]));
  if (byRank.size < 2) return null;
  const steps = new Map<number, { rank: number; norm: number; at: Where }[]>();
  for (const [rank, entry] of byRank)
    for (let index = 0; index < entry.length; index++) {
      const row = steps.get(entry.steps[index]!) ?? [];
      steps.set(entry.steps[index]!, row);
      row.push({ rank, norm: entry.values[index]!, at: entry.where(index) });
    }
  const common = [...steps].filter(([, row]) => row.length === byRank.size).sort(([a], [b]) => a - b);
  const [first] = common;
  if (first === undefined || spread(first[1]) > same) return null;
  const from = common.findIndex(([, row]) => spread(row) > apart);
  // Ranks write at moments of their own: a drift lasts until the end.
  if (
    from < 0 ||
    common.length - from < fewestSteps ||
    common.slice(from).some(([, row]) => spread(row) <= apart)
  )
    return null;
  const [step] = common[from]!;
  const [, last] = common.at(-1)!;
  const sides = sidesOf(last);
  const [most, second] = sides;
  const alone =
    sides.length === 2 && most!.length > second!.length && second!.length === 1 ? second![0]! : null;
  return {
    rank: alone?.rank ?? null,
    step,
    norms: last.map(({ rank, norm }) => ({ rank, norm })),
    at: (alone ?? last[0]!).at,
  };
}

function spread(row: readonly { readonly norm: number }[]): number {
  const norms = row.map(({ norm }) => norm);
  const high = Math.max(...norms);
  return (high - Math.min(...norms)) / Math.max(Math.abs(high), Number.MIN_VALUE);
}

function sidesOf<Row extends { readonly norm: number }>(row: readonly Row[]): Row[][] {
  const sides: Row[][] = [];
  for (const entry of row) {
    const side = sides.find(([one]) => spread([one!, entry]) <= apart);
    if (side) side.push(entry);
    else sides.push([entry]);
  }
  return sides.sort((a, b) => b.length - a.length);
}
