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
 * Adam at 1e-8: loss 2.31 to 2.30 in 5,000 steps. Two rows are enough for that.
 *
 * ## Stays silent
 * When the loss fell, at the end of a schedule whose earlier part learned, and in fine-tuning at small but usual rates.
 */

import { peakLearningRate } from '../../features/configuration.js';
import { finiteValues } from '../../features/curve.js';
import { median, monotonicity } from '../../features/robust.js';
import { numberSetting, usualLearningRates } from '../../features/task.js';
import type { RunView } from '../../features/view.js';
import { heldOutStanding } from '../../health/standing.js';
import { figure } from '../../record/figures.js';
import { setting } from '../../record/run-record.js';
import { defineDetector, type Observation, type RunEvidence } from '../define.js';
import { citePoint, citeSetting } from '../shared/cite.js';
import { expectedFall, isGuessing } from '../shared/expected-fall.js';
import {
  chanceAccuracy,
  evaluationStopped,
  inputsCarryNothing,
  type Learning,
  learningOf,
  ranLongEnough,
  validationStandsStill,
} from '../shared/learning.js';

export const learningRateTooLow = defineDetector({
  id: 'optimization/learning-rate-too-low',
  subcause: 'learning_rate_too_low',
  role: 'root',
  signal: 'curve',
  needs: ['loss', 'learning_rate'],
  detect: (record, _features, { view }) => {
    const none = [...noRate(view), ...twoRows(view)];
    if (none.length > 0) return none;
    const learning = learningOf(view);
    const rate = peakLearningRate(view);
    const spent = learning ? spentEarly(view, learning) : [];
    if (!learning || spent.length > 0 || learning.movement.improvement > 0.1) return spent;
    const nothing = rate !== null && rate > 0 && rate <= usualLearningRates(view.task.optimizer)[0] / 10;
    const unmoved = nothing && (validationStandsStill(view) || barelyMoves(view));
    const [low] = usualLearningRates(view.task.optimizer);
    const crept =
      rate !== null && rate > 0 && rate < 3 * low && evaluationCreeps(view) && !view.task.fineTuning;
    const small = rate !== null && rate < low * 1.01;
    // Below every usual rate, a few rows that say the same are enough.
    const stayed =
      small &&
      rate > 0 &&
      Math.abs(learning.movement.improvement) < 0.01 &&
      heldOutStanding(view)?.kind !== 'beats';
    if ((rose(learning) && !unmoved) || learning.movement.count < (nothing || crept || stayed ? 3 : 8))
      return [];
    const ratios = view.curve('update_ratio');
    const gradient = view.curve('grad_norm');
    const share = ratios ? median(finiteValues(ratios)) : null;
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
    const creeping =
      rate === null &&
      creeps(finiteValues(learning.curve)) &&
      ranLongEnough(view) &&
      !inputsCarryNothing(view, chanceAccuracy(view, 'train'));
    // Only words that were learned before bear such a rate, whatever the optimizer.
    const slight =
      rate !== null &&
      rate < 1e-5 &&
      view.task.optimizer === 'unknown' &&
      view.task.loss !== 'language_model' &&
      !view.task.fineTuning &&
      learning.flat &&
      ranLongEnough(view);
    const warming = isWarming(view) && Math.abs(learning.movement.improvement) < 0.02;
    if (!small && !still && !hopeless && !creeping && !slight && !crept && !warming) return [];
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
              : creeping || crept || warming
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

/** The rate has grown by tenfold and more, is at its highest where the run ends, and is still below what any but a model taught by preferences takes. */
function isWarming(view: RunView): boolean {
  const rates = view.curve('learning_rate');
  const values = rates ? finiteValues(rates) : [];
  const peak = values.at(-1) ?? 0;
  return (
    values.length >= 5 &&
    values.every((value, index) => index === 0 || value > values[index - 1]!) &&
    values[0]! > 0 &&
    peak > 10 * values[0]! &&
    peak < 1e-5
  );
}

/** One batch that was easier than the others is no beginning: the first third of the points is. */
function rose({ curve, movement }: Learning): boolean {
  const values = finiteValues(curve);
  const third = Math.max(1, Math.floor(values.length / 3));
  return movement.improvement < -0.1 && median(values.slice(-third)) > 1.1 * median(values.slice(0, third));
}

/** A stated rate that is a tenth of the least that is usual or less moves nothing: two rows that say the same agree with what is known already. */
function twoRows(view: RunView): Observation[] {
  const rate = numberSetting(view.record, 'learning_rate');
  const entry = setting(view.record, 'learning_rate');
  const loss = view.curve('loss');
  if (rate === null || !entry || !loss || loss.finite.length !== 2 || view.task.fineTuning) return [];
  const [first, last] = finiteValues(loss) as [number, number];
  const [low] = usualLearningRates(view.task.optimizer);
  if (rate <= 0 || rate > low / 10 || Math.abs(last - first) > 0.01 * Math.abs(first)) return [];
  if (heldOutStanding(view)?.kind === 'beats') return [];
  return [
    {
      strength: 0.72,
      onset: loss.steps[loss.finite[0]!]!,
      evidence: [
        citeSetting(entry),
        citePoint(loss, loss.finite[1]!, `${loss.name} moved from ${figure(first)} to ${figure(last)} only`),
      ],
    },
  ];
}

/** No number of a usual weight is changed by a step of this size. */
const noStep = 1e-12;

/** Every logged rate is 0, as far as it was printed or as far as it matters, and every evaluation gives the same: no step was made that matters. */
function noRate(view: RunView): Observation[] {
  const rates = view.curve('learning_rate');
  const held = view.curve('loss', 'eval') ?? view.curve('perplexity', 'eval');
  const losses = held ? finiteValues(held) : [];
  if (!rates || !held || rates.length < 2 || losses.length < 2) return [];
  if (rates.values.some((value) => !(value < noStep)) || losses.some((value) => value !== losses[0]))
    return [];
  if (losses[0]! < 0.01) return [];
  return [
    {
      strength: 0.8,
      onset: rates.steps[0]!,
      evidence: [
        citePoint(
          rates,
          rates.length - 1,
          `${rates.name} is never above ${figure(Math.max(...rates.values))}`,
        ),
        citePoint(held, held.finite.at(-1)!, `and ${held.name} is ${figure(losses[0]!)} at every evaluation`),
      ],
    },
  ];
}

/** The schedule reached next to nothing in the first half of the run, and the loss, far from its goal, has stood still since. */
function spentEarly(view: RunView, learning: Learning): Observation[] {
  const rates = view.curve('learning_rate');
  if (!rates || rates.finite.length < 5) return [];
  const last = rates.steps.at(-1)!;
  const peak = Math.max(...finiteValues(rates), numberSetting(view.record, 'learning_rate') ?? 0);
  const from = rates.values.findLastIndex((value) => value > 1e-3 * peak) + 1;
  if (from >= rates.length || rates.steps[from]! > 0.5 * last) return [];
  // Gone before a tenth of the run was over, or at the second rate that was logged, and held-out data is the same to the last digit ever since.
  if ((from <= 1 || rates.steps[from]! <= 0.1 * last) && evaluationStopped(view))
    return [
      {
        strength: 0.85,
        onset: rates.steps[from]!,
        evidence: [
          citePoint(
            rates,
            from,
            `the learning rate is ${figure(rates.values[from]!)} from here on, and no evaluation differs from the first`,
          ),
        ],
      },
    ];
  const rest = learning.curve.finite
    .filter((index) => learning.curve.steps[index]! >= rates.steps[from]!)
    .map((index) => learning.curve.values[index]!);
  const half = Math.floor(rest.length / 2);
  const level = median(rest.slice(half));
  const stands = rest.length >= 4 && level > 0.97 * median(rest.slice(0, half));
  const accuracy = view.curve('accuracy');
  // For nearly the whole run there was no rate at all: a fair score is then that of the most frequent class, unless held-out data proves otherwise.
  const atOnce =
    rates.steps[from]! <= 0.05 * last &&
    rates.finite.every((index) => rates.steps[index]! < 0.1 * last || rates.values[index]! < 1e-6 * peak);
  const fair = accuracy !== null && median(finiteValues(accuracy).slice(-5)) > 0.6;
  const good = fair && !(atOnce && heldOutStanding(view)?.kind !== 'beats');
  if (!stands || good || level < 0.3 * learning.curve.values[learning.curve.finite[0]!]!) return [];
  return [
    {
      strength: 0.74,
      onset: rates.steps[from]!,
      evidence: [
        citePoint(rates, from, `the learning rate is ${figure(rates.values[from]!)} from here on`),
        citePoint(
          learning.curve,
          learning.curve.finite.at(-1)!,
          `and ${learning.curve.name} stands at ${figure(level)} since`,
        ),
      ],
    },
  ];
}

/** Held-out data, which draws nothing at random, loses the same to the third digit at every evaluation. */
function barelyMoves(view: RunView): boolean {
  const curve = view.curve('loss', 'eval');
  const values = curve ? finiteValues(curve) : [];
  return values.length >= 3 && Math.max(...values) - Math.min(...values) < 2e-3 * Math.abs(values[0]!);
}

/** Every evaluation is a little better than the one before, as only moving weights make it, and all of them together have come nowhere. */
function evaluationCreeps(view: RunView): boolean {
  const curve = view.curve('loss', 'eval');
  const values = curve ? finiteValues(curve) : [];
  return (
    values.length >= 3 &&
    values.every((value, index) => index === 0 || value < values[index - 1]!) &&
    values[0]! - values.at(-1)! < 0.005 * Math.abs(values[0]!)
  );
}

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
