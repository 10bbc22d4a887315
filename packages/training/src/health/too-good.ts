// Too good to be believed: held-out data is all but perfect almost at once. An easy task looks like that, and so does a target that leaked
// into the inputs or an evaluation on training rows; only a person can tell, so such a run is not called healthy.

import { finiteValues } from '../features/curve.js';
import { median } from '../features/robust.js';
import type { RunView } from '../features/view.js';
import { scoreOf } from './score.js';
import type { Standing } from './standing.js';

export function tooGood(view: RunView, { split }: Standing): boolean {
  const score = scoreOf(view, split);
  const curve = view.curve('loss', split);
  const losses = curve ? finiteValues(curve) : [];
  const loss = losses.length > 0 ? settled(losses) : null;
  if (view.task.loss === 'language_model' && loss !== null && loss < certainty(view)) return true;
  if (loss !== null && farBelowTraining(view, loss)) return true;
  const { outcomes } = view.task;
  if (!score) return loss !== null && outcomes !== null && outcomes >= 2 && loss < 0.005 * Math.log(outcomes);
  const end = settled(score.values);
  if (end >= (guessesWords(view) ? knownWords : 0.99)) return true;
  if (score.kind === 'explained') return false;
  return mistakesLeft(view, end) < fewMistakes || (end >= 0.97 && loss !== null && showsNoGap(view, loss));
}

/** Some words of every text are free to be others: nobody guesses so many of them, unless they stand in what is read. */
const knownWords = 0.85;

/** A classifier reads words too; only one that guesses among them begins at the loss of that. */
function guessesWords(view: RunView): boolean {
  const { loss, outcomes } = view.task;
  const first = view.curve('loss')?.values[0] ?? 0;
  return loss === 'language_model' && outcomes !== null && first > 0.5 * Math.log(outcomes);
}

/** So few of the mistakes of a constant answer are left where a task is easy, or its answers are known. */
const fewMistakes = 0.02;

function mistakesLeft(view: RunView, score: number): number {
  const shares = view.curve('majority_share');
  const counted = shares?.finite.length ? finiteValues(shares).at(-1)! : null;
  const { outcomes } = view.task;
  const constant = counted ?? (outcomes !== null && outcomes >= 2 ? 1 / outcomes : 0);
  return (1 - score) / Math.max(1e-6, 1 - constant);
}

/** Where a course of evaluations ended; of a few the last one, since the others belong to the way there. */
function settled(values: readonly number[]): number {
  return median(values.slice(values.length >= 4 ? -3 : -1));
}

/** What each word costs, in nats, where nearly all of them are known; no text is that plain, by much or by a seventh of guessing. */
function certainty(view: RunView): number {
  return Math.max(0.35, 0.15 * Math.log(view.task.outcomes ?? 1));
}

/** New rows are known a little worse than those that were trained on. Where they are not, nothing says that they are new. */
function showsNoGap(view: RunView, loss: number): boolean {
  const curve = view.curve('loss', 'train');
  const losses = curve ? finiteValues(curve) : [];
  return losses.length > 0 && loss < 1.1 * median(losses.slice(-Math.max(3, Math.floor(losses.length / 4))));
}

/**
 * Held-out data loses a small part of what training loses at the same time. Dropout makes training look worse, but seldom by so much: the
 * rows that are evaluated were trained on, or are easier than those that were.
 */
function farBelowTraining(view: RunView, loss: number): boolean {
  const curve = view.curve('loss', 'train');
  const losses = curve ? finiteValues(curve) : [];
  if (losses.length < 5 || loss < 0) return false;
  return loss < 0.3 * median(losses.slice(-Math.max(3, Math.floor(losses.length / 4))));
}
