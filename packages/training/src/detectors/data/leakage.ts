/**
 * # The answers are in the questions
 *
 * ## What
 * A language model guesses held-out words all but perfectly; or every held-out answer is right almost at once.
 *
 * ## Why
 * The target is among the inputs (a shift that was forgotten, a mask that is missing, a column made of the label), or the rows that are
 * evaluated were trained on. The same model will fail on data that comes later.
 *
 * ## Example
 * Validation loss 0.003 per token: a perplexity of 1.00, which no text has.
 *
 * ## Stays silent
 * For perfect scores that an easy task may reach as well: such a run is undecided, not healthy.
 */
import { finiteValues } from '../../features/curve.js';
import { median } from '../../features/robust.js';
import { figure } from '../../record/figures.js';
import { defineDetector } from '../define.js';
import { citePoint } from '../shared/cite.js';

/** In nats per word; even a text repeated word by word costs more while a model is learning it. */
const belowAnyText = 0.1;

export const leakage = defineDetector({
  id: 'data/leakage',
  subcause: 'leakage',
  role: 'root',
  signal: 'data',
  needs: ['eval'],
  detect: (_record, _features, { view }) => {
    const curve = view.curve('loss', 'eval');
    if (view.task.loss !== 'language_model' || !curve || curve.finite.length < 2) return [];
    const level = median(finiteValues(curve).slice(-3));
    if (level < 0 || level > belowAnyText || (view.task.outcomes ?? 20) < 10) return [];
    return [
      {
        strength: 0.8,
        onset: curve.steps[curve.finite.find((index) => curve.values[index]! < belowAnyText)!] ?? null,
        evidence: [
          citePoint(
            curve,
            curve.finite.at(-1)!,
            `${curve.name} ${figure(level)}: held-out words are guessed with certainty, which no text allows`,
          ),
        ],
      },
    ];
  },
});
