// An accuracy of exactly zero beside a loss that falls far: guessing would be right now and then, so the score itself is wrong.
import { type Curve, finiteValues } from '../../features/curve.js';
import type { RunView } from '../../features/view.js';

export interface Contradiction {
  readonly score: Curve;
  readonly loss: Curve;
}

/** The loss must have halved: a model that learns that much is right now and then. */
const far = 0.5;

export function scoreContradictsLoss(view: RunView): Contradiction | null {
  if (view.task.loss === 'reinforcement') return null;
  for (const split of ['eval', 'test', 'train'] as const) {
    const score = view.curve('accuracy', split);
    const loss = view.curve('loss', split);
    if (!score || !loss || score.finite.length < 4 || loss.finite.length < 4) continue;
    const losses = finiteValues(loss);
    const fell = losses[0]! > 0 && losses.at(-1)! > 0 && losses.at(-1)! < far * losses[0]!;
    if (fell && finiteValues(score).every((value) => value === 0)) return { score, loss };
  }
  return null;
}
