/**
 * # The answers are in the questions
 *
 * ## What
 * A language model predicts held-out words almost perfectly; or training and evaluation read the same file, or score the same in every digit; or the log
 * counts many rows in both; or validation scores as high as training, and a separate test set scores far below both.
 *
 * ## Why
 * The target is among the inputs (a shift that was forgotten, a mask that is missing, a column made of the label), or the rows that are
 * evaluated were trained on. The same model will fail on data that comes later.
 *
 * ## Example
 * Validation loss 0.003 per token: a perplexity of 1.00, which no text has. `train_file: all.csv` and `validation_file: all.csv`.
 *
 * ## Stays silent
 * For perfect scores that an easy task may reach as well, and where held-out data is known as well as training after many passes: such a run
 * is undecided, not healthy. Where something says how one file is divided.
 */
import { finiteValues } from '../../features/curve.js';
import { median } from '../../features/robust.js';
import type { RunView } from '../../features/view.js';
import { oneSource, sameRows, toldOverlap } from '../../health/known-rows.js';
import { figure } from '../../record/figures.js';
import { defineDetector, type Observation } from '../define.js';
import { citePoint } from '../shared/cite.js';
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
    const told = knownRows(view) ?? worseElsewhere(view);
    if (told) return [told];
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
        // Of a model whose words nobody counted it is only presumed that it guesses words; what an encoder was given may settle each of them.
        strength:
          (view.task.outcomes === null && !view.curve('perplexity', 'eval')) || translates(view) ? 0.56 : 0.8,
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

/** The log names an encoder beside a decoder. */
function translates(view: RunView): boolean {
  return [/encoder/i, /decoder/i].every((part) => findLine(view, part));
}

/** Held-out data as good as this, and another part so much worse, was not new to the model. */
const nearlyPerfect = 0.95;
const muchWorse = 0.2;
/** Nothing was learned by heart that was not also known of held-out rows. */
const aboutAsMuch = 0.05;

/** Validation scores nearly perfectly and as training does, so nothing was learned by heart; and a test that is not the validation scores far below both. */
function worseElsewhere(view: RunView): Observation | null {
  for (const metric of ['auc', 'accuracy', 'f1', 'explained_variance'] as const) {
    const [held, other, trained] = [
      view.curve(metric, 'eval'),
      view.curve(metric, 'test'),
      view.curve(metric, 'train'),
    ];
    if (!held?.finite.length || !other?.finite.length || held.series === other.series) continue;
    const [level, reached] = [finiteValues(held).at(-1)!, finiteValues(other).at(-1)!];
    const known = trained ? (finiteValues(trained).at(-1) ?? level) : level;
    if (level < nearlyPerfect || level < known - aboutAsMuch || reached > level - muchWorse) continue;
    return {
      strength: 0.76,
      onset: held.steps[held.finite[0]!]!,
      evidence: [
        citePoint(held, held.finite.at(-1)!, `${held.name} is ${figure(level)}`),
        citePoint(other, other.finite.at(-1)!, `${other.name} is ${figure(reached)}`),
      ],
    };
  }
  return null;
}

/** So large a part of the held-out rows, and their score is of what was learned by heart. */
const manyRows = 0.1;

/** The run itself tells that the rows that it is evaluated on were trained on. */
function knownRows(view: RunView): Observation | null {
  const source = oneSource(view) ?? sameRows(view);
  if (source) return { strength: 0.78, onset: null, evidence: source };
  const overlap = toldOverlap(view);
  return overlap && (overlap.share ?? 0) >= manyRows
    ? { strength: 0.76, onset: null, evidence: overlap.evidence }
    : null;
}
