/**
 * # The learning rate is too high
 *
 * ## What
 * The loss diverged, became NaN after growing, or jumped up at once and never came down, under a learning rate above what
 * the optimizer family usually bears.
 *
 * ## Why
 * Each step overshoots the minimum by more than it was away.
 *
 * ## Example
 * AdamW at 0.5: loss 2.3, 48, 910, NaN.
 *
 * ## Stays silent
 * When the rate is usual for the optimizer and the gradients, not the steps, grew first; for spikes that heal.
 */

import { peakLearningRate } from '../../features/configuration.js';
import { finiteValues } from '../../features/curve.js';
import type { FeatureVector } from '../../features/extract.js';
import { median, monotonicity } from '../../features/robust.js';
import { numberSetting } from '../../features/task.js';
import type { RunView } from '../../features/view.js';
import { heldOutStanding } from '../../health/standing.js';
import { figure } from '../../record/figures.js';
import { defineDetector, type Observation, type RunEvidence } from '../define.js';
import { citePoint } from '../shared/cite.js';
import { citeRate, divergenceOf, learningRateExcess, scheduleChangeBefore } from '../shared/divergence.js';
import { chanceAccuracy, learningOf, ranLongEnough, validationStandsStill } from '../shared/learning.js';
import { nonFiniteOf } from '../shared/nonfinite.js';

export const learningRateTooHigh = defineDetector({
  id: 'optimization/learning-rate-too-high',
  subcause: 'learning_rate_too_high',
  role: 'root',
  signal: 'curve',
  needs: ['loss', 'learning_rate'],
  detect: (_record, features, { view }) => {
    const excess = learningRateExcess(view);
    const rate = excess && excess.factor > 0.9 ? citeRate(view, excess.rate) : [];
    const broken = nonFiniteOf(view);
    if (broken && broken.scores.growth >= 0.5) {
      const changed = scheduleChangeBefore(view, broken.step) !== null;
      const strength = changed
        ? 0.8
        : rate.length > 0
          ? Math.max(0.93, broken.scores.growth)
          : 0.8 * broken.scores.growth;
      return [
        {
          strength,
          onset: broken.step,
          evidence: [...broken.evidence, ...broken.reasons.growth, ...rate],
          // A known rate far below what is usual is not too high, whatever grew.
          ...(excess !== null && excess.factor < 0.05 ? { subcause: 'divergence' as const } : {}),
        },
      ];
    }
    const diverged = divergenceOf(view);
    if (diverged) {
      const early = diverged.index <= Math.max(3, 0.15 * diverged.curve.length);
      const changed = scheduleChangeBefore(view, diverged.step) !== null;
      const strength = changed ? 0.7 : rate.length > 0 ? 0.93 : early ? 0.74 : 0.55;
      return [{ strength, onset: diverged.step, evidence: [...diverged.evidence, ...rate] }];
    }
    const absurd = rate.length > 0 ? beyondAllClasses(view, rate) : [];
    if (absurd.length > 0) return absurd;
    const beyond = excess ? beyondUse(view, excess.factor, rate) : [];
    if (beyond.length > 0) return beyond;
    if (heldOutStanding(view)?.kind === 'beats') return [];
    // Weights that no step moves were not thrown by one.
    if (validationStandsStill(view)) return [];
    const stuck = rate.length > 0 ? stuckHigh(view, excess!.factor, rate) : [];
    if (stuck.length > 0) return stuck;
    const thrown = thrownAtOnce(view, rate);
    if (thrown.length > 0) return thrown;
    const spoiled = thrownForGood(view);
    if (spoiled.length > 0) return spoiled;
    const back = fellBackToGuessing(view, features, excess?.factor ?? null, rate);
    return back.length > 0 ? back : certainAndWrong(view, rate);
  },
});

/**
 * The loss began far above the level of guessing, came down to it and stays there: the first steps threw the weights away, and
 * what followed only forgot. Without a recorded rate this takes a first loss that is out of all proportion.
 */
