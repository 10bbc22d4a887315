/**
 * # The model overfits
 *
 * ## What
 * The validation loss passed its best and lost a good part of what it had gained, while the training loss kept falling. While most of it is
 * kept and no score fell, it is said, but the run is not called worse for it. Nor is it for a rise of less than a seventh, unless a score fell with it. Four evaluations are enough where both trends are beyond what noise
 * gives so few points, and nothing is left of what validation had gained. A row is enough where training loses next to nothing, and validation tens of times as much.
 *
 * ## Why
 * More capacity or epochs than the data carries.
 *
 * ## Example
 * Validation 1.9, 1.5, 1.4, 1.6, 2.0, 2.5; training 1.8, 1.2, 0.8, 0.4, 0.2, 0.1. Of a single row: accuracy 0.99, validation 0.60; or training loss 0.05, validation 3.1.
 *
 * ## Stays silent
 * For losses of players and policies, for a run that stopped itself because it got no better, for a rise within validation's own noise, for a small rise at the end, while validation accuracy still improves, and when validation was
 * never as good as training at its start: it did not learn with it, so it did not forget.
 */

import { stopsItself } from '../../features/completion-marker.js';
import { finiteValues, movementOf, startsAtBeginning } from '../../features/curve.js';
import { chanceOfRise, unlikely } from '../../features/few-points.js';
import { median, monotonicity, noise, trailingMedian } from '../../features/robust.js';
import type { RunView } from '../../features/view.js';
import { leastEntropy } from '../../health/by-score.js';
import { countsOtherThings, onlyAnotherMeasure } from '../../health/other-measure.js';
import { scoreBeside, scoreOf } from '../../health/score.js';
import { figure } from '../../record/figures.js';
import { defineDetector, type Observation } from '../define.js';
import { citePoint } from '../shared/cite.js';
import { chanceAccuracy } from '../shared/learning.js';

/** Shares of the best validation loss: a rise below the first is none; one below the other is possible overfitting, and many a sound run ends with it. */
const rises = { least: 0.05, slight: 0.15 };

/** A score that fell so far says that something was lost, however slightly the loss rose. */
const scoreLost = 0.1;

/**
 * A score that was there at the first look and stayed, at a loss that one answer to everything would not exceed, or a share of the variance
 * that was never above that of the mean: there was nothing to lose either.
 */
function neverBeyondConstant(view: RunView, best: number): boolean {
  const explained = view.curve('explained_variance', 'eval');
  if (explained && explained.finite.length >= 3 && Math.max(...finiteValues(explained)) <= 0) return true;
  const score = view.curve('accuracy', 'eval');
  const values = score ? finiteValues(score) : [];
  const level = values.length >= 4 ? median(values) : 0;
  return level > 0.5 && Math.max(...values) - Math.min(...values) < 0.02 && best > 0.97 * leastEntropy(level);
}

export const overfit = defineDetector({
  id: 'optimization/overfit',
  subcause: 'overfit',
  role: 'root',
  signal: 'curve',
  needs: ['eval', 'loss'],
  detect: (_record, _features, { view }) => {
    // The losses of players and policies are not meant to fall, held out or not.
    if (view.task.loss === 'reinforcement') return [];
    const found = [...heldApart(view), ...lossTurned(view)];
    return found.length > 0 ? found.slice(0, 1) : lossApart(view);
  },
});

