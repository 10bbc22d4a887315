/**
 * # The run stopped improving far from its goal
 *
 * ## What
 * The training loss stays within its noise from beginning to end, at or near the level of guessing, over a long run; or it does so together
 * with the loss of held-out data. Or a low score is the same in every digit at each evaluation, while weights move, or next to nothing at each.
 * Or neither the loss nor an accuracy that is wrong more often than right has moved for three quarters of a long run. Of a policy: no part of a
 * long run earned more than its first episodes did, or each episode earned the same to the last digit.
 *
 * ## Why
 * A bad initialisation, a saddle, a schedule that decays too early, a loss the model cannot influence. Narrower detectors
 * speak when gradients, rate, labels or frozen weights explain it.
 *
 * ## Example
 * Loss 2.302 for 2,000 steps with ten classes at a usual learning rate.
 *
 * ## Stays silent
 * For fine-tuning from a good checkpoint (flat and low from the start), for young runs, and when the level of guessing is unknown
 * and nothing else speaks of failure. Without a gradient, where nothing shows that any weight ever moved: frozen layers stand still too.
 * Nor with one, where training keeps its level in loss and gradient. Of rewards: while the most that was ever earned comes often, for players whose rewards cancel out, and
 * where the task grows harder.
 */
import { finiteValues, startsAtBeginning, toCurve } from '../../features/curve.js';
import { median, monotonicity } from '../../features/robust.js';
import type { RunView } from '../../features/view.js';
import { heldOutStanding } from '../../health/standing.js';
import { figure } from '../../record/figures.js';
import { defineDetector, type Observation } from '../define.js';
import { biasAlone, gradientOfBias, outputsBeginAlike } from '../shared/bias-alone.js';
import { citePoint } from '../shared/cite.js';
import { neverEarnedMore } from '../shared/earning.js';
import {
  beganAtNothing,
  chanceAccuracy,
  evaluationRepeats,
  flowOf,
  learningOf,
  mayTune,
  movesUnseen,
  ranLongEnough,
  weightsShrank,
} from '../shared/learning.js';
import { noSkill, stirsInVain, trainingStandsStill } from '../shared/no-skill.js';

export const plateau = defineDetector({
  id: 'optimization/plateau',
  subcause: 'plateau',
  role: 'root',
  signal: 'curve',
  needs: ['loss', 'settings'],
  detect: (_record, features, { view }) => {
    const learning = learningOf(view);
    const alike = unitsAlike(view);
    if (alike.length > 0) return alike;
    const stuck =
      stuckFromTheStart(view) ??
      nothingRight(view) ??
      nothingFound(view) ??
      earnsNoMore(view) ??
      longStandstill(view);
    if (stuck) return [stuck];
    if (!learning?.flat || !ranLongEnough(view)) return [];
    const overChance = features.get('loss_over_chance');
    const accuracy = features.get('accuracy_level');
    if (accuracy !== undefined && accuracy > 0.6) return [];
    const guessing = overChance !== undefined && overChance > 0.85;
    const good = view.task.fineTuning || (overChance !== undefined && overChance < 0.6);
    if (good && !guessing) return [];
    const collapsed = weightsShrank(view, 0.1);
    const useless = accuracy !== undefined && accuracy < 0.1 && !noSkill(view) && !movesUnseen(view);
    const strength = collapsed
      ? 0.8
      : guessing
        ? beganAlike(view)
          ? 0.66
          : (noSkill(view) && heldOutStanding(view)) ||
              !(view.curve('grad_norm') || beganAtNothing(view)) ||
              gradientOfBias(view)
            ? 0.58
            : 0.68
        : view.curve('grad_norm') && creepingEval(view, accuracy) && !biasAlone(view) && !gradientOfBias(view)
          ? 0.66
          : useless || stirsInVain(view)
            ? 0.64
            : strengthOfStandstill(view);
    return [
      {
        strength,
        onset: learning.curve.steps[learning.curve.finite[0]!]!,
        evidence: [
          citePoint(
            learning.curve,
            learning.curve.finite.at(-1)!,
            `${learning.curve.name} ${figure(learning.movement.end)} after ${learning.movement.count} points, ${figure(learning.movement.start)} at the start${guessing ? ': the level of guessing' : ''}`,
          ),
        ],
      },
    ];
  },
});

