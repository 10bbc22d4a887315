/**
 * # Labels do not belong to their inputs
 *
 * ## What
 * The model memorises the training set while validation stays at chance level from beginning to end.
 *
 * ## Why
 * With labels shuffled against their inputs there is nothing to generalise; overfitting of a real task first improves
 * validation, then spoils it.
 *
 * ## Example
 * Training accuracy 0.95, validation accuracy 0.10 of ten classes in every epoch, validation loss rising from the first.
 *
 * ## Stays silent
 * When validation was above chance at any time, and without an accuracy on validation.
 */
import { finiteValues, movementOf } from '../../features/curve.js';
import { mean, median, monotonicity, standardError } from '../../features/robust.js';
import type { RunView } from '../../features/view.js';
import { figure } from '../../record/figures.js';
import { defineDetector, type Observation } from '../define.js';
import { biasAlone } from '../shared/bias-alone.js';
import { citePoint } from '../shared/cite.js';
import {
  type Chance,
  chanceAccuracy,
  evaluationRepeats,
  type Learning,
  learningOf,
} from '../shared/learning.js';
import { answersAlike, type NoSkill, noSkill } from '../shared/no-skill.js';
import { nonFiniteOf } from '../shared/nonfinite.js';

export const shuffledLabels = defineDetector({
  id: 'data/shuffled-labels',
  subcause: 'shuffled_labels',
  role: 'root',
  signal: 'data',
  needs: ['loss', 'eval'],
  detect: (_record, _features, { view }) => {
    // Answers that are no numbers are right or wrong by accident.
    if (nonFiniteOf(view)) return [];
    // What is learned by heart changes the answers to everything else.
    if (evaluationRepeats(view)) return [];
    const swapped = rightLessThanGuessing(view);
    if (swapped.length > 0) return swapped;
    const learning = learningOf(view);
    const chance = chanceAccuracy(view, 'eval');
    if (!learning || !chance) return byHeart(view);
    // Held-out data gets a little better with each evaluation, as a bias alone makes it: nothing was learned by heart.
    if (biasAlone(view)) return [];
    // A loss below zero that no probability gives: what is minimised is wrong, whatever held-out data says.
    if (learning.movement.end < 0 || unlearned(learning, chance) || isLost(chance)) return [];
    const trained = view.curve('accuracy', 'train');
    const reached = trained ? median(finiteValues(trained).slice(-5)) : undefined;
    const loss = view.curve('loss', 'eval');
    const movement = loss ? movementOf(loss) : null;
    const rising = movement ? movement.end >= movement.start : false;
    const belowGuessing = (share: number): boolean =>
      learning.movement.end < share * Math.log(chance.outcomes);
    const neverBetter =
      movement !== null && movement.best > 0.99 * Math.log(chance.outcomes) && movement.end > movement.best;
    const fell = learning.fell || fellByMeans(learning);
    const memorised =
      (fell && belowGuessing(0.985) && neverBetter && chance.curve.finite.length >= 10) ||
      (fell && belowGuessing(0.99) && rising && chance.curve.finite.length >= 8) ||
      (learning.movement.improvement > 0.15 && belowGuessing(0.9)) ||
      (reached !== undefined && reached > 2 * chance.accuracy);
    if (!memorised || chance.curve.finite.length < 3 || isForeign(view)) return [];
    return [
      {
        strength: rising ? 0.88 : 0.8,
        onset: chance.curve.steps[0] ?? 0,
        evidence: [
          citePoint(
            chance.curve,
            chance.index,
            `validation accuracy ${figure(chance.accuracy)} of ${chance.outcomes} classes, never above chance`,
          ),
          citePoint(
            learning.curve,
            learning.curve.finite.at(-1)!,
            `while ${learning.curve.name} fell from ${figure(learning.movement.start)} to ${figure(learning.movement.end)}`,
          ),
        ],
      },
    ];
  },
});

/** The last third of many noisy points lies below the first by more than chance lets their means differ. */
function fellByMeans({ curve }: Learning): boolean {
  const values = finiteValues(curve);
  const third = Math.floor(values.length / 3);
  const [first, last] = [values.slice(0, third), values.slice(-third)];
  return (
    third >= 10 && mean(first) - mean(last) > 3.5 * Math.hypot(standardError(first), standardError(last))
  );
}

/** Training learns, and held-out data is right far less often than guessing would be: what was learned is turned into other labels there. */
function rightLessThanGuessing(view: RunView): Observation[] {
  const learning = learningOf(view);
  const score = view.curve('accuracy', 'eval');
  const scores = score ? finiteValues(score) : [];
  if (!learning || learning.movement.end < 0 || !score || scores.length < 3) return [];
  const first = learning.curve.values[learning.curve.finite[0]!]!;
  const outcomes = view.task.outcomes ?? Math.round(Math.exp(first));
  const level = Math.max(...scores.slice(-3));
  const trained = view.curve('accuracy', 'train');
  const reached = trained ? median(finiteValues(trained).slice(-3)) : null;
  const learned =
    reached !== null
      ? reached > Math.min(0.8, 2 / outcomes)
      : learning.movement.end < 0.8 * Math.max(first, Math.log(outcomes));
  // An exact zero is rather a score that is computed wrongly, unless the loss beside it is that of answers that are certain and wrong.
  if (
    outcomes < 2 ||
    outcomes > 20 ||
    level > mostWrong(view, scores) / outcomes ||
    (level === 0 && !certainOfWrong(view, Math.max(first, Math.log(outcomes)))) ||
    !learned
  )
    return [];
  return [
    {
      strength: 0.86,
      onset: score.steps[score.finite[0]!]!,
      evidence: [
        citePoint(
          score,
          score.finite.at(-1)!,
          `${score.name} ${figure(level)}, where guessing among ${outcomes} classes gets ${figure(1 / outcomes)}, while training learns`,
        ),
      ],
    },
  ];
}

