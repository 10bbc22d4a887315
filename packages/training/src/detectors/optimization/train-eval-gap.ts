/**
 * # Validation never follows training
 *
 * ## What
 * From the first evaluation on, validation is far worse than training and does not improve, although training does. Or every evaluation,
 * also the first, before anything was learned, loses several times what guessing does.
 *
 * ## Why
 * Validation runs in another mode (dropout, batch statistics), with other preprocessing, or on other data.
 *
 * ## Example
 * Training loss 2.3 to 0.4; validation loss 4.8, 4.9, 4.7, 4.9.
 *
 * ## Stays silent
 * When validation improved first (overfitting), and when its accuracy wavers around chance level (labels).
 */
import { type Curve, finiteValues, startsAtBeginning } from '../../features/curve.js';
import { chanceAbove, chanceOfRise, unlikely } from '../../features/few-points.js';
import { median, monotonicity, trailingMedian } from '../../features/robust.js';
import type { RunView } from '../../features/view.js';
import { onlyAnotherMeasure } from '../../health/other-measure.js';
import { scoreOf } from '../../health/score.js';
import { figure } from '../../record/figures.js';
import { evaluatedNothing } from '../data/nothing-measured.js';
import { defineDetector, type Observation } from '../define.js';
import { citePoint } from '../shared/cite.js';
import { chanceAccuracy, learningOf, validationWorseThanGuessing } from '../shared/learning.js';
import { answersAlike, labelsAlike, noSkill } from '../shared/no-skill.js';

export const trainEvalGap = defineDetector({
  id: 'optimization/train-eval-gap',
  subcause: 'train_eval_gap',
  role: 'root',
  signal: 'curve',
  needs: ['eval', 'loss'],
  detect: (_record, _features, { view }) => {
    const learning = learningOf(view);
    const evaluated = view.curve('loss', 'eval');
    const foreign = noSkill(view);
    // Words that the model was not trained on, or one label for nearly everything: the data's.
    if (evaluatedNothing(view).length > 0) return [];
    if (validationWorseThanGuessing(view) || labelsAlike(view) || onlyAnotherMeasure(view, evaluated))
      return [];
    if (learning?.fell && foreign?.trainingLearned && (foreign.firstOverStart ?? 0) > 1.3)
      return [
        {
          strength: 0.76,
          onset: foreign.standing.curve.steps[0] ?? 0,
          evidence: [
            citePoint(
              foreign.standing.curve,
              foreign.standing.index,
              `${foreign.standing.fact}, while training learns`,
            ),
          ],
        },
      ];
    const alike = learning?.fell ? answersAlike(view) : null;
    if (alike) return [sameForAll(alike)];
    const apart =
      scoresApart(view) ??
      farApart(view) ??
      anotherScale(view) ??
      knownByHeart(view) ??
      neverTheSameModel(view);
    if (apart) return [apart];
    if (!learning?.fell || !evaluated || evaluated.finite.length < 3 || chanceAccuracy(view, 'eval'))
      return [];
    if (!startsAtBeginning(learning.curve) || learnedBefore(view)) return [];
    const values = finiteValues(evaluated);
    const start = learning.curve.values[learning.curve.finite[0]!]!;
    const gained = start - learning.movement.end;
    const end = median(values.slice(-3));
    // One good evaluation among bad ones is noise; three are an improvement.
    const improved = values[0]! - Math.min(...trailingMedian(values, 3));
    // Whatever evaluation gains while it stays far above where training began counts for nothing.
    const everAbove = Math.min(...values) > 1.5 * guessingOr(view, start);
    if (gained < 0.25 * Math.abs(start) || (improved > 0.3 * gained && !everAbove)) return [];
    // Training is all but perfect, and validation stands about where training began.
    const byHeart = learning.movement.end < 0.02 * start && end > 0.8 * start;
    if (end < start + 0.2 * Math.abs(start) && !byHeart) return [];
    return [
      {
        strength: end > 1.5 * start ? 0.78 : byHeart ? 0.72 : 0.66,
        onset: evaluated.steps[evaluated.finite[0]!]!,
        evidence: [
          citePoint(
            evaluated,
            evaluated.finite.at(-1)!,
            `validation loss ${figure(end)}, ${end > start ? 'worse than' : 'hardly better than'} training at its start (${figure(start)})`,
          ),
          citePoint(
            learning.curve,
            learning.curve.finite.at(-1)!,
            `while training fell to ${figure(learning.movement.end)}`,
          ),
        ],
      },
    ];
  },
});

