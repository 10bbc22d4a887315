// Percentile bootstrap with a stated seed: the same data give the same interval on every machine.
import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import { quantile } from './quantile.js';
import type { Interval } from './wilson.js';

export interface BootstrapOptions {
  readonly resamples?: number;
  readonly seed?: number;
  readonly confidence?: number;
}

/**
 * Interval of `statistic` over samples drawn from `units` with replacement. Units that belong together (the two
 * versions of one notebook) are one unit. Samples on which the statistic is undefined are left out.
 */
export function bootstrapInterval<Unit>(
  units: readonly Unit[],
  statistic: (sample: readonly Unit[]) => number | null,
  { resamples = 2000, seed = 1, confidence = 0.95 }: BootstrapOptions = {},
): Interval | null {
  if (units.length === 0) return null;
  const random = xoroshiro128plus(seed);
  const found: number[] = [];
  for (let round = 0; round < resamples; round++) {
    const sample = units.map(() => units[uniformInt(random, 0, units.length - 1)]!);
    const value = statistic(sample);
    if (value !== null) found.push(value);
  }
  const tail = (1 - confidence) / 2;
  const low = quantile(found, tail);
  const high = quantile(found, 1 - tail);
  return low === null || high === null ? null : [low, high];
}
