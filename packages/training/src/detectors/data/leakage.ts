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
/** The share of words that are guessed rightly; some word of every text is free to be another. */
const aboveAnyText = 0.97;
/** Among so few outcomes a text may well be known. */
const few = 10;

export const leakage = defineDetector({
  id: 'data/leakage',
  subcause: 'leakage',
  role: 'root',
  signal: 'data',
  needs: ['eval'],
  detect: (_record, _features, { view }) => {
    if (view.task.loss !== 'language_model' || (view.task.outcomes ?? few) < few) return [];
    const [losses, scores] = [view.curve('loss', 'eval'), view.curve('accuracy', 'eval')];
    const lost = losses && losses.finite.length >= 2 ? median(finiteValues(losses).slice(-3)) : null;
    const right = scores && scores.finite.length >= 2 ? median(finiteValues(scores).slice(-3)) : null;
    const certain = lost !== null && lost >= 0 && lost < belowAnyText;
    const curve = certain ? losses! : right !== null && right > aboveAnyText ? scores! : null;
    if (!curve) return [];
    const reached = (value: number): boolean => (certain ? value < belowAnyText : value > aboveAnyText);
    return [
      {
        // Of a model whose words nobody counted it is only presumed that it guesses words.
        strength: view.task.outcomes === null && !view.curve('perplexity', 'eval') ? 0.56 : 0.8,
        onset: curve.steps[curve.finite.find((index) => reached(curve.values[index]!))!] ?? null,
        evidence: [
          citePoint(
            curve,
            curve.finite.at(-1)!,
            `${curve.name} ${figure((certain ? lost : right)!)}: held-out words are guessed with certainty, which no text allows`,
          ),
        ],
      },
    ];
  },
});
