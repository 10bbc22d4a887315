// Healthy needs proof: held-out data does better than a constant answer would, ends near its best, and nothing contradicts it. Whatever a
// run does not record leaves it undecided, with what to record; it is never counted as fine.
import type { RunEvidence } from '../detectors/define.js';
import type { Examination } from '../detectors/examination.js';
import { becameCertain } from '../detectors/shared/certainty.js';
import { citePoint, citeWhere } from '../detectors/shared/cite.js';
import { divergenceOf } from '../detectors/shared/divergence.js';
import { evaluationStopped, learningOf } from '../detectors/shared/learning.js';
import { wasHandled } from '../detectors/shared/match.js';
import { nonFiniteOf } from '../detectors/shared/nonfinite.js';
import { type Curve, finiteValues, movementOf, smoothingWidth } from '../features/curve.js';
import { median, noise, trailingMedian } from '../features/robust.js';
import { numberSetting } from '../features/task.js';
import type { RunView } from '../features/view.js';
import { figure } from '../record/figures.js';
import { knownAsWell, oneSource, toldOverlap } from './known-rows.js';
import { findsNothing, scoreOf } from './score.js';
import { heldOutStanding, type Standing, standingOf } from './standing.js';
import { tooGood } from './too-good.js';

/** Why a run without symptoms is not called healthy. */
export type Lack =
  /** It did not end by itself, or nothing says that it reached its end. */
  | 'end'
  /** Nothing was measured on data that training did not see. */
  | 'held_out'
  /** Something was, and the record does not say what a constant answer would get. */
  | 'baseline'
  /** Held-out data does no better than a constant answer. */
  | 'no_skill'
  /** One or two evaluations of a run that does not say that it ended, or one point of each course, do not show whether it settles. */
  | 'few'
  /** It was trained at a rate that its optimizer hardly bears: what it found may be little of what there is. */
  | 'rate'
  /** Every evaluation is the same to the last digit: nothing was learned between them. */
  | 'standstill'
  /** Training scores far above held-out data, or no better than a constant answer itself. */
  | 'gap'
  /** A score of what is found is zero at the end, beside others that are good. */
  | 'finds_nothing'
  /** Held-out data ends clearly worse than its best. */
  | 'past_best'
  /** Held-out data does better than a constant answer, but far from well: something may hold the run back. */
  | 'modest'
  /** Held-out data is as good as if the answers had been in the questions. */
  | 'too_good'
  /** The run shows a reason to think that the rows that were evaluated had been trained on. */
  | 'known_rows'
  /** Losses of two players, or of a policy, do not say whether they are good at it. */
  | 'no_score';

export interface Health {
  /** How certain it is that nothing is wrong. */
  readonly confidence: number;
  readonly evidence: readonly RunEvidence[];
}

export type HealthOrLack = { readonly health: Health } | { readonly lack: Lack };

/** What speaks for a healthy run; null when it is not proven. */
export function healthOf(examination: Examination): Health | null {
  const found = provenHealth(examination);
  return 'health' in found ? found.health : null;
}

