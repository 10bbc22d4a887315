// Wilson's score interval for a proportion: sensible at 0 and 1 and for small samples.
import { normalQuantile } from './normal.js';

export type Interval = readonly [low: number, high: number];

export function wilsonInterval(successes: number, n: number, confidence = 0.95): Interval | null {
  if (n === 0) return null;
  const z = normalQuantile(1 - (1 - confidence) / 2);
  const p = successes / n;
  const spread = 1 + (z * z) / n;
  const centre = (p + (z * z) / (2 * n)) / spread;
  const half = (z / spread) * Math.sqrt((p * (1 - p)) / n + (z * z) / (4 * n * n));
  return [successes === 0 ? 0 : centre - half, successes === n ? 1 : centre + half];
}
