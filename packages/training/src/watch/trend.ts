// Steady growth of something that has an end: a straight line through the newest points, and how long it can go on.
import { monotonicity } from '../features/robust.js';

export interface Growth {
  /** Per unit of `at`. */
  readonly slope: number;
  readonly first: number;
  readonly last: number;
  /** Relative to where the stretch began. */
  readonly relative: number;
  /** Share of the variance that the line explains. */
  readonly explained: number;
}

const fewest = 40;

/**
 * The growth of `values` over `at` when it is steady to the end: nearly a line, hardly ever falling, rising often rather
 * than in a few jumps, and not levelling off. Null otherwise.
 */
export function steadyGrowth(
  at: readonly number[],
  values: readonly number[],
  least = fewest,
): Growth | null {
  if (values.length < least || values.some((value) => !Number.isFinite(value))) return null;
  const whole = line(at, values);
  const third = Math.floor(values.length / 3);
  const latest = line(at.slice(-third), values.slice(-third));
  const first = values[0]!;
  const last = values.at(-1)!;
  if (whole.slope <= 0 || whole.explained < 0.97 || latest.slope < 0.6 * whole.slope) return null;
  const rises = values.filter((value, index) => index > 0 && value > values[index - 1]!).length;
  if (monotonicity(values) < 0.95 || rises < 0.5 * values.length) return null;
  const relative = (last - first) / Math.max(Math.abs(first), 1e-12);
  return { slope: whole.slope, first, last, relative, explained: whole.explained };
}

/** The straight line of least squares. */
export function line(at: readonly number[], values: readonly number[]): { slope: number; explained: number } {
  const count = values.length;
  const meanAt = at.reduce((sum, x) => sum + x, 0) / count;
  const mean = values.reduce((sum, y) => sum + y, 0) / count;
  let cross = 0;
  let spreadAt = 0;
  let spread = 0;
  for (let i = 0; i < count; i++) {
    cross += (at[i]! - meanAt) * (values[i]! - mean);
    spreadAt += (at[i]! - meanAt) ** 2;
    spread += (values[i]! - mean) ** 2;
  }
  if (spreadAt === 0 || spread === 0) return { slope: 0, explained: 0 };
  return { slope: cross / spreadAt, explained: cross ** 2 / (spreadAt * spread) };
}
