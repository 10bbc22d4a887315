// An accuracy of exactly zero beside a loss that falls far: guessing would be right now and then, so the score itself is wrong.
import { type Curve, finiteValues } from '../../features/curve.js';
import type { RunView } from '../../features/view.js';

export interface Contradiction {
  readonly score: Curve;
  readonly loss: Curve;
}

/** The loss must have halved: a model that learns that much is right now and then. */
const far = 0.5;

/** Who hesitates between so few words is right now and then. */
const fewWords = 50;

export function scoreContradictsLoss(view: RunView): Contradiction | null {
  if (view.task.loss === 'reinforcement') return null;
  for (const split of ['eval', 'test', 'train'] as const) {
    const score = view.curve('accuracy', split);
    if (!score || score.finite.length < 4 || !finiteValues(score).every((value) => value === 0)) continue;
    const loss = view.curve('loss', split);
    const losses = loss ? finiteValues(loss) : [];
    const fell = losses[0]! > 0 && losses.at(-1)! > 0 && losses.at(-1)! < far * losses[0]!;
    if (loss && losses.length >= 4 && fell) return { score, loss };
    const perplexity = view.curve('perplexity', split);
    const choices = perplexity ? finiteValues(perplexity) : [];
    if (perplexity && choices.length >= 4 && choices.at(-1)! < Math.min(fewWords, choices[0]!))
      return { score, loss: perplexity };
  }
  return null;
}