/** For three quarters of a long run neither the loss nor an accuracy that is wrong more often than right has moved. */
function longStandstill(view: RunView): Observation | null {
  const loss = view.curve('loss');
  const score = view.curve('accuracy', 'eval') ?? view.curve('accuracy');
  if (!loss || !score || view.task.loss === 'reinforcement' || view.task.loss === 'language_model')
    return null;
  if (view.curve('perplexity') || !startsAtBeginning(score) || mayTune(view) || movesUnseen(view))
    return null;
  const [values, losses] = [finiteValues(score), finiteValues(loss)];
  if (values.length < 40 || losses.length < 40) return null;
  const quarter = (points: readonly number[], n: number): number =>
    median(points.slice(Math.floor((n * points.length) / 4), Math.floor(((n + 1) * points.length) / 4)));
  const level = quarter(values, 3);
  if (level > 0.45 || Math.abs(level - quarter(values, 1)) > 0.03) return null;
  if (Math.abs(quarter(losses, 3) - quarter(losses, 1)) > 0.05 * Math.abs(quarter(losses, 1))) return null;
  return {
    strength: 0.62,
    onset: score.steps[score.finite[Math.floor(values.length / 4)]!]!,
    evidence: [
      citePoint(
        score,
        score.finite.at(-1)!,
        `${score.name} is ${figure(level)} in the last quarter of the run, ${figure(quarter(values, 1))} in its second`,
      ),
      citePoint(
        loss,
        loss.finite.at(-1)!,
        `${loss.name} is ${figure(quarter(losses, 3))}, ${figure(quarter(losses, 1))} then`,
      ),
    ],
  };
}

function earnsNoMore(view: RunView): Observation | null {
  const found = neverEarnedMore(view);
  if (!found) return null;
  const { curve, fact } = found;
  return {
    strength: 0.64,
    onset: curve.steps[curve.finite[0]!]!,
    evidence: [citePoint(curve, curve.finite.at(-1)!, fact)],
  };
}

/**
 * Every output was zero at first, the gradient is a part of what the noise of one bias has, and evaluations differ: weights move and all of
 * them alike, as those do that began alike. Labels that tell nothing leave the gradients of a working body.
 */
function beganAlike(view: RunView): boolean {
  return beganAtNothing(view) && gradientOfBias(view) && !evaluationRepeats(view);
}

/** Held-out data loses at the end what it lost at the beginning. */
function heldOutStandsStill(view: RunView): boolean {
  const curve = view.curve('loss', 'eval');
  const values = curve ? finiteValues(curve) : [];
  if (values.length < 4 || heldOutStanding(view)?.kind === 'beats') return false;
  if (mayTune(view)) return false;
  return (
    Math.min(...values) > 0.93 * values[0]! && median(values.slice(-2)) > 0.97 * median(values.slice(0, 2))
  );
}

/** Validation, with an accuracy far from good, improves each time by next to nothing: the weights move, too slowly to matter. */
function creepingEval(view: RunView, accuracy: number | undefined): boolean {
  const curve = view.curve('loss', 'eval');
  const values = curve ? finiteValues(curve) : [];
  if (accuracy === undefined || accuracy > 0.4 || values.length < 3) return false;
  return (
    values.every((value, index) => index === 0 || value < values[index - 1]!) &&
    values[0]! - values.at(-1)! < 0.01 * Math.abs(values[0]!)
  );
}

/** All units of a layer get the same gradient, so they stay the same unit: weights that began alike. */
function unitsAlike(view: RunView): Observation[] {
  const { twins } = flowOf(view);
  const share = twins && twins.finite.length >= 3 ? median(finiteValues(twins)) : 0;
  if (!twins || share < 0.5 || (share < 0.9 && !noSkill(view))) return [];
  return [
    {
      strength: 0.86,
      onset: twins.steps[0]!,
      evidence: [
        citePoint(
          twins,
          twins.finite.at(-1)!,
          `in ${figure(100 * share)} % of the layers every unit gets the same gradient`,
        ),
      ],
    },
  ];
}

/** Of a loss that stands still, and of which nothing else is known: held-out data that does so too speaks for it. */
function strengthOfStandstill(view: RunView): number {
  if (!view.curve('grad_norm')) return 0.56;
  if (beganAtNothing(view) || outputsBeginAlike(view)) return 0.66;
  return heldOutStandsStill(view) && !gradientOfBias(view) && !noSkill(view) && !trainingStandsStill(view)
    ? 0.63
    : 0.56;
}

/**
 * A few epochs from the first one on, and neither loss moves: not even the first epoch was worse than the others, or what is measured on
 * held-out data is as bad as can be each time. One loss alone may have settled where it should.
 */
