// Is the held-out loss a multiple of the one of training, by its making? A sum over batches in place of a mean, or another weight, makes every
// evaluation so many times as large, and says nothing of how good it is.
import { type Curve, finiteValues, startsAtBeginning } from '../features/curve.js';
import type { RunView } from '../features/view.js';
import { scoreOf } from './score.js';

/** How far the factor may wander. */
const about = 1.5;
/** Few hold out more batches than that to sum over. */
const mostBatches = 500;

/** So many times apart at the first look are two measures, whatever they are called. */
const apart = 10;

/** What is called the loss of held-out data was a tenth of training's while that was still at its beginning: it counts something else. */
export function countsOtherThings(trained: Curve, held: Curve): boolean {
  const [begun = 0, looked = 0] = [trained.values[trained.finite[0]!], held.values[held.finite[0]!]];
  return (
    startsAtBeginning(trained) &&
    looked > 0 &&
    held.steps[held.finite[0]!]! <= trained.steps[trained.finite[0]!]! &&
    begun > apart * looked
  );
}

/** At the first look and at the last no fewer answers were right than in training, at many times its loss. */
function scoredAlike(view: RunView, trained: Curve, held: Curve): boolean {
  const [own, other] = [scoreOf(view, 'train'), scoreOf(view, 'eval')];
  if (!own || !other || own.kind !== other.kind) return false;
  const alike = [0, -1].every((at) => other.values.at(at)! > own.values.at(at)! - 0.1);
  return alike && held.values[held.finite[0]!]! > apart * trained.values[trained.finite[0]!]!;
}

/** Held-out loss falls with that of training, always by about the same factor, and no score of its own says that it is worse. */
export function onlyAnotherMeasure(view: RunView, held: Curve | null): boolean {
  const trained = view.curve('loss');
  if (!held || !trained || trained === held || held.finite.length < 3 || trained.finite.length < 3)
    return false;
  if (scoredAlike(view, trained, held)) return true;
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
