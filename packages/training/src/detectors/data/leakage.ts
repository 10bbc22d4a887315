/**
 * # The answers are in the questions
 *
 * ## What
 * A language model guesses held-out words all but perfectly; or held-out data scores as high as training, and the log tells that data
 * which came later scores far below both.
 *
 * ## Why
 * The target is among the inputs (a shift that was forgotten, a mask that is missing, a column made of the label), or the rows that are
 * evaluated were trained on. The same model will fail on data that comes later.
 *
 * ## Example
 * Validation loss 0.003 per token: a perplexity of 1.00, which no text has. Validation AUC 0.999, in production 0.61.
 *
 * ## Stays silent
 * For perfect scores that an easy task may reach as well: such a run is undecided, not healthy.
 */
import { finiteValues } from '../../features/curve.js';
import { median } from '../../features/robust.js';
import type { RunView } from '../../features/view.js';
import { figure } from '../../record/figures.js';
import { defineDetector, type Observation } from '../define.js';
import { citeLine, citePoint } from '../shared/cite.js';
import { findLine } from '../shared/match.js';

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
    const later = failsLater(view);
    if (later) return [later];
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

/** `In production last month: auc 0.61`, `leaderboard score 0.58`: what the model got where nobody had the answers. */
const later =
  /\b(?:in production|production|leaderboard|LB|live traffic|after deployment|deployed|out[- ]of[- ]time|real[- ]world)\b[^\n]{0,60}?\b(?:auc|auroc|acc(?:uracy)?|f1|score)\b\W{0,4}(0?\.\d+)/i;
/** Held-out data as good as this, and so much better than what came later, was not new to the model. */
const nearlyPerfect = 0.95;
const muchWorse = 0.2;

/** Held-out data scores nearly perfectly and as training does, so nothing was learned by heart; and later data scores far below. */
function failsLater(view: RunView): Observation | null {
  const line = findLine(view, later);
  if (!line) return null;
  const reached = Number(later.exec(line.text)?.[1]);
  for (const metric of ['auc', 'accuracy', 'f1'] as const) {
    const [held, trained] = [view.curve(metric, 'eval'), view.curve(metric, 'train')];
    if (!held || held.finite.length === 0) continue;
    const level = finiteValues(held).at(-1)!;
    const known = trained ? (finiteValues(trained).at(-1) ?? level) : level;
    if (level < nearlyPerfect || level < known - 0.02 || reached > level - muchWorse) continue;
    return {
      strength: 0.76,
      onset: held.steps[held.finite[0]!]!,
      evidence: [
        citePoint(held, held.finite.at(-1)!, `${held.name} is ${figure(level)} on held-out data`),
        citeLine(line),
      ],
    };
  }
  return null;
}