function fellBackToGuessing(
  view: RunView,
  features: FeatureVector,
  factor: number | null,
  rate: readonly RunEvidence[],
): Observation[] {
  const learning = learningOf(view);
  if (!learning || learning.movement.count < 6) return [];
  const values = finiteValues(learning.curve);
  // No weights that anybody draws lose a million times what they lose later.
  const immense = Math.max(values[0]!, values[1]!) > 1e6 * Math.abs(median(values.slice(-3)));
  if (!immense && (learning.movement.count < 8 || !ranLongEnough(view))) return [];
  const settled = values.slice(Math.floor(values.length / 3));
  const end = median(settled.slice(-Math.max(3, Math.floor(settled.length / 2))));
  // Held-out data may guess after training has learned all by heart: its score stands for training's only where that has none.
  const chance = chanceAccuracy(view, view.curve('accuracy', 'train') ? 'train' : 'eval');
  const outcomes = view.task.outcomes ?? chance?.outcomes ?? null;
  const guessing = outcomes === null || outcomes < 2 ? null : Math.log(outcomes);
  const atGuessing = chance !== null || (guessing !== null && end > 0.95 * guessing);
  const first = Math.max(values[0]!, values[1]!);
  const thrown = first > 10 * end || (guessing !== null && first > 1.3 * guessing && first > 1.2 * end);
  const wild = guessing !== null && end > 1.5 * guessing;
  const high = factor !== null && factor > 2;
  // Falling tenfold is learning, where nothing says that the beginning was out of proportion.
  const outOfProportion =
    guessing === null
      ? first > 1e4 * end || Math.max(...values.slice(0, Math.ceil(values.length / 4))) > 2 * values[0]!
      : first > 2 * guessing;
  const absurd = factor !== null && factor > 5 && first > 10 * end && outOfProportion && !stillFalls(settled);
  const unrecorded = factor === null && first > 10 * end;
  // Twenty times what its optimizer takes, and standing still well above nothing: whatever it found, it cannot settle.
  const beyondUse =
    factor !== null &&
    factor > 20 &&
    view.task.optimizer !== 'unknown' &&
    end > 0.25 * first &&
    !stillFalls(settled) &&
    (features.get('accuracy_level') ?? 0) < 0.6;
  if (!absurd && !beyondUse && !(atGuessing && (immense || ((thrown || wild) && (high || unrecorded)))))
    return [];
  return [
    {
      strength: high ? 0.88 : 0.72,
      onset: learning.curve.steps[learning.curve.finite[0]!]!,
      evidence: [
        citePoint(
          learning.curve,
          learning.curve.finite[0]!,
          `${learning.curve.name} began at ${figure(first)} and settled at ${figure(end)}, ${atGuessing ? 'no better than guessing' : 'where it stays'}${guessing === null ? '' : ` (${figure(guessing)})`}`,
        ),
        ...rate,
      ],
    },
  ];
}

/** A rate many times what its optimizer bears, momentum included, and nothing gained since the first steps: a few lines are enough. */
function beyondUse(view: RunView, factor: number, rate: readonly RunEvidence[]): Observation[] {
  const curve = view.curve('loss');
  const values = curve ? finiteValues(curve) : [];
  if (!curve || values.length < 2 || view.task.loss === 'reinforcement') return [];
  const [first, ...rest] = values;
  const thrown =
    Math.max(...values) > 50 * Math.abs(first!) ||
    (first! > 20 * Math.abs(median(rest)) && (peakLearningRate(view) ?? 0) > 5);
  // Plain steps may bear rates of ten and more, and an optimizer that is only presumed may be one that does, unless the loss shows otherwise.
  const stated = view.task.optimizerStated;
  const momentum = numberSetting(view.record, 'momentum') ?? 0;
  const bearsLess = view.task.optimizer === 'adaptive' || view.task.optimizer === 'sign' || momentum > 0.99;
  if (factor < (thrown || (stated && bearsLess) ? 5 : bearsLess ? 20 : 30)) return [];
  if (heldOutStanding(view)?.kind === 'beats' && !lostAgain(view)) return [];
  const early = median(rest.length > 3 ? rest.slice(0, Math.ceil(rest.length / 4)) : [first!]);
  const end = median(values.slice(-Math.min(3, Math.ceil(values.length / 3))));
  if (end < 0.5 * early && factor < 100) return [];
  return [
    {
      strength: 0.72,
      onset: curve.steps[curve.finite[0]!]!,
      evidence: [
        ...rate,
        citePoint(curve, curve.finite.at(-1)!, `${curve.name} ended at ${figure(values.at(-1)!)}`),
      ],
    },
  ];
}

