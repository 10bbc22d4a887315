// Held-out data, or training where nothing is held out, does no better than one constant answer: the question that wrong labels, empty
// inputs, foreign evaluation and models that do not learn share. Whether training itself learned tells the two families apart.
import { type Curve, finiteValues, startsAtBeginning } from '../../features/curve.js';
import { chanceAbove, chanceOfRise, unlikely } from '../../features/few-points.js';
import { mean, median, standardError } from '../../features/robust.js';
import type { RunView } from '../../features/view.js';
import { scoreOf } from '../../health/score.js';
import { heldOutStanding, type Standing, standingOf } from '../../health/standing.js';
import { biasAlone, oneAnswerToAll, pullsOnBody } from './bias-alone.js';
import { learningOf, mayTune, ranLongEnough } from './learning.js';

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
    held === null ||
    (held.kind === 'unclear' && counted !== null && trained?.kind === 'constant' && !knowsMore(view))
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

/** Held-out data is right far more often than one answer to everything would be, be it at a single evaluation. */
function knowsMore(view: RunView): boolean {
  const [score, shares] = [scoreOf(view, 'eval'), view.curve('majority_share')];
  return (
    score?.kind === 'accuracy' && shares !== null && score.values.at(-1)! > finiteValues(shares).at(-1)! + 0.2
  );
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

/** How little may have been gained, and how far held-out data may lie from training, where nothing was learned. */
const inVain = { trained: 0.85, alone: 0.93, held: 0.93, best: 0.9, worse: 1.15, apart: [0.8, 1.5] } as const;

/** A gradient that grew so many times is added up, or runs away. */
const grown = 10;

/**
 * More than a bias is pulled at, and what is pulled at moves; yet from the first point to the last neither training nor held-out data, which
 * lose about the same, got better by it. Weights that nothing moves leave the same level and the same gradient all along.
 */
export function stirsInVain(view: RunView): boolean {
  const [loss, norms, evaluated] = [view.curve('loss'), view.curve('grad_norm'), view.curve('loss', 'eval')];
  if (!loss || !norms || norms.finite.length < 4 || loss.finite.length < 4 || mayTune(view)) return false;
  if (!pullsOnBody(view) || biasAlone(view) || trainingStandsStill(view)) return false;
  if (heldOutStanding(view)?.kind === 'beats' || standingOf(view, 'train')?.kind === 'beats') return false;
  if (scoreRises(view, 'train') || scoreRises(view, 'eval')) return false;
  const [trained, held, sizes] = [loss, evaluated, norms].map((curve) => (curve ? finiteValues(curve) : []));
  const start = median(trained!.slice(0, Math.min(3, Math.floor(trained!.length / 4))));
  const quarter = Math.max(2, Math.floor(trained!.length / 4));
  const level = median(trained!.slice(-quarter));
  if (start <= 0 || level < inVain.trained * start) return false;
  // What fell within the first point was learned, unless held-out data says that it was no more than a constant answer.
  if (level < inVain.trained * trained![0]! && heldOutStanding(view)?.kind !== 'constant') return false;
  if (level > inVain.worse * Math.max(start, median(trained!.slice(0, quarter)))) return false;
  // What was first logged later may have been learned before, unless it is what guessing among known classes loses.
  const { outcomes } = view.task;
  if (!startsAtBeginning(loss) && level < inVain.trained * Math.log(outcomes ?? Number.POSITIVE_INFINITY))
    return false;
  if (median(sizes!.slice(-quarter)) > grown * median(sizes!.slice(0, quarter))) return false;
  if (held!.length >= 2) {
    const last = median(held!.slice(-Math.ceil(held!.length / 3)));
    const [least, most] = inVain.apart;
    if (Math.min(...held!) < inVain.best * held![0]! || last < inVain.held * held![0]!) return false;
    if (last < least * level || last > most * level) return false;
  } else if (trained!.length < 20 || level < inVain.alone * start) return false;
  return drifts(sizes!) || drifts(trained!) || wanders(held!) || leaps(trained!);
}

/** After its first quarter, in which statistics that a layer keeps settle, held-out data differs by more than they make it. */
function wanders(held: readonly number[]): boolean {
  const later = held.slice(Math.ceil(held.length / 4));
  return later.length >= 2 && Math.max(...later) > 1.015 * Math.min(...later);
}

/** One half lies above the other, or all rise or fall, by more than noise puts them. */
function drifts(values: readonly number[]): boolean {
  const half = Math.floor(values.length / 2);
  const [first, last] = [values.slice(0, half), values.slice(-half)];
  const fallen = values.map((value) => -value);
  const chances = [
    chanceAbove(first, last),
    chanceAbove(last, first),
    chanceOfRise(values),
    chanceOfRise(fallen),
  ];
  return Math.min(...chances) < unlikely;
}

/** From its first values to its last a score gained what a hundred rows do not gain by luck. */
function scoreRises(view: RunView, split: 'train' | 'eval'): boolean {
  const values = scoreOf(view, split)?.values ?? [];
  return median(values.slice(-3)) - median(values.slice(0, 3)) > 0.15 && chanceOfRise(values) < unlikely;
}

/** The first value is none of those that follow. */
function leaps([first = 0, ...rest]: readonly number[]): boolean {
  return rest.length >= 8 && first - mean(rest) > 4 * standardError(rest) * Math.sqrt(rest.length);
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

/** The hooks counted the labels that were trained on, or the run says what it counted, and one of them is nearly all. */
export function labelsAlike(view: RunView): { readonly curve: Curve; readonly share: number } | null {
  const curve = view.curve('majority_share');
  if (!curve || (curve.finite.length < 3 && curve.series.reader !== 'console')) return null;
  const share = finiteValues(curve).at(-1)!;
  return share >= 0.95 ? { curve, share } : null;
}
