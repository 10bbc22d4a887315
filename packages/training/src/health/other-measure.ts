// Is the held-out loss a multiple of the one of training, by its making? A sum over batches in place of a mean, or another weight, makes every
// evaluation so many times as large, and says nothing of how good it is.
import { type Curve, finiteValues } from '../features/curve.js';
import type { RunView } from '../features/view.js';
import { scoreOf } from './score.js';

/** How far the factor may wander. */
const about = 1.5;
/** Few hold out more batches than that to sum over. */
const mostBatches = 500;

/** Held-out loss falls with that of training, always by about the same factor, and no score of its own says that it is worse. */
export function onlyAnotherMeasure(view: RunView, held: Curve | null): boolean {
  const trained = view.curve('loss');
  if (!held || !trained || trained === held || held.finite.length < 3 || trained.finite.length < 3)
    return false;
  const [own, other] = [scoreOf(view, 'train'), scoreOf(view, 'eval')];
  if (own && other && own.kind === other.kind && other.values.at(-1)! < own.values.at(-1)! - 0.1)
    return false;
  // The first evaluation may come before statistics of the data were gathered.
  const judged = held.finite.slice(held.finite.length >= 4 ? 1 : 0);
  const losses = finiteValues(held);
  if (Math.min(...losses) <= 0 || losses.at(-1)! > 0.9 * losses[0]!) return false;
  const factors = judged.map((index) => {
    const before = trained.finite.findLast((at) => trained.steps[at]! <= held.steps[index]!);
    return held.values[index]! / trained.values[before ?? trained.finite[0]!]!;
  });
  return (
    Math.min(...factors) > 1 && Math.max(...factors) < Math.min(mostBatches, about * Math.min(...factors))
  );
}