export function provenHealth(examination: Examination): HealthOrLack {
  const { view, features } = examination;
  if (!endedWell(examination)) return { lack: 'end' };
  const progress = features.get('progress') ?? null;
  const done = view.ending.kind === 'completed';
  if (!done && ((progress !== null && progress < 0.95) || epochsMissing(view))) return { lack: 'end' };
  const evidence: RunEvidence[] = done
    ? [citeWhere(`the run completed: ${view.ending.fact}`, view.ending.at)]
    : [];
  const sure = done || progress !== null ? 0.9 : 0.75;
  const proven = (facts: readonly RunEvidence[]): HealthOrLack => ({
    health: { confidence: sure, evidence: [...facts, ...evidence] },
  });
  if (view.task.loss === 'reinforcement') {
    const reward = rewardRose(view);
    return reward ? proven([reward]) : { lack: 'no_score' };
  }
  const standing = heldOutStanding(view);
  if (!standing) return { lack: 'held_out' };
  if (standing.kind !== 'beats') return { lack: standing.kind === 'constant' ? 'no_skill' : 'baseline' };
  const points = [standing.curve, view.curve('loss')].map((curve) => curve?.finite.length ?? 0);
  if (done ? Math.max(...points) < 2 : points[0]! < 3) return { lack: 'few' };
  if ((features.get('learning_rate_position') ?? 0) > beyondUse) return { lack: 'rate' };
  if (evaluationStopped(view)) return { lack: 'standstill' };
  if (contradicts(view, standing)) return { lack: 'gap' };
  if (findsNothing(view)) return { lack: 'finds_nothing' };
  if (isPastBest(view, standing)) return { lack: 'past_best' };
  if (isModest(view, standing)) return { lack: 'modest' };
  if (tooGood(view, standing)) return { lack: 'too_good' };
  if (oneSource(view) || toldOverlap(view) || knownAsWell(view, standing.split))
    return { lack: 'known_rows' };
  const learning = learningOf(view);
  return proven([
    citePoint(standing.curve, standing.index, standing.fact),
    ...(learning
      ? [
          citePoint(
            learning.curve,
            learning.curve.finite.at(-1)!,
            `${learning.curve.name} went from ${figure(learning.movement.start)} to ${figure(learning.movement.end)}`,
          ),
        ]
      : []),
  ]);
}

/** It ended by itself or simply stopped writing; errors on the way were handled, and the loss is finite and did not leave. */
function endedWell({ view, record }: Examination): boolean {
  const { kind } = view.ending;
  if (kind !== 'completed' && kind !== 'unknown') return false;
  if (kind === 'unknown' && view.failures.some((failure) => !wasHandled(view, failure))) return false;
  if (kind === 'unknown' && record.exits.some(({ reason }) => reason === 'running')) return false;
  return !nonFiniteOf(view) && !divergenceOf(view);
}

/** The settings ask for more epochs than were logged, and nothing speaks of stopping early. */
function epochsMissing(view: RunView): boolean {
  const planned = numberSetting(view.record, 'epochs');
  const logged = view.curve('epoch');
  if (planned === null || !logged || logged.finite.length === 0) return false;
  const last = Math.max(...finiteValues(logged)) + 1;
  const mayStop =
    view.record.settings.some(({ key }) => /early|patience/i.test(key)) ||
    view.lines.some(({ text }) => /early.?stop|patience/i.test(text));
  return planned > 1 && last < 0.9 * planned && !mayStop;
}

/** What training shows of itself does not go with what held-out data shows. */
function contradicts(view: RunView, { split }: Standing): boolean {
  const [trained, held] = [scoreOf(view, 'train'), scoreOf(view, split)];
  if (standingOf(view, 'train')?.kind === 'constant' || onlyTrainingGained(view, split)) return true;
  if (losesAsGuessing(view, split)) return true;
  if (!trained || !held || trained.kind !== held.kind) return false;
  return median(trained.values.slice(-3)) - median(held.values.slice(-3)) > 0.25;
}

/** Answers that are right, and lose no less than guessing among all outcomes: each is hardly more likely to the model than any other. */
function losesAsGuessing(view: RunView, split: Standing['split']): boolean {
  const curve = view.curve('loss', split);
  const { loss, outcomes } = view.task;
  if (!curve || outcomes === null || outcomes < 2 || loss === 'regression') return false;
  return median(finiteValues(curve).slice(-3)) > 0.97 * Math.log(outcomes);
}

/** Held-out data loses more at the end than at its first evaluation, while training fell by a good part. */
function onlyTrainingGained(view: RunView, split: Standing['split']): boolean {
  const curve = view.curve('loss', split);
  const losses = curve ? finiteValues(curve) : [];
  const movement = learningOf(view)?.movement;
  if (losses.length < 4 || !movement) return false;
  return median(losses.slice(-3)) >= losses[0]! && movement.end < 0.8 * movement.start;
}