function stuckFromTheStart(view: RunView): Observation | null {
  const trained = view.curve('loss');
  const held = view.curve('loss', 'eval');
  if (!trained || !held || held.finite.length < 5 || trained.finite.length !== held.finite.length)
    return null;
  if (trained.steps[0]! > 1 || view.task.loss === 'reinforcement') return null;
  if (chanceAccuracy(view, 'train') ?? chanceAccuracy(view, 'eval')) return null;
  // A model that was there before its first point stands still because it is good.
  if (heldOutStanding(view)?.kind === 'beats') return null;
  const [values, evaluated] = [finiteValues(trained), finiteValues(held)];
  const still = values.length >= 6 && spreadOf(values) < 0.002;
  const useless = spreadOf(values.slice(1)) < 0.01 && worstEachTime(view);
  if ((!still && !useless) || spreadOf(evaluated) > 0.02 || Math.abs(values[0]!) < 0.01) return null;
  return {
    // The same to the last digit, or no better than a constant answer: without a gradient it may be that no weight moves at all, and with
    // that of a bias alone that no other does.
    strength:
      ((evaluationRepeats(view) || noSkill(view)) && !view.curve('grad_norm')) || gradientOfBias(view)
        ? 0.56
        : useless
          ? 0.68
          : 0.63,
    onset: trained.steps[0]!,
    evidence: [
      citePoint(
        trained,
        trained.finite.at(-1)!,
        `${trained.name} ${figure(values.at(-1)!)} and ${held.name} ${figure(evaluated.at(-1)!)} after ${values.length} epochs: neither has moved since the first`,
      ),
    ],
  };
}

/** How far values lie apart, as a share of their level. */
function spreadOf(values: readonly number[]): number {
  return (Math.max(...values) - Math.min(...values)) / (Math.abs(median(values)) + 1e-12);
}

/** Everything wrong in every evaluation, or the same low score each time. */
function worstEachTime(view: RunView): boolean {
  const wrong = view.curve('error_rate', 'eval');
  if (wrong && finiteValues(wrong).every((value) => value > 0.97)) return true;
  const right = view.curve('accuracy', 'eval');
  const scores = right ? finiteValues(right) : [];
  return scores.length >= 4 && scores[0]! < 0.3 && scores.every((value) => value === scores[0]);
}

/** Of this share of errors on nothing has been learned to be right. */
const allWrong = 0.97;

/** Every row has all answers wrong, and the loss does not fall: no beginning, in however few rows. */
function nothingRight(view: RunView): Observation | null {
  const loss = view.curve('loss', 'train');
  const losses = loss ? finiteValues(loss) : [];
  if (losses.length < 3 || losses.at(-1)! < allWrong * losses[0]!) return null;
  for (const curve of view.curves('error_rate')) {
    const shares = finiteValues(curve).map((value) => (value > 2 ? value / 100 : value));
    if (shares.length < 3 || !shares.every((value) => value >= allWrong)) continue;
    return {
      strength: 0.64,
      onset: curve.steps[0]!,
      evidence: [
        citePoint(
          curve,
          curve.finite.at(-1)!,
          `${curve.name} is ${figure(curve.values[curve.finite.at(-1)!]!)}, and was never below ${figure(Math.min(...finiteValues(curve)))}`,
        ),
      ],
    };
  }
  return null;
}

/** Scores that only an answer that never changes repeats in every digit that counts. */
const scoreOfFinds =
  /(?:^|[^a-z])(?:m?ap|m?ap[ _@-]?\d+|m?iou|dice|bleu|f1|accuracy|acc|exact[ _]match|recall|precision|sensitivity)$/i;

/** Above this share a score that repeats may be good. */
const mostOfFew = 0.3;

/** From the second evaluation on, many times over, one and the same low score, and the loss goes up and down where it began. */
function nothingFound(view: RunView): Observation | null {
  const loss = view.curve('loss', 'train');
  const losses = loss ? finiteValues(loss).slice(1) : [];
  const third = Math.floor(losses.length / 3);
  if (third < 3 || median(losses.slice(-third)) < 0.7 * median(losses.slice(0, third))) return null;
  // One answer in so many is what guessing gets: labels and inputs may be to blame.
  if (chanceAccuracy(view, 'train') ?? chanceAccuracy(view, 'eval')) return null;
  for (const series of view.record.series) {
    if (series.length < 10 || !scoreOfFinds.test(series.rawName)) continue;
    const [, level = 1, ...later] = series.values;
    // Weights that do not move repeat a score too; those that a falling loss tells of do move.
    if (level > (monotonicity(losses) < -0.6 ? mostOfFew : 0)) continue;
    if (later.some((value) => Math.abs(value - level) > 1e-4 * level)) continue;
    const score = toCurve(series);
    return {
      strength: 0.64,
      onset: score.steps[0]!,
      evidence: [
        citePoint(
          score,
          score.length - 1,
          `${score.name} is exactly ${figure(level)} at each of ${series.length - 1} evaluations`,
        ),
        citePoint(loss!, loss!.finite.at(-1)!, `while ${loss!.name} is ${figure(losses.at(-1)!)}`),
      ],
    };
  }
  return null;
}