/** Held-out data ends at several times its least loss. */
function lostAgain(view: RunView): boolean {
  const curve = view.curve('loss', 'eval');
  const values = curve ? finiteValues(curve) : [];
  return values.length >= 4 && median(values.slice(-3)) > 3 * Math.min(...values);
}

/** The first steps threw the loss up a thousandfold; it came back to about where it was, and stands there. */
function thrownAtOnce(view: RunView, rate: readonly RunEvidence[]): Observation[] {
  const learning = learningOf(view);
  const values = learning ? finiteValues(learning.curve) : [];
  if (!learning || values.length < 20 || values[0]! <= 0) return [];
  const early = Math.max(...values.slice(1, 6));
  const settled = values.slice(Math.floor(values.length / 3));
  if (early < 1000 * values[0]! || stillFalls(settled) || median(settled) < 0.3 * values[0]!) return [];
  return [
    {
      strength: rate.length > 0 ? 0.85 : 0.7,
      onset: learning.curve.steps[learning.curve.finite[values.indexOf(early)]!]!,
      evidence: [
        citePoint(
          learning.curve,
          learning.curve.finite[values.indexOf(early)]!,
          `${learning.curve.name} went from ${figure(values[0]!)} up to ${figure(early)} at once, and stands at ${figure(median(settled))}`,
        ),
        ...rate,
      ],
    },
  ];
}

/** The loss was thrown to a hundred times its first value, and held-out data has not been as good as before again. */
function thrownForGood(view: RunView): Observation[] {
  const curve = view.curve('loss');
  const held = view.curve('loss', 'eval');
  const values = curve ? finiteValues(curve) : [];
  const evaluated = held ? finiteValues(held) : [];
  if (!curve || !held || values.length < 4 || evaluated.length < 4 || values[0]! <= 0) return [];
  const peak = Math.max(...values);
  const at = curve.finite[values.indexOf(peak)]!;
  const later = held.finite.filter((index) => held.steps[index]! > curve.steps[at]!);
  const worse = later.length >= 2 && later.every((index) => held.values[index]! > evaluated[0]!);
  if (peak < 100 * values[0]! || !worse) return [];
  return [
    {
      strength: 0.7,
      onset: curve.steps[at]!,
      evidence: [
        citePoint(curve, at, `${curve.name} was thrown from ${figure(values[0]!)} up to ${figure(peak)}`),
        citePoint(
          held,
          held.finite.at(-1)!,
          `${held.name} ${figure(evaluated.at(-1)!)}, never again as good as at first (${figure(evaluated[0]!)})`,
        ),
      ],
    },
  ];
}

/**
 * Right as often as guessing, and losing several times what guessing loses: the answers are certain and wrong. The first epoch still
 * differs from the others, so steps were taken, and they led here.
 */