/** The score, or without one the loss, ends far from the best it had: something was lost again. */
function isPastBest(view: RunView, { split }: Standing): boolean {
  const score = scoreOf(view, split);
  if (score && score.values.length >= 3) {
    const end = median(score.values.slice(-3));
    return end < Math.max(...score.values) - Math.max(0.1, 4 * (noise(score.values) || 0));
  }
  const curve = view.curve('loss', split);
  const movement = curve ? movementOf(curve) : null;
  if (!movement || movement.count < 4) return false;
  return movement.end > 1.3 * movement.best + 3 * movement.noise;
}

/** In the usual span of learning rates, whose upper end is 1: several times what anybody uses. */
const beyondUse = 1.25;

/** A score as good as this may stand still. */
const wellEnough = 0.75;

/** Among so many outcomes half of them right is good. */
const manyOutcomes = 20;

/** A hard task looks like that; so do units that are alike, weights that began wrong, or a part that is missing. */
function isModest(view: RunView, { split }: Standing): boolean {
  const score = scoreOf(view, split);
  const { outcomes } = view.task;
  const first = view.curve('loss', split)?.values[0] ?? 0;
  // No usual weights begin at several times the loss of guessing.
  if (outcomes !== null && outcomes >= 2 && first > 5 * Math.log(outcomes)) return true;
  if (!score) return false;
  const end = median(score.values.slice(-3));
  if (score.kind === 'explained') return end < 0.8;
  if (end < wellEnough && standsSinceHalf(score.values)) return true;
  // Half of the mistakes of guessing are left, which among two outcomes is a quarter of all answers.
  return end < ((outcomes ?? 0) >= manyOutcomes ? 0.4 : Math.max(0.6, 0.5 + 0.5 / (outcomes ?? 10)));
}

/** Of many evaluations the second half brought nothing: a score that is not good stays where it is for a reason that nobody recorded. */
function standsSinceHalf(scores: readonly number[]): boolean {
  const half = Math.floor(scores.length / 2);
  const gained = Math.max(...scores.slice(half)) - Math.max(...scores.slice(0, half));
  return scores.length >= 20 && gained < 0.01;
}

/** It always did the same from early on, and earns since then what it earned at once: it may have learned, or tried one thing and stayed there. */
function onlyLucky(view: RunView, reward: Curve): boolean {
  const certain = becameCertain(view);
  if (!certain?.early) return false;
  const since = finiteValues(reward).slice(
    reward.finite.findIndex((index) => reward.steps[index]! >= certain.step),
  );
  return median(since.slice(-5)) - median(since.slice(0, 5)) < 2 * noise(since);
}

/** The loss of a policy means little; what it earns says whether it learns. */
function rewardRose(view: RunView): RunEvidence | null {
  const curve = view.curve('reward');
  const movement = curve ? movementOf(curve) : null;
  if (!curve || !movement || movement.count < 5) return null;
  const scale = Math.max(Math.abs(movement.start), Math.abs(movement.end));
  const rise = movement.end - movement.start;
  // A little more than at first shows that something is learned, not that it goes well.
  if (rise <= Math.max(4 * movement.noise, 0.5 * scale) || onlyLucky(view, curve)) return null;
  // What had been earned once, and is not any more, was lost.
  const values = finiteValues(curve);
  const best = Math.max(...trailingMedian(values, smoothingWidth(values.length)));
  const late = median(values.slice(-Math.ceil(values.length / 5)));
  if (Math.min(late - movement.start, rise) < 0.8 * (best - movement.start)) return null;
  // Part of what is wanted was never earned.
  const unearned = view.record.series.some(
    ({ rawName, values }) => /^rewards?\//.test(rawName) && values.every((value) => value === 0),
  );
  if (unearned) return null;
  return citePoint(
    curve,
    curve.finite.at(-1)!,
    `${curve.name} rose from ${figure(movement.start)} to ${figure(movement.end)}`,
  );
}
