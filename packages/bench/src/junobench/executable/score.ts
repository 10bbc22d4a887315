// Detection by one method on the pairs that were verified, and how many repaired cells it proved clean.
import { confusionOf, type Measures, measuresOf, quantile, ratio } from '../../statistics/index.js';
import type { ExecutedPrediction } from './prediction.js';

export interface ExecutedScore extends Measures {
  /** Of the repaired cells: the share that was said to run, not only not said to crash. */
  readonly proved_clean: number | null;
  readonly ms: { readonly median: number | null; readonly p95: number | null };
}

export function scoreOf(predictions: readonly ExecutedPrediction[]): ExecutedScore {
  const repaired = predictions.filter(({ crashes }) => !crashes);
  const times = predictions.map(({ ms }) => ms).filter((ms): ms is number => ms !== null);
  const pairs = predictions.map(({ crashes, outcome }) => ({
    actual: crashes,
    predicted: outcome === 'crash',
  }));
  return {
    ...measuresOf(confusionOf(pairs)),
    proved_clean: ratio(repaired.filter(({ outcome }) => outcome === 'ok').length, repaired.length),
    ms: { median: quantile(times, 0.5), p95: quantile(times, 0.95) },
  };
}