/** The first score of training is all but its best: where the record begins, no beginner was at work. */
function learnedBefore(view: RunView): boolean {
  const trained = scoreOf(view, 'train');
  return trained?.kind === 'accuracy' && trained.values[0]! > 0.9 * Math.max(...trained.values);
}

/** The loss before anything was learned: where training began, or guessing where that is more. */
function guessingOr(view: RunView, start: number): number {
  return Math.max(start, Math.log(Math.max(1, view.task.outcomes ?? 1)));
}

function sameForAll(score: Curve): Observation {
  const last = score.finite.at(-1)!;
  return {
    strength: 0.72,
    onset: score.steps[score.finite[0]!]!,
    evidence: [
      citePoint(
        score,
        last,
        `${score.name} is ${figure(score.values[last]!)} again and again, as if every row got one answer, while training learns`,
      ),
    ],
  };
}

/** The loss of guessing: by the number of classes, or where training began while it was still wrong more often than right. */
function guessingOf(view: RunView, start: number): number | null {
  const { outcomes } = view.task;
  if (outcomes !== null) return outcomes < 2 ? null : Math.log(outcomes);
  const score = scoreOf(view, 'train');
  return score?.kind === 'accuracy' && score.values[0]! < 0.5 ? start : null;
}

/** No weights that have not learned yet lose so many times what guessing does. */
const manyTimes = 3;

/**
 * Every evaluation, the first included, when training had not learned much, loses several times what guessing does, while training never
 * does: held-out data is seen in another mode, by other statistics or on another scale.
 */
function neverTheSameModel(view: RunView): Observation | null {
  const [held, trained, score] = [view.curve('loss', 'eval'), view.curve('loss'), scoreOf(view, 'eval')];
  if (!held || !trained || trained === held) return null;
  const [losses, values] = [finiteValues(held), finiteValues(trained)];
  if (losses.length < 2 || values.length < 2 || trained.finite.length < trained.length) return null;
  const guessing = guessingOf(view, values[0]!);
  const [least, most] = [Math.min(...losses), Math.max(...values)];
  const sane = guessing !== null && most < 2 * guessing && values[0]! > 0.5 * guessing;
  const beyond = sane && losses.length >= 3 && values.length >= 3 && least > manyTimes * guessing;
  // Never as good as guessing, where training never was as bad; or so far apart, and further from one evaluation to the next.
  const known = guessing !== null && least > guessing && most < 0.25 * guessing && losses.length >= 3;
  const leaves =
    startsAtBeginning(trained) &&
    values.at(-1)! < 0.8 * values[0]! &&
    least > manyTimes * most &&
    chanceOfRise(losses) < 0.1;
  if (!(beyond || known || leaves) || (score?.values.at(-1) ?? 0) > 0.6) return null;
  return {
    strength: 0.7,
    onset: held.steps[held.finite[0]!]!,
    evidence: [
      citePoint(
        held,
        held.finite[0]!,
        `${held.name} ${figure(losses[0]!)} at the first evaluation and never below ${figure(least)}${guessing === null ? '' : `; guessing gets ${figure(guessing)}`}`,
      ),
      citePoint(trained, trained.finite.at(-1)!, `while ${trained.name} is ${figure(values.at(-1)!)}`),
    ],
  };
}

/** What luck with the rows that are held out may take away. */
const lessThanFew = 0.2;

/** Training answers nearly everything right; held-out data is far below, and no better at the end than at the beginning. */
function scoresApart(view: RunView): Observation | null {
  const trained = scoreOf(view, 'train');
  const held = scoreOf(view, 'eval');
  if (trained?.kind !== 'accuracy' || held?.kind !== 'accuracy' || chanceAccuracy(view, 'eval')) return null;
  const few = Math.min(trained.values.length, held.values.length);
  if (few < 2) return null;
  // Two rows tell as much as their own noise lets them.
  if (
    few < 4 &&
    chanceAbove(
      trained.values,
      held.values.map((value) => value + lessThanFew),
    ) > unlikely
  )
    return null;
  const third = Math.max(1, Math.floor(held.values.length / 3));
  const [first, last] = [median(held.values.slice(0, third)), median(held.values.slice(-third))];
  const level = median(trained.values.slice(-third));
  // Never half as good as training, and no better for what training learned since the middle.
  const half = held.values.slice(Math.floor(held.values.length / 2));
  const leftBehind =
    half.length >= 8 && level > 2 * Math.max(...trailingMedian(half, 3)) && monotonicity(half) < 0.2;
  if (level - last < 0.25 || ((level < 0.8 || last - first > 0.05) && !leftBehind)) return null;
  return {
    strength: 0.72,
    onset: held.curve.steps[held.curve.finite[0]!]!,
    evidence: [
      citePoint(
        held.curve,
        held.curve.finite.at(-1)!,
        `${held.curve.name} ${figure(last)}, ${figure(first)} at the beginning`,
      ),
      citePoint(
        trained.curve,
        trained.curve.finite.at(-1)!,
        `while ${trained.curve.name} is ${figure(level)}`,
      ),
    ],
  };
}

