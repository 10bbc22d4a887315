/**
 * # Predictions stay at chance level
 *
 * ## What
 * Training accuracy stays at one over the number of classes although gradients flow and the learning rate is usual. Where nothing but
 * curves was recorded, every score and every loss is that of guessing.
 *
 * ## Why
 * Inputs and labels are unrelated (shuffled apart, wrong join), inputs are constant or all zero, or labels are noise.
 *
 * ## Example
 * Ten classes, loss 2.30 and accuracy 0.10 from the first epoch to the last.
 *
 * ## Stays silent
 * When the learning rate is far too small or large, when gradients vanished, when units are dead, and while the run is young. Where neither
 * a gradient nor held-out data was recorded, or no gradient over a few epochs: nothing shows then that any weight moves.
 */
import { type Curve, digitsOf, finiteValues } from '../../features/curve.js';
import type { FeatureVector } from '../../features/extract.js';
import { median, standardError, trailingMedian } from '../../features/robust.js';
import type { RunView } from '../../features/view.js';
import { scoreOf } from '../../health/score.js';
import type { Standing } from '../../health/standing.js';
import { figure } from '../../record/figures.js';
import { defineDetector, type Observation } from '../define.js';
import {
  answersEverythingAlike,
  biasAlone,
  evaluationHardlyMoves,
  gradientOfBias,
  ofBias,
  oneAnswerToAll,
  pulledInVain,
} from '../shared/bias-alone.js';
import { citePoint } from '../shared/cite.js';
import { scoreContradictsLoss } from '../shared/contradiction.js';
import {
  chanceAccuracy,
  comesAgain,
  countedEpochs,
  evaluationRepeats,
  flowOf,
  inputsCarryNothing,
  type Learning,
  learningOf,
  mayTune,
  movesUnseen,
  outputsOutOfScale,
  ranLongEnough,
  silentBody,
  weightsStandStill,
} from '../shared/learning.js';
import { type NoSkill, noSkill, stirsInVain, trainingStandsStill } from '../shared/no-skill.js';
import { nonFiniteOf } from '../shared/nonfinite.js';
import { sameAnswer, usualClasses } from '../shared/same-answer.js';

export const chanceLevel = defineDetector({
  id: 'data/chance-level',
  subcause: 'chance_level',
  role: 'root',
  signal: 'data',
  needs: ['loss', 'eval'],
  detect: (_record, features, { view }) => {
    if (sameAnswer(view) || scoreContradictsLoss(view) || outputsOutOfScale(view)) return [];
    // Players and policies balance at losses that look like guessing; what was learned and lost again was there to be learned.
    if (view.task.loss === 'reinforcement' || hadLearned(view)) return [];
    // Weights that are no numbers answer alike too: what broke them is another question.
    if (nonFiniteOf(view)) return [];
    const guesses = guessesThroughout(view);
    if (guesses.length > 0 || evaluationRepeats(view)) return guesses;
    const learning = learningOf(view);
    const vain = inVain(view, features);
    if (vain.length > 0) return vain;
    if (!learning || learning.frozen || learning.fell) return oneAnswer(view, features);
    if (!ranLongEnough(view)) return orElse(afterFewEpochs(view, learning), oneAnswer(view, features));
    const chance = chanceOf(view);
    if (!chance)
      return orElse(
        view.task.outcomes === null && !gradientOfBias(view) && !hasScore(view)
          ? byLossAlone(view, learning)
          : [],
        oneAnswer(view, features),
      );
    // Whoever loses clearly more than guessing loses is sure of wrong answers; a constant answer is not.
    if (learning.movement.end > 1.5 * Math.log(chance.outcomes)) return [];
    const rate = features.get('learning_rate_position');
    if (rate !== undefined && (rate < 0.05 || rate > 1.15)) return [];
    const gradient = view.curve('grad_norm');
    const level = gradient ? median(finiteValues(gradient)) : null;
    if (level !== null && level < 1e-5) return [];
    const silent = silentBody(view, chance);
    if ((silent?.inputsVary === true && !flowOf(view).works) || weightsStandStill(view)) return [];
    if (trainingStandsStill(view) && !flowOf(view).works) return oneAnswer(view, features);
    const blank = inputsCarryNothing(view, chance);
    const strengthOf = (): number => {
      const sole = strengthOfBias(view);
      if (sole !== null) return sole;
      if (silent?.inputsVary === false) return 0.88;
      if (blank || (rate !== undefined && level !== null)) return 0.8;
      return level === null ? 0.42 : 0.66;
    };
    return [
      {
        strength: strengthOf(),
        onset: chance.curve.steps[0] ?? 0,
        evidence: [
          citePoint(
            chance.curve,
            chance.index,
            `accuracy ${figure(chance.accuracy)} with ${chance.outcomes} classes: what guessing gives`,
          ),
          citePoint(
            learning.curve,
            learning.curve.finite.at(-1)!,
            `${learning.curve.name} ${figure(learning.movement.end)} did not fall from ${figure(learning.movement.start)}`,
          ),
          ...(gradient && level !== null
            ? [citePoint(gradient, gradient.finite.at(-1)!, `gradients flow: median norm ${figure(level)}`)]
            : []),
        ],
      },
    ];
  },
});

