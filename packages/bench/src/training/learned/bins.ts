// Features cut into at most 255 bins at observed values, so that trees and additive models look at histograms instead
// of sorting rows again and again. Bin 0 is kept for missing values.
import type { Dataset } from './dataset.js';

export interface Bins {
  /** For each feature the ascending cut points; value <= cuts[i] falls into bin i + 1. */
  readonly cuts: readonly (readonly number[])[];
}

export interface BinnedRows extends Bins {
  /** Bin of each row, one array per feature. */
  readonly columns: readonly Uint8Array[];
}

const mostBins = 254;

export function makeBins(dataset: Dataset, maxBins = mostBins): BinnedRows {
  const cuts = dataset.features.map((_, feature) =>
    cutsOf(
      dataset.rows.map((row) => row[feature]!),
      maxBins,
    ),
  );
  const columns = cuts.map((featureCuts, feature) =>
    Uint8Array.from(dataset.rows, (row) => binOf(featureCuts, row[feature]!)),
  );
  return { cuts, columns };
}

/** Midpoints between neighbouring distinct values; evenly spread quantiles of them when there are too many. */
function cutsOf(values: readonly number[], maxBins: number): number[] {
  const distinct = [...new Set(values.filter((value) => !Number.isNaN(value)))].sort((a, b) => a - b);
  const midpoints = distinct.slice(1).map((value, index) => midpoint(distinct[index]!, value));
  if (midpoints.length < maxBins) return midpoints;
  const spread = Array.from(
    { length: maxBins - 1 },
    (_, index) => midpoints[Math.floor(((index + 1) * midpoints.length) / maxBins)]!,
  );
  return [...new Set(spread)];
}

function midpoint(low: number, high: number): number {
  if (!Number.isFinite(low) || !Number.isFinite(high))
    return Number.isFinite(low) ? low : high === Number.POSITIVE_INFINITY ? Number.MAX_VALUE : high;
  return low + (high - low) / 2;
}

export function binOf(cuts: readonly number[], value: number): number {
  if (Number.isNaN(value)) return 0;
  let low = 0;
  let high = cuts.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (value <= cuts[middle]!) high = middle;
    else low = middle + 1;
  }
  return low + 1;
}
