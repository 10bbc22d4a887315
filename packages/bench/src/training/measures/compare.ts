// Methods in pairs on the same runs: McNemar's exact test with Holm's correction over all pairs, and Cohen's d of the paired
// differences.
import { mcnemarExact } from '../../statistics/index.js';

export interface Comparison {
  readonly first: string;
  readonly second: string;
  readonly only_first: number;
  readonly only_second: number;
  readonly p: number;
  /** After Holm's correction for the number of pairs. */
  readonly p_corrected: number;
  /** Mean of the paired differences in correctness over their standard deviation; null when they never differ. */
  readonly cohens_d: number | null;
}

export function compareAll(correct: Readonly<Record<string, readonly boolean[]>>): Comparison[] {
  const names = Object.keys(correct);
  const raw = names.flatMap((first, index) =>
    names.slice(index + 1).map((second) => {
      const pairs = correct[first]!.map((value, at) => ({ first: value, second: correct[second]![at]! }));
      const { onlyFirst, onlySecond, p } = mcnemarExact(pairs);
      const differences = pairs.map((pair) => Number(pair.first) - Number(pair.second));
      return {
        first,
        second,
        only_first: onlyFirst,
        only_second: onlySecond,
        p,
        cohens_d: pairedD(differences),
      };
    }),
  );
  const corrected = holm(raw.map(({ p }) => p));
  return raw.map((entry, index) => ({ ...entry, p_corrected: corrected[index]! }));
}

/** Holm's step-down correction. */
export function holm(values: readonly number[]): number[] {
  const order = values.map((_, index) => index).sort((a, b) => values[a]! - values[b]!);
  const corrected = new Array<number>(values.length).fill(1);
  let running = 0;
  order.forEach((position, rank) => {
    running = Math.max(running, Math.min(1, (values.length - rank) * values[position]!));
    corrected[position] = running;
  });
  return corrected;
}

export function pairedD(differences: readonly number[]): number | null {
  if (differences.length < 2) return null;
  const mean = differences.reduce((sum, value) => sum + value, 0) / differences.length;
  const variance =
    differences.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (differences.length - 1);
  return variance === 0 ? null : mean / Math.sqrt(variance);
}