function lossTurned(view: RunView): Observation[] {
  const evaluated = view.curve('loss', 'eval');
  const trained = view.curve('loss');
  if (!evaluated || !trained || trained === evaluated)
    return [...scoreTurned(view), ...sureOfWrong(view)].slice(0, 1);
  if (evaluated.finite.length < 3) return [];
  if (countsOtherThings(trained, evaluated)) return [];
  if (chanceAccuracy(view, 'eval')) return [];
  const values = finiteValues(evaluated);
  const bestAt = values.indexOf(Math.min(...values));
  const best = values[bestAt]!;
  // Validation was never better than guessing: there was nothing to lose.
  const { outcomes } = view.task;
  if (outcomes !== null && outcomes >= 2 && best > 0.95 * Math.log(outcomes)) return [];
  if (neverBeyondConstant(view, best)) return [];
  // Three evaluations say something only when each is worse than the one before.
  const few = values.length < 4;
  if (few && !(values[0]! < values[1]! && values[1]! < values[2]!)) return [];
  const end = few ? values[2]! : Math.min(...values.slice(-2));
  const after = values.length - 1 - bestAt;
  if (after < 2) return [];
  const bestStep = evaluated.steps[evaluated.finite[bestAt]!]!;
  // Whoever watches for it and stops has lost nothing: the best is behind it by as much as it waited.
  if (stoppedItself(view)) return [];
  const movement = movementOf(trained);
  const later = trained.finite
    .filter((index) => trained.steps[index]! > bestStep)
    .map((index) => trained.values[index]!);
  const earlier = trained.finite
    .filter((index) => trained.steps[index]! <= bestStep)
    .map((index) => trained.values[index]!);
  const level = (points: readonly number[]) => points.reduce((a, b) => a + b, 0) / Math.max(1, points.length);
  if (!movement || later.length === 0 || earlier.length === 0) return [];
  const trainEnd = level(later.slice(-Math.max(1, Math.ceil(later.length / 3))));
  const trainBest = level(earlier.slice(-Math.max(1, Math.ceil(earlier.length / 3))));
  // Since its best validation rises and training falls, both beyond what noise gives so many points.
  const [upwards, downwards] = [
    chanceOfRise(values.slice(bestAt + 1)),
    chanceOfRise(later.map((value) => -value)),
  ];
  const proven = Math.max(upwards, downwards) < 0.1 && upwards * downwards < unlikely / 10;
  // It never learned with training, so it did not forget; where nothing is left to lose in training, it may have, before the record began.
  const learnedWith = best <= Math.max(movement.start, trained.values[trained.finite[0]!]!);
  const begunBefore = !startsAtBeginning(trained) && trainEnd < 0.001 * best;
  // Or the two count different things: one that rises all the way while the other falls says it whatever their levels are.
  const partsWays =
    !startsAtBeginning(trained) &&
    trainEnd < 0.8 * trainBest &&
    ((proven && best < 2 * trainBest) ||
      (values.length >= 10 && bestAt <= values.length / 4 && monotonicity(values) > 0.8));
  if (!learnedWith && !partsWays && (!begunBefore || monotonicity(values) < 0.6)) return [];
  const gained = Math.max(values[0]! - best, 0);
  const rise = end - best;
  const relative = rise / (Math.abs(best) + 1e-9);
  // Noise takes an evaluation back to the best now and then; what was lost for good does not come back.
  const nearest = Math.min(...values.slice(-Math.max(2, Math.ceil(after / 3)))) - best;
  // Where validation swings, its best may be luck; not where no later one comes near it, and most are half as bad again.
  const half = values.slice(Math.max(bestAt + 1, Math.floor(values.length / 2)));
  const leftBehind =
    half.length >= 5 && Math.min(...half) > (1 + rises.slight) * best && median(half) > 1.5 * best;
  // However much it swings, a trend that noise does not give has taken more than it had gained.
  const climbs = upwards < unlikely && Math.min(...values.slice(-2)) > values[0]!;
  const wavering = 2 * noise(values.slice(Math.floor(values.length / 2)));
  if (values.length >= 8 && nearest < wavering && !leftBehind && !climbs) return [];
  // Learned by heart: training is all but perfect, and validation, past its best for most of the run, kept less than half of its gain.
  const byHeart = trainEnd < 0.05 * best && end > 0.5 * values[0]! && after > values.length / 2;
  // Every evaluation since the best is worse than the one before, while training goes on to fall.
  const turned =
    after >= 3 &&
    monotonicity(values.slice(bestAt)) > 0.6 &&
    trainEnd < 0.8 * trainBest &&
    values.slice(bestAt + 1).every((value) => value > best);
  // What training gains since, validation pays: both trends are beyond noise, however few the points, and nothing is left of what it had gained.
  const pays =
    proven &&
    values.at(-1)! > values[0]! &&
    rise > 0.5 * gained &&
    trainEnd < 0.98 * trainBest &&
    rise > 0.15 * (trainBest - trainEnd);
  if (
    (trainEnd >= trainBest * 0.9 && !pays) ||
    relative < rises.least ||
    (rise < 0.3 * gained && !byHeart && !turned)
  )
    return [];
  const trainedScore = view.curve('accuracy', 'train');
  // "loss=… val=… acc=…": a score that does not say whose it is may be either's.
  const unsaid = trainedScore && !/tr/i.test(trainedScore.name) ? trainedScore : null;
  const accuracy =
    view.curve('accuracy', 'eval') ?? view.curve('f1', 'eval') ?? view.curve('auc', 'eval') ?? unsaid;
  const scores = accuracy ? finiteValues(accuracy) : (scoreBeside(view, evaluated) ?? []);
  const learned = trainedScore === accuracy ? null : trainedScore;
  // What a loss says of right answers is no measure for a score of another kind.
  const answered = learned
    ? finiteValues(learned).at(-1)!
    : accuracy || scores.length === 0
      ? rightByLoss(trainEnd)
      : null;
  const gap = answered !== null && scores.length > 0 ? answered - scores.at(-1)! : 0;
  // A score at its best says that the loss only grew more certain of its few mistakes: nothing was lost.
  // Of many the highest is luck.
  const reached = Math.max(...(scores.length >= 8 ? trailingMedian(scores, 3) : scores));
  // Few that rise to the last have lost nothing, however far the middle of them lies behind.
  const late = Math.max(median(scores.slice(-3)), scores.length < 8 ? scores.at(-1)! : 0);
  const fallen = scores.length >= 3 ? reached - late : 1;
  // A handful of rows more or less is no loss either, as long as training is hardly ahead.
  if (fallen <= 0.02 && (answered ?? 1) - scores.at(-1)! < 0.05 && end < values[0]!) return [];
  const wavers = scores.length >= 8 ? 2 * noise(scores) : 0;
  const stillBetter = fallen <= Math.max(0.005, wavers) && gap < 0.15;
  // So few prove it only by a large rise, while training gains much and the score does not.
  const gainsScore = scores.length === 0 ? relative < 0.3 : scores.at(-1)! >= Math.max(...scores);
  if (few && (relative < 0.2 || trainEnd > 0.6 * trainBest || gainsScore)) return [];
  if (stillBetter && relative < 0.5) return [];
  // Most of what validation gained is kept, and no score shows a loss: worth a word, but nothing failed.
  const keepsMost = rise < 0.3 * gained && !byHeart && (scores.length < 3 || fallen <= 0.02);
  const strong = relative > 0.3 && after >= 3;
  const slight =
    (proven ? values.at(-1)! : end) < (1 + rises.slight) * best && (scores.length < 3 || fallen <= scoreLost);
  return [
    {
      strength: slight ? 0.42 : stillBetter ? 0.5 : strong ? 0.88 : 0.7,
      onset: bestStep,
      ...(keepsMost ? { open: true as const } : {}),
      evidence: [
        citePoint(
          evaluated,
          evaluated.finite[bestAt]!,
          `validation loss best ${figure(best)} here, ${figure(values.at(-1)!)} at the end`,
        ),
        citePoint(trained, trained.finite.at(-1)!, `while the training loss fell to ${figure(movement.end)}`),
      ],
    },
  ];
}