/** What it costs to be as certain of a wrong answer as single precision tells from certainty. More is lost on inputs of another scale. */
const mostCertain = -Math.log(2 ** -24);

/** Every evaluation loses twice what guessing does, and no less in the end than at first. */
function certainOfWrong(view: RunView, guessing: number): boolean {
  const held = view.curve('loss', 'eval');
  const losses = held ? finiteValues(held) : [];
  const [first = 0] = losses;
  if (losses.length < 2 || first > mostCertain) return false;
  return Math.min(...losses) > 2 * guessing && losses.at(-1)! >= first;
}

/**
 * The share of what guessing gets that is too little for guessing. One rare class that is the answer to everything gets as little; not
 * where the score changes each time, nor with losses that are all above that of guessing.
 */
function mostWrong(view: RunView, scores: readonly number[]): number {
  const held = view.curve('loss', 'eval');
  const { outcomes } = view.task;
  const changes = scores.length >= 4 && new Set(scores).size > scores.length / 2;
  if (!held || outcomes === null || !changes || Math.max(...scores) > 0.6 / outcomes) return 0.35;
  return finiteValues(held).every((loss) => loss > 1.1 * Math.log(outcomes)) ? 0.6 : 0.35;
}

/** Held-out data was no better than a constant answer from the first evaluation on, while training learned: and it began where it should. */
function byHeart(view: RunView): Observation[] {
  const found = noSkill(view);
  if (!found || isForeign(view) || (learningOf(view)?.movement.end ?? -1) < 0) return [];
  if (!found.trainingLearned) return memorisesNoise(view, found);
  const evaluated = view.curve('loss', 'eval');
  const losses = evaluated ? finiteValues(evaluated) : [];
  // Still coming down from wherever it was thrown: that is another story.
  const third = Math.max(1, Math.floor(losses.length / 3));
  const falls =
    losses.length < 6
      ? losses.at(-1)! < 1.05 * Math.min(...losses.slice(1, -1))
      : median(losses.slice(-third)) < 0.95 * median(losses.slice(third, 2 * third));
  if (losses.length > 0 && losses.at(-1)! < 0.7 * losses[0]! && falls) return [];
  return [
    {
      // A loss alone may also have been at its best before the first evaluation, and numbers beyond half precision spoil held-out data too.
      strength: found.standing.curve.series.metric === 'loss' || view.task.precision === 'fp16' ? 0.56 : 0.7,
      onset: found.standing.curve.steps[0] ?? 0,
      evidence: [
        citePoint(
          found.standing.curve,
          found.standing.index,
          `${found.standing.fact}, while training learns`,
        ),
      ],
    },
  ];
}

/**
 * Training gets better slowly, row by row, and held-out data worse with each evaluation from the first on: noise is learned by heart. A handful
 * of rows would be known at once; a model with something to learn would first get better on both.
 */
function memorisesNoise(view: RunView, { standing }: NoSkill): Observation[] {
  const learning = learningOf(view);
  const evaluated = view.curve('loss', 'eval');
  const losses = evaluated ? finiteValues(evaluated) : [];
  if (!learning?.fell || losses.length < 4 || losses[0]! > 1.15 * learning.movement.start) return [];
  // Of so few, each must be worse than the first.
  if (losses.length < 6 && losses.slice(1).some((loss) => loss < 1.03 * losses[0]!)) return [];
  const { start, end } = learning.movement;
  const third = Math.floor(losses.length / 3);
  const [first, last] = [median(losses.slice(0, third)), median(losses.slice(-third))];
  if (
    end > 0.93 * start ||
    end < 0.3 * start ||
    last < 1.03 * first ||
    Math.min(...losses) < 0.97 * losses[0]!
  )
    return [];
  return [
    {
      strength: 0.66,
      onset: standing.curve.steps[0] ?? 0,
      evidence: [
        citePoint(standing.curve, standing.index, standing.fact),
        citePoint(
          learning.curve,
          learning.curve.finite.at(-1)!,
          `while ${learning.curve.name} fell slowly from ${figure(start)} to ${figure(end)}`,
        ),
      ],
    },
  ];
}

/** Evaluation far worse than a model that has not learned yet, or in turns of two answers: its inputs or its mode are not those of training. */
function isForeign(view: RunView): boolean {
  const found = noSkill(view);
  return (
    answersAlike(view) !== null ||
    takesTurns(view) ||
    (found?.trainingLearned === true && (found.firstOverStart ?? 0) > 1.3)
  );
}

/** All rows get the one of two answers, and then the other: their shares add up to all. Who knows rows by heart answers each differently. */
function takesTurns(view: RunView): boolean {
  const score = view.curve('accuracy', 'eval');
  const values = score ? finiteValues(score) : [];
  const [one, other, ...more] = new Set(values);
  return values.length >= 5 && other !== undefined && more.length === 0 && Math.abs(one! + other - 1) < 1e-6;
}

/** Held-out data was right more often than guessing at first, and less often each time since: what is lost was there, so its labels belong. */
function isLost({ curve, outcomes }: Chance): boolean {
  const scores = finiteValues(curve);
  return scores.length >= 5 && scores[0]! > 1.3 / outcomes && monotonicity(scores) < -0.9;
}

/** Training was far better than guessing before and is not any more: it lost what it had learned, so there was something to learn. */
function unlearned({ curve, movement }: Learning, { outcomes }: Chance): boolean {
  const guessing = Math.log(outcomes);
  return Math.min(...finiteValues(curve)) < 0.3 * guessing && movement.end > 0.9 * guessing;
}