/** Training loses next to nothing; held-out data, which got better at first, stands still at many times that, and its score is far from good. */
function knownByHeart(view: RunView): Observation | null {
  const held = view.curve('loss', 'eval');
  const trained = view.curve('loss');
  const score = scoreOf(view, 'eval');
  if (!held || !trained || held.finite.length < 4 || trained.finite.length < 8) return null;
  const [losses, values] = [finiteValues(held), finiteValues(trained)];
  const lost = median(values.slice(-Math.max(3, Math.floor(values.length / 4))));
  const level = median(losses.slice(-3));
  const good = score ? score.values.at(-1)! > 0.6 : level < 0.15 * losses[0]!;
  // What is printed as 0 on both sides is no gap.
  if (level <= 0 || lost < 0 || lost > 0.01 * level || good || level > 0.9 * losses[0]!) return null;
  return {
    strength: 0.68,
    onset: held.steps[held.finite[0]!]!,
    evidence: [
      citePoint(held, held.finite.at(-1)!, `${held.name} stands at ${figure(level)}`),
      citePoint(trained, trained.finite.at(-1)!, `while ${trained.name} is ${figure(lost)}`),
    ],
  };
}

/** No set of rows of the same kind loses so many times the most that training ever lost. */
const beyondTraining = 10;

/** So much less than nothing is explained by answers of another size. */
const ofAnotherSize = -5;

/**
 * Every evaluation, be it one or two, loses many times what training ever did, and its score says that this is no sum in the place of a mean: it
 * is far below that of training, or worse than nothing.
 */
function anotherScale(view: RunView): Observation | null {
  const [held, trained] = [view.curve('loss', 'eval'), view.curve('loss', 'train')];
  const [score, own] = [scoreOf(view, 'eval'), scoreOf(view, 'train')];
  if (!held?.finite.length || !trained?.finite.length || trained.finite.length < trained.length || !score)
    return null;
  const [least, most] = [Math.min(...finiteValues(held)), Math.max(...finiteValues(trained))];
  const best = Math.max(...score.values);
  const worse = own && own.kind === score.kind ? median(own.values.slice(-3)) - best > 0.2 : false;
  if (most <= 0 || least < beyondTraining * most || !(worse || best < ofAnotherSize)) return null;
  return {
    strength: 0.7,
    onset: held.steps[held.finite[0]!]!,
    evidence: [
      citePoint(held, held.finite[0]!, `${held.name} was never below ${figure(least)}`),
      citePoint(trained, trained.finite[0]!, `and ${trained.name} never above ${figure(most)}`),
    ],
  };
}

/** Every evaluation, the first included, scores far below what training scores, and loses several times as much. */
function farApart(view: RunView): Observation | null {
  const trained = scoreOf(view, 'train');
  const held = scoreOf(view, 'eval');
  const losses = view.curve('loss', 'eval');
  const loss = view.curve('loss');
  if (!trained || !held || !losses || !loss || trained.kind !== held.kind || held.values.length < 2)
    return null;
  const reached = median(trained.values.slice(-3));
  const best = Math.max(...held.values);
  const least = Math.min(...finiteValues(losses));
  const lost = median(finiteValues(loss).slice(-3));
  // What rises with training, to its best at the end, is slow and no other model.
  const follows = held.values.length >= 6 && monotonicity(held.values) > 0.5 && best > 1.5 * held.values[0]!;
  if (reached - best < 0.5 || follows || least < 4 * Math.max(lost, 0.1) || lost < 0) return null;
  return {
    strength: 0.7,
    onset: held.curve.steps[held.curve.finite[0]!]!,
    evidence: [
      citePoint(
        held.curve,
        held.curve.finite.at(-1)!,
        `${held.curve.name} was never above ${figure(best)}, while training reaches ${figure(reached)}`,
      ),
    ],
  };
}