/** Weights move, by gradients of a whole body, and nothing that is measured gets better: what goes in does not tell what should come out. */
function inVain(view: RunView, features: FeatureVector): Observation[] {
  const [loss, norms] = [view.curve('loss'), view.curve('grad_norm')];
  const rate = features.get('learning_rate_position');
  if (!loss || !norms || !stirsInVain(view) || weightsStandStill(view)) return [];
  if (rate !== undefined && (rate < 0.05 || rate > 1.15)) return [];
  return [
    {
      strength: 0.7,
      onset: loss.steps[loss.finite[0]!]!,
      evidence: [
        citePoint(
          loss,
          loss.finite.at(-1)!,
          `${loss.name} is ${figure(finiteValues(loss).at(-1)!)}, ${figure(finiteValues(loss)[0]!)} at the start`,
        ),
        citePoint(
          norms,
          norms.finite.at(-1)!,
          `though gradients flow: median norm ${figure(median(finiteValues(norms)))}`,
        ),
      ],
    },
  ];
}

/** A score says it; a held-out loss says it where the weights do not merely wander, and where it is not far above what training began with. */
function strengthOfStanding(view: RunView, { standing, firstOverStart }: NoSkill): number {
  if (pulledInVain(view)) return tooLittleToTell;
  if (standing.curve.series.metric !== 'loss') return 0.7;
  const movement = learningOf(view)?.movement;
  const rose = movement !== undefined && movement.end > 1.15 * movement.start;
  const open = standing.split === 'train' || stirsInVain(view) || trainingStandsStill(view);
  return open || rose || (firstOverStart ?? 1) > 1.5 ? tooLittleToTell : 0.64;
}

/** A hypothesis, and no more, even where something else agrees. */
const tooLittleToTell = 0.42;

/** Where nothing but a bias seems to learn: frozen layers answer each input differently, dead ones and empty inputs do not. Null elsewhere. */
function strengthOfBias(view: RunView): number | null {
  if (view.curve('grad_norm') && oneAnswerToAll(view) && !flowOf(view).works) return 0.7;
  const alike = answersEverythingAlike(view);
  if (gradientOfBias(view) && !flowOf(view).works) {
    const slides = biasAlone(view) !== null && scoreOf(view, 'eval')?.kind !== 'accuracy';
    return alike && !slides ? 0.7 : tooLittleToTell;
  }
  return biasAlone(view) ? tooLittleToTell : null;
}

/** Training's own score at chance; validation's only where training has none: one that training leaves behind is a gap between the two. */
function chanceOf(view: RunView): ReturnType<typeof chanceAccuracy> {
  return view.curve('accuracy', 'train') ? chanceAccuracy(view, 'train') : chanceAccuracy(view, 'eval');
}

