// A score that has risen well and ends at its best: whatever the loss looks like, the run learns.
import { finiteValues } from '../../features/curve.js';
import { monotonicity } from '../../features/robust.js';
import type { RunView } from '../../features/view.js';

/** What a score must have reached to speak against the loss. */
const good = 0.6;

/** A loss that is summed over all steps since the last row only looks as if it grew, or as if it were out of proportion. */
export function scoreAtItsBest(view: RunView): boolean {
  const scores = [
    ...view.curves('f1'),
    ...view.curves('accuracy', 'eval'),
    ...view.curves('accuracy', 'test'),
  ];
  return scores.some((curve) => {
    const values = finiteValues(curve);
    const last = values.at(-1)!;
    const atEnd =
      values.length >= 5 && curve.steps[curve.finite.at(-1)!]! >= 0.9 * (view.record.lastStep ?? Infinity);
    return (
      atEnd &&
      last >= 0.98 * Math.max(...values) &&
      last > 1.3 * values[0]! &&
      (last > 1 ? last / 100 : last) > good &&
      monotonicity(values) > 0.6
    );
  });
}
