// Held-out data, or training where nothing is held out, does no better than one constant answer: the question that wrong labels, empty
// inputs, foreign evaluation and models that do not learn share. Whether training itself learned tells the two families apart.
import { type Curve, finiteValues } from '../../features/curve.js';
import { median } from '../../features/robust.js';
import type { RunView } from '../../features/view.js';
import { scoreOf } from '../../health/score.js';
import { heldOutStanding, type Standing, standingOf } from '../../health/standing.js';
import { biasAlone, gradientOfBias, oneAnswerToAll } from './bias-alone.js';
import { learningOf, ranLongEnough } from './learning.js';

export interface NoSkill {
  readonly standing: Standing;
  /** Training got well below where it began, or well above what held-out data gets. */
  readonly trainingLearned: boolean;
  /** Held-out loss at its first evaluation over where training began: far above 1 when evaluation is foreign to the model. */
  readonly firstOverStart: number | null;
}

export function noSkill(view: RunView): NoSkill | null {
  if (view.task.loss === 'reinforcement' || !longEnough(view)) return null;
  const held = heldOutStanding(view);
  const trained = standingOf(view, 'train');
  // Where the labels were counted, training tells as well as held-out data that only a constant answer was learned.
  const counted = view.curve('constant_loss') ?? view.curve('target_variance');
  const standing =
    held === null || (held.kind === 'unclear' && counted !== null && trained?.kind === 'constant')
      ? trained
      : held;
  if (standing?.kind !== 'constant') return null;
  const evaluated = view.curve('loss', 'eval');
  const losses = evaluated ? finiteValues(evaluated) : [];
  const learning = learningOf(view);
  const start = learning ? learning.curve.values[learning.curve.finite[0]!]! : null;
  return {
    standing,
    trainingLearned: held !== null && trainingLearned(view),
    firstOverStart: losses.length > 0 && start !== null && start > 0 ? losses[0]! / start : null,
  };
}

function longEnough(view: RunView): boolean {
  const evaluations =
    view.curve('loss', 'eval')?.finite.length ?? view.curve('accuracy', 'eval')?.finite.length ?? 0;
  return (
    ranLongEnough(view) ||
    (evaluations >= (view.ending.kind === 'completed' ? 3 : 4) && view.ending.kind !== 'failed')
  );
}

function trainingLearned(view: RunView): boolean {
  if (oneAnswerToAll(view)) return false;
  const trained = scoreOf(view, 'train');
  const held = scoreOf(view, 'eval');
  if (trained && held && trained.kind === held.kind && trained.values.length >= 3) {
    // Of single batches, three are few.
    const late = [3, Math.max(3, Math.floor(trained.values.length / 4))].map((count) =>
      median(trained.values.slice(-count)),
    );
    if (Math.min(...late) - median(held.values.slice(-3)) > 0.15) return true;
  }
  const learning = learningOf(view);
  if (!learning) return false;
  const evaluated = view.curve('loss', 'eval');
  const losses = evaluated ? finiteValues(evaluated) : [];
  const isFarBelow =
    losses.length > 0 &&
    median(finiteValues(learning.curve)) < 0.25 * losses.reduce((a, b) => Math.min(a, b));
  // It may have learned before its first point: all along it loses a small part of what held-out data loses.
  if (isFarBelow && learning.movement.count >= 10) return true;
  if (!learning.fell) return false;
  const { start, end } = learning.movement;
  const { outcomes } = view.task;
  if (outcomes !== null && outcomes >= 2 && end > 0.95 * Math.log(outcomes)) return false;
  const heldLoss = evaluated ? median(losses.slice(-3)) : null;
  return end < 0.75 * start && (heldLoss === null || end < 0.75 * heldLoss);
}

/**
 * Gradients flow and evaluations differ, so weights move; and neither training nor held-out data, which lose about the same, got better by it.
 */
export function stirsInVain(view: RunView): boolean {
  const losses = [view.curve('loss'), view.curve('loss', 'eval')].map((curve) =>
    curve ? finiteValues(curve) : [],
  );
  const [trained, held] = losses as [number[], number[]];
  if (!view.curve('grad_norm') || held.length < 4 || biasAlone(view) || gradientOfBias(view)) return false;
  if (heldOutStanding(view)?.kind === 'beats' || Math.min(...held) <= 0) return false;
  const [level, heldLevel] = [median(trained), median(held)];
  if (trainingStandsStill(view)) return false;
  const apart = Math.max(...held) / Math.min(...held);
  const better = median(held.slice(-2)) < 0.97 * median(held.slice(0, 2));
  return apart > 1.03 && !better && heldLevel > 0.8 * level && heldLevel < 1.5 * level;
}

/**
 * Neither the loss nor the gradient of training has left its first level by more than a few hundredths. Evaluations that differ prove
 * nothing then: statistics that a layer keeps move them too. Weights that do not move look so, and labels that belong to nothing do.
 */
export function trainingStandsStill(view: RunView): boolean {
  return [view.curve('loss'), view.curve('grad_norm')].every(
    (curve) => curve && isSteady(finiteValues(curve)),
  );
}

function isSteady(values: readonly number[]): boolean {
  return values.length >= 5 && Math.max(...values) - Math.min(...values) < 0.04 * Math.abs(median(values));
}

/**
 * Where evaluation gives every row one and the same answer: the score repeats itself to the last digit while its loss grows to several
 * times that of guessing. Labels that do not belong leave a score that wavers; a mode or statistics of its own leave this.
 */
export function answersAlike(view: RunView): Curve | null {
  const score = view.curve('accuracy', 'eval');
  const loss = view.curve('loss', 'eval');
  // The first evaluations may come before it is so.
  const scores = score
    ? finiteValues(score).slice(score.finite.length < 6 ? 1 : Math.floor(score.finite.length / 2))
    : [];
  const losses = loss ? finiteValues(loss) : [];
  if (!score || scores.length < 3 || losses.length < 3 || new Set(scores).size > 1) return null;
  const guessing = Math.log(view.task.outcomes ?? Math.max(2, Math.round(1 / Math.max(scores[0]!, 0.001))));
  if (losses.at(-1)! > 2 * guessing && losses.at(-1)! > 1.5 * losses[0]!) return score;
  // Training answers most rows, so what is held out is not hard: it is not asked in the same way.
  const trained = view.curve('accuracy', 'train');
  const reached = trained ? median(finiteValues(trained).slice(-5)) : 0;
  return reached > 0.6 && reached > scores.at(-1)! + 0.3 ? score : null;
}

/** The hooks counted the labels that were trained on, and one of them is nearly all. */
export function labelsAlike(view: RunView): { readonly curve: Curve; readonly share: number } | null {
  const curve = view.curve('majority_share');
  if (!curve || curve.finite.length < 3) return null;
  const share = finiteValues(curve).at(-1)!;
  return share >= 0.95 ? { curve, share } : null;
}
