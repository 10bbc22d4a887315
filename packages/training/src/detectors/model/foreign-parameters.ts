/**
 * # The optimizer does not hold the model's parameters
 *
 * ## What
 * Gradients flow and the learning rate is usual, yet the weights do not change: the loss is flat from the first step, or
 * repeats with every epoch.
 *
 * ## Why
 * The optimizer was built before the model was replaced, moved, wrapped or had its head exchanged; only other parameters are updated.
 *
 * ## Example
 * Gradient norm 1.9 at every step, learning rate 1e-3, loss 2.31 at every epoch, update ratio 0.
 *
 * ## Stays silent
 * Unless updates are recorded as zero, losses repeat exactly, or the loss stands at the level of guessing although gradients and
 * learning rate should have moved it: a flat loss alone has other causes. One or two digits repeat by themselves; and what repeats at
 * exactly the loss of guessing comes of outputs that are all alike.
 */

import { peakLearningRate } from '../../features/configuration.js';
import { type Curve, digitsOf, finiteValues, roundingOf } from '../../features/curve.js';
import { median } from '../../features/robust.js';
import { numberSetting, usualLearningRates } from '../../features/task.js';
import type { RunView } from '../../features/view.js';
import { figure } from '../../record/figures.js';
import { defineDetector } from '../define.js';
import { gradientOfBias, pulledInVain } from '../shared/bias-alone.js';
import { citePoint } from '../shared/cite.js';
import { expectedFall, isGuessing } from '../shared/expected-fall.js';
import {
  beganAtNothing,
  decaysToNothing,
  evaluationRepeats,
  flowOf,
  learningOf,
  ranLongEnough,
  validationStandsStill,
  weightsStandStill,
} from '../shared/learning.js';
import { fromFailure } from '../shared/match.js';

export const foreignParameters = defineDetector({
  id: 'model/foreign-parameters',
  subcause: 'foreign_parameters',
  role: 'root',
  signal: 'curve',
  needs: ['gradient', 'loss'],
  detect: (_record, _features, { view }) => {
    const said = fromFailure(
      view,
      /some parameters appear in more than one parameter group|can't optimize a non-leaf Tensor|parameter .* not (in|found in) (the )?optimizer/i,
      { strength: 0.92 },
    );
    const learning = learningOf(view);
    // Three evaluations that agree in every digit need no long run.
    if (said.length > 0 || !learning || !(ranLongEnough(view) || evaluationRepeats(view))) return said;
    // Weights of nothing but zeros pass no gradient on: they stay as they are in the optimizer's own hands.
    if ((beganAtNothing(view) && gradientOfBias(view)) || decaysToNothing(view)) return [];
    const gradient = view.curve('grad_norm');
    const flowing = gradient ? median(finiteValues(gradient)) : 0;
    const rate = peakLearningRate(view);
    // A gradient that is no number now and then leaves the weights as they are, or takes them along.
    const whole = gradient !== null && gradient.finite.length === gradient.length;
    if (!gradient || !whole || flowing < 1e-6 || rate === 0 || !reachesWeights(view)) return [];
    const ratio = view.curve('update_ratio');
    const norms = view.curve('param_norm');
    const never =
      !isSmall(view, rate) &&
      ratio &&
      ratio.finite.length >= 5 &&
      finiteValues(ratio).every((value) => value === 0);
    const evaluated = view.curve('loss', 'eval');
    const repeated = flowing > 1e-3 && evaluationRepeats(view) && digitsOf(evaluated!) >= enoughDigits;
    if (!never && evaluated && repeated && standsAtGuessing(evaluated)) return [];
    // Batches differ: a loss may seem to have fallen where no weight moved.
    if (learning.fell && !never && !repeated) return [];
    const unmoved =
      never ||
      (norms && norms.finite.length >= 5 && constant(finiteValues(norms))) ||
      ((validationStandsStill(view) || repeated) && !isSmall(view, rate));
    const expected = expectedFall(view);
    const owed =
      learning.flat &&
      expected !== null &&
      expected > 0.03 * Math.abs(learning.movement.start) &&
      expected >
        10 * Math.max(learning.movement.noise, Math.abs(learning.movement.start - learning.movement.end)) &&
      isGuessing(view, learning.movement.end) &&
      !view.task.fineTuning &&
      steady(finiteValues(gradient));
    const usual = !isSmall(view, rate) && !view.task.fineTuning;
    const still = weightsStandStill(view) && usual;
    const vain = usual && rate !== null && pulledInVain(view) !== null;
    const frozen = learning.frozen && !isSmall(view, rate) && digitsOf(learning.curve) >= enoughDigits;
    if (!unmoved && !frozen && !owed && !still && !vain) return [];
    // Decay may hold weights against a gradient.
    const held = vain && numberSetting(view.record, 'weight_decay') === null;
    const witness = unmoved ? (ratio ?? norms ?? evaluated ?? learning.curve) : learning.curve;
    return [
      {
        // Labels that have nothing to do with the inputs leave the same trace.
        strength: unmoved ? 0.92 : frozen ? 0.84 : still ? 0.78 : vain ? (held ? 0.56 : 0.72) : 0.5,
        onset: learning.curve.steps[learning.curve.finite[0]!]!,
        evidence: [
          citePoint(gradient, gradient.finite.at(-1)!, `gradients flow: median norm ${figure(flowing)}`),
          citePoint(
            witness,
            witness.finite.at(-1)!,
            unmoved
              ? `${witness.name} shows that no weight changes`
              : frozen
                ? `${witness.name} repeats to the last digit`
                : still
                  ? `${witness.name} and the gradients are the same from beginning to end, and above what guessing reaches`
                  : vain
                    ? `${witness.name} keeps its level all the same, from the first step to the last`
                    : `${witness.name} should have fallen by about ${figure(expected ?? 0)} and stands at ${figure(learning.movement.end)}`,
          ),
        ],
      },
    ];
  },
});