function certainAndWrong(view: RunView, rate: readonly RunEvidence[]): Observation[] {
  const curve = view.curve('loss', 'train');
  const score = view.curve('accuracy', 'train');
  const values = curve ? finiteValues(curve) : [];
  const scores = score ? finiteValues(score) : [];
  // Of words, one is guessed far more often than one in so many; and whose score rises learns.
  const learns = monotonicity(scores) > 0.5 && scores.at(-1)! > 1.2 * scores[0]!;
  if (!curve || !score || values.length < 5 || scores.length < 5 || learns) return [];
  if (view.curve('perplexity', 'train')) return [];
  const level = median(scores.slice(1));
  // A score of zero does not tell among how many it guesses: the loss of faces or words may well begin there.
  if (view.task.outcomes === null && level < 0.001) return [];
  const outcomes = view.task.outcomes ?? Math.round(1 / level);
  const end = median(values.slice(-3));
  const guessing = Math.log(Math.max(outcomes, 2));
  const moved = Math.abs(values[0]! - end) > 1e-3 * end;
  if (Math.max(...scores) > 1.6 / outcomes || end < 3 * guessing || end < 0.9 * values[0]! || !moved)
    return [];
  return [
    {
      strength: 0.7,
      onset: curve.steps[curve.finite[0]!]!,
      evidence: [
        citePoint(
          curve,
          curve.finite.at(-1)!,
          `${curve.name} stands at ${figure(end)}, where guessing among ${outcomes} classes loses ${figure(guessing)}, and ${score.name} at ${figure(level)}`,
        ),
        ...rate,
      ],
    },
  ];
}

/** Hundreds of times what guessing among the classes loses, at any point: no weights that learn give that. */
function beyondAllClasses(view: RunView, rate: readonly RunEvidence[]): Observation[] {
  const curve = view.curve('loss');
  const { outcomes } = view.task;
  if (!curve || outcomes === null || outcomes < 2) return [];
  const index = curve.finite.find((at) => curve.values[at]! > 300 * Math.log(outcomes));
  if (index === undefined) return [];
  return [
    {
      strength: 0.85,
      onset: curve.steps[index]!,
      evidence: [
        citePoint(
          curve,
          index,
          `${curve.name} ${figure(curve.values[index]!)}, where guessing among ${outcomes} classes loses ${figure(Math.log(outcomes))}`,
        ),
        ...rate,
      ],
    },
  ];
}

function stillFalls(settled: readonly number[]): boolean {
  const half = Math.floor(settled.length / 2);
  return median(settled.slice(half)) < 0.8 * median(settled.slice(0, half));
}

/** Thrown far off in the first steps, then no better than at the start: common with adaptive optimizers. */
function stuckHigh(view: RunView, factor: number, rate: readonly RunEvidence[]): Observation[] {
  const learning = learningOf(view);
  if (!learning || learning.movement.count < 8) return [];
  const values = finiteValues(learning.curve);
  const start = values[0]!;
  const early = Math.max(...values.slice(1, Math.max(3, Math.floor(values.length / 4))));
  const end = median(values.slice(-Math.max(3, Math.floor(values.length / 5))));
  const stuck =
    end >= start - Math.max(0.03 * Math.abs(start), 2 * learning.movement.noise) && end >= 0.9 * start;
  if (!stuck) return [];
  // Where single batches are as bad all along, and most are as they were, none was thrown.
  const later = values.slice(Math.floor(values.length / 2));
  const thrown = early > 1.5 * start && (early > 1.2 * Math.max(...later) || median(later) > 1.2 * start);
  // A loss that never left its noise was not thrown: only a rate far beyond the usual explains it, and only of a known optimizer.
  if (!thrown && (factor < 3 || !view.task.optimizerStated)) return [];
  const at =
    learning.curve.finite.find((index) => learning.curve.values[index] === early) ??
    learning.curve.finite[0]!;
  return [
    {
      strength: thrown ? 0.88 : 0.78,
      onset: learning.curve.steps[at]!,
      evidence: [
        citePoint(
          learning.curve,
          at,
          `${learning.curve.name} went from ${figure(start)} up to ${figure(early)} and ended at ${figure(end)}`,
        ),
        ...rate,
      ],
    },
  ];
}
