/**
 * # The learning rate is too low
 *
 * ## What
 * The loss barely moves although gradients flow, and the learning rate is below what the optimizer family needs, or
 * updates are a tiny share of the weights.
 *
 * ## Why
 * A wrong exponent, a schedule that decays to nothing too soon, a warm-up as long as the run, a rate divided by the
 * accumulation steps twice.
 *
 * ## Example
 * Adam at 1e-8: loss 2.31 to 2.30 in 5,000 steps.
 *
 * ## Stays silent
 * When the loss fell, at the end of a schedule whose earlier part learned, and in fine-tuning at small but usual rates.
 */

import { peakLearningRate } from '../../features/configuration.js';
import { finiteValues } from '../../features/curve.js';
import { median, monotonicity } from '../../features/robust.js';
import { usualLearningRates } from '../../features/task.js';
import { setting } from '../../record/run-record.js';
import { defineDetector, type RunEvidence } from '../define.js';
import { citePoint, citeSetting, figure } from '../shared/cite.js';
import { expectedFall, isGuessing } from '../shared/expected-fall.js';
import { learningOf, ranLongEnough } from '../shared/learning.js';

export const learningRateTooLow = defineDetector({
  id: 'optimization/learning-rate-too-low',
  title: 'The learning rate is too low',
  subcause: 'learning_rate_too_low',
  role: 'root',
  signal: 'curve',
  needs: ['loss', 'learning_rate'],
  detect: (record, _features, { view }) => {
    const learning = learningOf(view);
    const rate = peakLearningRate(view);
    if (!learning || learning.movement.improvement > 0.1) return [];
    if (learning.movement.improvement < -0.1 || learning.movement.count < 8) return [];
    const ratios = view.curve('update_ratio');
    const gradient = view.curve('grad_norm');
    const share = ratios ? median(finiteValues(ratios)) : null;
    const [low] = usualLearningRates(view.task.optimizer);
    const small = rate !== null && rate < low * 1.01;
    const still = share !== null && share > 0 && share < 1e-6;
    const expected = expectedFall(view);
    const guessing = isGuessing(view, learning.movement.end);
    const hopeless =
      expected !== null &&
      learning.flat &&
      ranLongEnough(view) &&
      (guessing
        ? expected < 0.01 * Math.abs(learning.movement.start)
        : !view.task.fineTuning &&
          record.settings.length >= 3 &&
          expected < 0.001 * Math.abs(learning.movement.start));
    const creeping = rate === null && creeps(finiteValues(learning.curve)) && ranLongEnough(view);
    if (!small && !still && !hopeless && !creeping) return [];
    const curve = view.curve('learning_rate');
    const entry = setting(record, 'learning_rate');
    const cited: RunEvidence[] =
      curve && rate !== null && curve.values.indexOf(rate) >= 0
        ? [citePoint(curve, curve.values.indexOf(rate), `the learning rate never exceeds ${figure(rate)}`)]
        : entry
          ? [citeSetting(entry)]
          : [];
    if (ratios && still)
      cited.push(citePoint(ratios, ratios.finite.at(-1)!, `updates are ${figure(share)} of the weights`));
    const far = rate !== null && rate <= low / 10;
    return [
      {
        strength:
          rate === 0 || still || far
            ? 0.9
            : view.task.fineTuning
              ? 0.5
              : creeping
                ? 0.72
                : small || still || guessing
                  ? 0.78
                  : 0.64,
        onset: learning.curve.steps[learning.curve.finite[0]!]!,
        evidence: [
          citePoint(
            learning.curve,
            learning.curve.finite.at(-1)!,
            `${learning.curve.name} moved from ${figure(learning.movement.start)} to ${figure(learning.movement.end)} only`,
          ),
          ...cited,
          ...(hopeless && gradient
            ? [
                citePoint(
                  gradient,
                  gradient.finite.at(-1)!,
                  `with gradients of ${figure(median(finiteValues(gradient)))} the loss could fall by ${figure(expected)} in the whole run`,
                ),
              ]
            : []),
        ],
      },
    ];
  },
});

/** Falls from point to point all the time, and has come nowhere: the weights move, by next to nothing. */
function creeps(values: readonly number[]): boolean {
  const first = values[0]!;
  return (
    values.length >= 8 &&
    monotonicity(values) < -0.9 &&
    first - values.at(-1)! < 0.005 * Math.abs(first) &&
    values.at(-1)! < first
  );
}