/** Where it is recorded, most parameters get a gradient and most units one other than zero: else they do not move for want of one. */
function reachesWeights(view: RunView): boolean {
  const { reach, dead } = flowOf(view);
  const level = (curve: Curve | null, unknown: number): number =>
    curve && curve.finite.length > 0 ? median(finiteValues(curve)) : unknown;
  return level(reach, 1) > 0.5 && level(dead, 0) < 0.9;
}

/** A rate far below what its optimizer usually takes could leave the digits of a loss as they are. */
function isSmall(view: RunView, rate: number | null): boolean {
  const logged = view.curve('learning_rate');
  const usual = logged && logged.finite.length >= 3 ? median(finiteValues(logged)) : rate;
  return usual !== null && usual < 10 * usualLearningRates(view.task.optimizer)[0];
}

/** A loss of fewer digits repeats by itself once it is small. */
const enoughDigits = 3;

/** To the last digit what guessing among some number of classes loses: outputs are all alike, which those of weights at rest are not. */
function standsAtGuessing(curve: Curve): boolean {
  const loss = finiteValues(curve)[0]!;
  const classes = Math.round(Math.exp(loss));
  return (
    classes >= 2 &&
    classes <= mostClasses &&
    Math.abs(loss - Math.log(classes)) <= Math.max(roundingOf(loss), 1e-4)
  );
}

/** Of more classes the logarithms lie closer together than losses are printed. */
const mostClasses = 100;

/** The gradient neither grows nor shrinks: what it is taken at does not move. */
function steady(values: readonly number[]): boolean {
  const third = Math.max(2, Math.floor(values.length / 3));
  const ratio = median(values.slice(-third)) / median(values.slice(0, third));
  return ratio > 0.8 && ratio < 1.25;
}

function constant(values: readonly number[]): boolean {
  return values.every((value) => value === values[0]);
}