/** Its last words, or those right before them, say so; no measurement stands behind them. */
function stoppedItself({ ending, lines }: RunView): boolean {
  const { at } = ending;
  if (ending.kind !== 'completed' || at?.line === undefined) return false;
  return lines.some(
    ({ text, at: { file, line = 0 } }) =>
      file === at.file && line <= at.line! && line > at.line! - closing && stopsItself.test(text),
  );
}

/** Lines that a program says at its end. */
const closing = 8;

/** The share that training answers rightly, where a cross entropy near zero leaves no other; null where it does not say. */
function rightByLoss(loss: number): number | null {
  return loss >= 0 && loss < 0.1 ? Math.exp(-loss) : null;
}

/** Without losses: training answers everything, and every evaluation is worse than the one before. */
function scoreTurned(view: RunView): Observation[] {
  for (const metric of ['auc', 'accuracy', 'f1'] as const) {
    const trained = view.curve(metric, 'train');
    const held = view.curve(metric, 'eval');
    const scores = held ? finiteValues(held) : [];
    const learned = trained ? finiteValues(trained).at(-1)! : 0;
    if (!held || scores.length < 3 || learned < 0.97 || learned - scores.at(-1)! < 0.15) continue;
    const falls = scores.every((value, index) => index === 0 || value < scores[index - 1]!);
    if (!falls || scores[0]! - scores.at(-1)! < 0.02) continue;
    return [
      {
        strength: 0.72,
        onset: held.steps[held.finite[0]!]!,
        evidence: [
          citePoint(
            held,
            held.finite.at(-1)!,
            `${held.name} fell from ${figure(scores[0]!)} to ${figure(scores.at(-1)!)}, while ${trained!.name} reached ${figure(learned)}`,
          ),
        ],
      },
    ];
  }
  return [];
}