/** As far from what guessing loses as a mean over noise may lie; and from the share that it gets right. */
const beside = { loss: 0.03, score: 0.02 };

/**
 * Nothing but curves was recorded, over a long run, and every one of them is that of guessing: the scores of training and of held-out data are
 * one over the number of classes, and each loss is the logarithm of that number, or each score is one and the same at every epoch.
 */
function guessesThroughout(view: RunView): Observation[] {
  const learning = learningOf(view);
  if (!learning?.flat || view.curve('grad_norm') || mayTune(view)) return [];
  if (learning.movement.count < 6 || !(ranLongEnough(view) || countedEpochs(view) >= 6)) return [];
  const scores = (['train', 'eval'] as const).flatMap((split) => view.curve('accuracy', split) ?? []);
  const [score] = scores;
  const classes = score && (guessed(view, scores) ?? repeated(scores));
  if (!score || !classes) return [];
  // Where no weight may move, nothing that was fed in could be learned. Losses of two or three digits do not tell.
  if (
    digitsOf(learning.curve) > 3 &&
    (learning.frozen || comesAgain(learning.curve) || mayStandStill(view, classes))
  )
    return [];
  return [
    {
      strength: movesUnseen(view) ? tooLittleToTell : 0.7,
      onset: score.steps[0] ?? 0,
      evidence: [
        citePoint(
          score,
          score.finite.at(-1)!,
          `${score.name} ${figure(median(finiteValues(score)))} throughout: what guessing among ${classes} classes gives`,
        ),
        citePoint(
          learning.curve,
          learning.curve.finite.at(-1)!,
          `${learning.curve.name} ${figure(learning.movement.end)} did not fall from ${figure(learning.movement.start)}`,
        ),
      ],
    },
  ];
}

/**
 * Held-out data hardly moves; or little, at more than what guessing loses and with another score each time: frozen layers give each input its own
 * answer, and that costs.
 */
function mayStandStill(view: RunView, classes: number): boolean {
  const held = view.curve('loss', 'eval');
  return (
    evaluationHardlyMoves(view) ||
    (held !== null &&
      evaluationHardlyMoves(view, ofBias) &&
      median(finiteValues(held)) > 1.001 * Math.log(classes) &&
      !answersEverythingAlike(view))
  );
}

/** The number of classes that all scores and all losses agree on. */
function guessed(view: RunView, scores: readonly Curve[]): number | null {
  const [classes, ...others] = scores.map(
    ({ series }) => chanceAccuracy(view, series.split as 'train' | 'eval')?.outcomes ?? null,
  );
  if (!classes || others.some((count) => count !== classes)) return null;
  const losses = (['train', 'eval'] as const).flatMap((split) => view.curve('loss', split) ?? []);
  return losses.every((curve) => Math.abs(median(finiteValues(curve)) / Math.log(classes) - 1) < beside.loss)
    ? classes
    : null;
}

/** The number of classes of which training and held-out data get one each right, the same at every epoch. */
function repeated(scores: readonly Curve[]): number | null {
  const values = scores.map(finiteValues);
  const classes = Math.round(1 / values[0]![0]!);
  const alike = values.every((own) =>
    own.every((value) => value === own[0] && Math.abs(value - 1 / classes) < beside.score),
  );
  return alike && scores.length === 2 && classes >= 2 && classes <= 10 ? classes : null;
}

/** Three epochs or more, and neither the score nor the loss has left what guessing gives: two coincidences at once. */
function afterFewEpochs(view: RunView, { curve, movement }: Learning): Observation[] {
  const chance = chanceOf(view);
  if (!chance || countedEpochs(view) < 3) return [];
  const guessing = Math.log(chance.outcomes);
  if (!finiteValues(curve).every((value) => Math.abs(value / guessing - 1) < 0.03)) return [];
  return [
    {
      strength: view.curve('grad_norm') ? 0.64 : tooLittleToTell,
      onset: curve.steps[0] ?? 0,
      evidence: [
        citePoint(
          chance.curve,
          chance.index,
          `accuracy ${figure(chance.accuracy)} and loss ${figure(movement.end)}: what guessing among ${chance.outcomes} classes gives`,
        ),
      ],
    },
  ];
}

