// Every input gets one and the same answer: the loss repeats the logarithm of the number of classes to the last digit. Labels that
// tell nothing leave a loss that wanders around that level; only weights that were thrown away, or dead units, repeat it.
import { type Curve, finiteValues } from '../../features/curve.js';
import { median } from '../../features/robust.js';
import type { RunView } from '../../features/view.js';

export interface SameAnswer {
  readonly curve: Curve;
  /** Index into the curve from which on it repeats. */
  readonly index: number;
  readonly classes: number;
  /** The loss was above the level of guessing before: the first steps threw it there. */
  readonly thrown: boolean;
}

/** Numbers of classes whose logarithm is known by sight. */
export const usualClasses = [2, 3, 4, 5, 10, 20, 100, 256, 1000];

/** Closer than a mean over batches of noise comes, as far as five printed digits tell. */
const close = 3e-5;

/** Four digits tell less: it must have repeated for long, after it was thrown far above where it began. */
const rounded = { close: 8e-5, repeats: 10, thrown: 3 };

export function sameAnswer(view: RunView): SameAnswer | null {
  const gradient = view.curve('grad_norm');
  if (gradient && median(finiteValues(gradient)) > 1e-5) return null;
  const { outcomes } = view.task;
  const counts = outcomes !== null && outcomes >= 2 ? [outcomes] : usualClasses;
  const curve = view.curve('loss');
  const values = curve ? finiteValues(curve) : [];
  for (const classes of curve ? counts : []) {
    const guessing = Math.log(classes);
    const leaves = (by: number): number =>
      values.findLastIndex((value) => Math.abs(value / guessing - 1) > by) + 1;
    const thrownTo = (until: number): number => Math.max(...values.slice(0, until));
    const long = leaves(rounded.close);
    const isLong =
      values.length - long >= rounded.repeats &&
      thrownTo(long) > rounded.thrown * Math.max(values[0]!, guessing);
    const from = isLong ? long : leaves(close);
    // From the first point on it may be a last layer that began at zero.
    if (from === 0 || values.length - from < 3) continue;
    return {
      curve: curve!,
      index: curve!.finite[from]!,
      classes,
      thrown: thrownTo(from) > 1.02 * guessing,
    };
  }
  return null;
}
