// Whether a loss is below what one answer for every input would lose.
import { mayTune } from '../detectors/shared/learning.js';
import { type Curve, startsAtBeginning } from '../features/curve.js';
import { median } from '../features/robust.js';
import type { RunView } from '../features/view.js';
import { figure } from '../record/figures.js';
import { type Judged, late, recorded, type Split, startOf } from './judged.js';
import { onlyAnotherMeasure } from './other-measure.js';
import { scoreOf } from './score.js';

export function byLoss(view: RunView, split: Split, curve: Curve, losses: readonly number[]): Judged {
  const level = median(late(losses));
  const constant = recorded(view, 'constant_loss');
  const shown = `${curve.name} ${figure(level)}`;
  if (constant !== null && constant > 0)
    return level < 0.8 * constant
      ? ['beats', `${shown}; the best constant answer gets ${figure(constant)}`]
      : level > 0.97 * constant && losses.length >= 3
        ? ['constant', `${shown}; the best constant answer gets ${figure(constant)}`]
        : ['unclear', shown];
  const variance = recorded(view, 'target_variance');
  if (variance !== null && variance > 0 && view.task.loss !== 'language_model') {
    // The mean of the targets has their variance as squared error, and about 0.8 of its root as absolute error: both are asked.
    const errors = [variance, 0.8 * Math.sqrt(variance)];
    const fact = `${shown}; the variance of the targets is ${figure(variance)}`;
    if (level >= 0 && level < 0.5 * Math.min(...errors)) return ['beats', fact];
    if (level > 0.93 * Math.max(...errors) && losses.length >= 3) return ['constant', fact];
    return ['unclear', fact];
  }
  const start = startOf(view);
  const beyond = onlyAnotherMeasure(view, curve) ? null : worseThanUntrained(view, losses);
  if (split !== 'train' && beyond !== null && losses.length >= 2)
    return ['constant', `${shown}, worse than a model that has not learned yet (${figure(beyond)})`];
  if (view.task.loss === 'language_model') {
    // Weights that were trained before begin anywhere: far above guessing, where the words are others than they learned.
    const guessing =
      view.task.outcomes !== null ? Math.log(view.task.outcomes) : mayTune(view) ? null : start;
    if (guessing === null) return ['unclear', shown];
    if (level > 0 && level < 0.6 * guessing && (view.task.outcomes !== null || losses.length >= 4))
      return ['beats', `${shown}, far below the ${figure(guessing)} of guessing among all words`];
    return level > 0.97 * guessing && losses.length >= 3
      ? ['constant', `${shown}, about the ${figure(guessing)} of guessing among all words`]
      : ['unclear', shown];
  }
  if (
    start !== null &&
    !view.task.fineTuning &&
    (view.task.outcomes === null || start > 0.5 * Math.log(Math.max(2, view.task.outcomes))) &&
    neverImproved(losses) &&
    level > 0.85 * start &&
    losses.length >= 4
  )
    return ['constant', `${shown}, never better than at its first evaluation (${figure(losses[0]!)})`];
  const { outcomes } = view.task;
  if (outcomes === null || outcomes < 2) return ['unclear', shown];
  // Classes of unlike size are guessed at less than the logarithm of their number, but hardly at a fraction of it.
  const guessing = Math.log(outcomes);
  const plain = start === null || (start > 0.5 * guessing && start < 2 * guessing);
  return split !== 'train' && plain && level >= 0 && level < (outcomes === 2 ? 0.2 : 0.3) * guessing
    ? ['beats', `${shown}, far below the ${figure(guessing)} of guessing among ${outcomes} classes`]
    : ['unclear', shown];
}

/** The loss that training began with, or of guessing, when every evaluation is far above it. */
function worseThanUntrained(view: RunView, losses: readonly number[]): number | null {
  const trained = view.curve('loss');
  const first = trained && trained.finite.length > 0 ? trained.values[trained.finite[0]!]! : null;
  if (first === null || first <= 0 || !startsAtBeginning(trained!)) return null;
  // Training that began low had learned before: a run that was taken up, or weights that were trained.
  const classes = view.task.outcomes ?? (scoreOf(view, 'train')?.kind === 'accuracy' ? 2 : 1);
  const untrained = Math.max(first, Math.log(classes));
  return untrained > 0 && Math.min(...losses) > 2 * untrained ? untrained : null;
}

function neverImproved(losses: readonly number[]): boolean {
  const first = losses[0]!;
  return first > 0 && median(late(losses)) > 0.93 * first && Math.min(...losses) > 0.9 * first;
}