/** Nothing recorded beats one constant answer, and training did not learn either: what goes in does not tell what should come out. */
function oneAnswer(view: RunView, features: FeatureVector): Observation[] {
  const found = noSkill(view);
  if (!found || found.trainingLearned || learningOf(view)?.frozen) return [];
  if (isFarWorse(found.standing)) return [];
  const rate = features.get('learning_rate_position');
  if (rate !== undefined && (rate < 0.05 || rate > 1.15)) return [];
  const gradient = view.curve('grad_norm');
  if (weightsStandStill(view) || (gradient && median(finiteValues(gradient)) < 1e-5)) return [];
  const { standing } = found;
  return [
    {
      // Without the gradient, dead layers and frozen weights are as likely.
      strength:
        strengthOfBias(view) ??
        (isWorse(view, standing)
          ? tooLittleToTell
          : flowOf(view).works
            ? 0.8
            : gradient
              ? strengthOfStanding(view, found)
              : tooLittleToTell),
      onset: standing.curve.steps[0] ?? 0,
      evidence: [citePoint(standing.curve, standing.index, standing.fact)],
    },
  ];
}

/** A score was far above where it ended. */
function hadLearned(view: RunView): boolean {
  return [scoreOf(view, 'train'), scoreOf(view, 'eval')].some((score) => {
    if (!score || score.values.length < 10) return false;
    const smooth = trailingMedian(score.values, 3);
    return Math.max(...smooth) - median(smooth.slice(-Math.ceil(smooth.length / 4))) > 0.25;
  });
}

function hasScore(view: RunView): boolean {
  return scoreOf(view, 'train') !== null || scoreOf(view, 'eval') !== null;
}

/** As near as a loss stands to a logarithm when it is taken for it. */
const precise = 0.004;

/** No score was logged, but the loss stands to the third digit where guessing among a usual number of classes stands. */
function byLossAlone(view: RunView, { curve, movement, flat }: Learning): Observation[] {
  if (!flat || mayTune(view)) return [];
  const stands = (loss: number, count: number): boolean => Math.abs(loss / Math.log(count) - 1) < precise;
  // Errors that are small now and large then have no third digit.
  if (standardError(finiteValues(curve)) > precise * movement.end) return [];
  const classes = usualClasses.find((count) => stands(movement.end, count));
  if (classes === undefined) return [];
  const held = view.curve('loss', 'eval');
  const agrees = held && held.finite.length >= 3 && finiteValues(held).every((loss) => stands(loss, classes));
  return [
    {
      // Twice is no accident.
      strength: agrees ? 0.72 : 0.63,
      onset: curve.steps[0] ?? 0,
      evidence: [
        citePoint(
          curve,
          curve.finite.at(-1)!,
          `${curve.name} stands at ${figure(movement.end)}, the logarithm of ${classes}: what guessing among ${classes} classes gives`,
        ),
      ],
    },
  ];
}

function orElse(found: Observation[], other: Observation[]): Observation[] {
  return found.length > 0 ? found : other;
}

/** Clearly worse than one constant answer: not even that was learned, which labels alone do not prevent. */
function isWorse(view: RunView, { curve, split }: Standing): boolean {
  if (curve.series.metric === 'explained_variance') return finiteValues(curve).at(-1)! < -0.3;
  const counted = view.curve('constant_loss') ?? view.curve('target_variance');
  if (split !== 'train' || curve.series.metric !== 'loss' || !counted?.finite.length) return false;
  const late = finiteValues(curve).slice(-Math.max(3, Math.floor(curve.finite.length / 3)));
  return median(late) > 1.25 * finiteValues(counted).at(-1)!;
}

/** Several times the error of answering the mean: outputs of another size than the targets, which no label makes. */
function isFarWorse({ curve }: Standing): boolean {
  return curve.series.metric === 'explained_variance' && finiteValues(curve).at(-1)! < -2;
}
