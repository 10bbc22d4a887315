/**
 * # Perplexity is beyond guessing
 *
 * ## What
 * From its first points on, the perplexity is far above the size of the vocabulary, or validation's is far above
 * training's although training goes well.
 *
 * ## Why
 * A model that guesses evenly has the vocabulary's size as perplexity; to be much worse it must be sure of wrong words:
 * another tokenizer, shifted targets, another language or a corrupt validation set.
 *
 * ## Example
 * Vocabulary 50,257; perplexity 1.4e+09 from the first evaluation on while the training loss falls to 2.9.
 *
 * ## Stays silent
 * When the training loss itself diverged or is out of all proportion (that is an optimizer's failure), and in the first evaluation of a model from scratch.
 */
import { finiteValues } from '../../features/curve.js';
import { median } from '../../features/robust.js';
import type { RunView } from '../../features/view.js';
import { figure } from '../../record/figures.js';
import { defineDetector } from '../define.js';
import { citePoint } from '../shared/cite.js';
import { divergenceOf, learningRateExcess } from '../shared/divergence.js';
import {
  beyondOutputs,
  learningOf,
  outputsOutOfScale,
  validationWorseThanGuessing,
} from '../shared/learning.js';
import { nonFiniteOf } from '../shared/nonfinite.js';

export const catastrophicPerplexity = defineDetector({
  id: 'data/catastrophic-perplexity',
  subcause: 'catastrophic_perplexity',
  role: 'root',
  signal: 'data',
  needs: ['eval', 'settings'],
  detect: (_record, _features, { view }) => {
    // Several times the highest usual rate throws any model above guessing.
    if ((learningRateExcess(view)?.factor ?? 0) > 3) return [];
    if (
      outputsOutOfScale(view) ||
      divergenceOf(view) ||
      nonFiniteOf(view) ||
      (learningOf(view)?.movement.end ?? 0) < 0
    )
      return [];
    for (const split of ['eval', 'train'] as const) {
      const found = logPerplexity(view, split);
      if (!found) continue;
      const { curve, logs } = found;
      const last = median(logs.slice(-3));
      const guessing = Math.log(
        view.task.outcomes !== null && view.task.outcomes >= 2 ? view.task.outcomes : 60_000,
      );
      // A small vocabulary, or weights that were trained before: a whole run above guessing needs no margin for a bad beginning.
      const certain = logs.length >= 10 && usualRate(view);
      const above = certain ? Math.min(...logs.slice(0, -1)) > guessing + 0.7 : last >= guessing + 1.5;
      if (!above || logs.length < 3 || last > beyondOutputs) continue;
      return [
        {
          strength: last > guessing + 3 ? 0.9 : 0.75,
          onset: curve.steps[curve.finite[0]!]!,
          evidence: [
            citePoint(
              curve,
              curve.finite.at(-1)!,
              `perplexity ${figure(Math.exp(last))}, where guessing among all words gives ${figure(Math.exp(guessing))}`,
            ),
          ],
        },
      ];
    }
    return splitApart(view);
  },
});

/** A learning rate that is too high also throws a model above guessing. */
function usualRate(view: RunView): boolean {
  const excess = learningRateExcess(view);
  return excess === null || excess.factor < 0.9;
}

function logPerplexity(view: RunView, split: 'train' | 'eval') {
  const curve = view.curve('perplexity', split);
  if (curve && curve.finite.length > 0)
    return { curve, logs: finiteValues(curve).map((value) => Math.log(Math.max(value, 1e-9))) };
  const loss = view.task.loss === 'language_model' ? view.curve('loss', split) : null;
  return loss && loss.finite.length > 0 ? { curve: loss, logs: finiteValues(loss) } : null;
}

/** Training reached a good perplexity while validation's never came near it, from the beginning. */
function splitApart(view: RunView) {
  const evaluated = logPerplexity(view, 'eval');
  const trained = logPerplexity(view, 'train');
  if (!evaluated || !trained || evaluated.logs.length < 3 || trained.logs.length < 5) return [];
  const best = Math.min(...evaluated.logs);
  const end = median(trained.logs.slice(-3));
  const start = trained.logs[0]!;
  if (!validationWorseThanGuessing(view) && (best < start + 0.7 || best - end < 3 || start - end < 0.3))
    return [];
  return [
    {
      strength: 0.8,
      onset: evaluated.curve.steps[evaluated.curve.finite[0]!]!,
      evidence: [
        citePoint(
          evaluated.curve,
          evaluated.curve.finite.at(-1)!,
          `validation perplexity never below ${figure(Math.exp(best))} while training reached ${figure(Math.exp(end))}`,
        ),
      ],
    },
  ];
}