/** So many times what held-out data lost at first, with a score that is not good: no other thing grows more certain of wrong answers. */
const muchWorse = { times: 3, score: 0.8 };

/** Without training's own numbers: held-out data got better first, and rose for nearly all of the run to several times what it lost at first. */
function sureOfWrong(view: RunView): Observation[] {
  const held = view.curve('loss', 'eval');
  const score = view.curve('accuracy', 'eval');
  const values = held ? finiteValues(held) : [];
  if (!held || !score || values.length < 10 || !startsAtBeginning(held)) return [];
  const best = values.indexOf(Math.min(...values));
  const end = median(values.slice(-3));
  if (best === 0 || best > values.length / 4 || end < muchWorse.times * values[0]!) return [];
  if (monotonicity(values.slice(best)) < 0.6 || Math.max(...finiteValues(score)) > muchWorse.score) return [];
  return [
    {
      strength: 0.72,
      onset: held.steps[held.finite[best]!]!,
      evidence: [
        citePoint(held, held.finite[best]!, `${held.name} is best here, at ${figure(values[best]!)}`),
        citePoint(
          held,
          held.finite.at(-1)!,
          `and ${figure(end)} at the end, ${figure(values[0]!)} at first; ${score.name} was never above ${figure(Math.max(...finiteValues(score)))}`,
        ),
      ],
    },
  ];
}

/** So many times what training loses, of what is not little, and how little that is; a score that is not good makes fewer enough. */
const lossesApart = { times: 20, scored: 10, least: 0.5, learned: 0.5 };

/**
 * However few the rows: training loses little, and each of the last evaluations tens of times as much, without a good score. Where the record begins
 * with the run, held-out data had to learn something with it: what never did belongs to no such labels.
 */
function lossApart(view: RunView): Observation[] {
  const [trained, held] = [view.curve('loss', 'train'), view.curve('loss', 'eval')];
  const [losses, values] = [trained, held].map((curve) => (curve ? finiteValues(curve) : [])) as [
    number[],
    number[],
  ];
  if (!trained || !held || losses.length === 0 || values.length === 0) return [];
  const lost = median(losses.slice(-Math.ceil(losses.length / 4)));
  const kept = Math.min(...values.slice(-Math.ceil(values.length / 2)));
  const scores = scoreOf(view, 'eval')?.values ?? [];
  const score = scores.at(-1);
  const times = score === undefined ? lossesApart.times : lossesApart.scored;
  if (lost <= 0 || lost > lossesApart.learned || kept < Math.max(times * lost, lossesApart.least)) return [];
  if ((score ?? 0) > muchWorse.score || chanceAccuracy(view, 'eval') || onlyAnotherMeasure(view, held))
    return [];
  // What was gained is kept: it is as good as it ever was.
  const least = Math.min(...values);
  if (values.length >= 4 && values.at(-1)! < (1 + rises.slight) * least && least < 0.5 * values[0]!)
    return [];
  // What rises with training is slow.
  if (scores.length >= 6 && monotonicity(scores) > 0.5) return [];
  const few = values.length < 3;
  if (startsAtBeginning(trained) && !few && Math.min(...values) > 0.9 * losses[0]!) return [];
  return [
    {
      strength: 0.66,
      onset: held.steps[held.finite.at(-1)!]!,
      evidence: [
        citePoint(
          held,
          held.finite.at(-1)!,
          `${held.name} ${figure(values.at(-1)!)} beside ${trained.name} ${figure(lost)}`,
        ),
      ],
    },
  ];
}

/** A row or two are enough where training answers all but everything and held-out data a quarter less. */
function heldApart(view: RunView): Observation[] {
  for (const metric of ['accuracy', 'auc', 'f1'] as const) {
    const trained = view.curve(metric, 'train');
    const held = view.curve(metric, 'eval');
    if (!trained || !held || held.finite.length > 3) continue;
    const [learned = 0, kept = 0] = [finiteValues(trained).at(-1), finiteValues(held).at(-1)];
    if (held.finite.length === 0 || learned < 0.95 || learned > 1 || learned - kept < 0.25) continue;
    return [
      {
        strength: 0.7,
        onset: held.steps[held.finite.at(-1)!]!,
        evidence: [
          citePoint(
            held,
            held.finite.at(-1)!,
            `${held.name} ${figure(kept)} beside ${trained.name} ${figure(learned)}`,
          ),
        ],
      },
    ];
  }
  return [];
}
