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
import { finiteValues } from '../../features/curve.js';
import { median } from '../../features/robust.js';
import type { RunView } from '../../features/view.js';
import { setting } from '../../record/run-record.js';
import { defineDetector, type Observation, type RunEvidence } from '../define.js';
import { citePoint, citeSetting, figure } from '../shared/cite.js';
import { divergenceOf, learningRateExcess, scheduleChangeBefore } from '../shared/divergence.js';
import { learningOf } from '../shared/learning.js';
import { nonFiniteOf } from '../shared/nonfinite.js';

export const learningRateTooHigh = defineDetector({
  id: 'optimization/learning-rate-too-high',
  title: 'The learning rate is too high',
  subcause: 'learning_rate_too_high',
  role: 'root',
  signal: 'curve',
  needs: ['loss', 'learning_rate'],
  detect: (_record, _features, { view }) => {
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
        { strength, onset: broken.step, evidence: [...broken.evidence, ...broken.reasons.growth, ...rate] },
      ];
    }
    const diverged = divergenceOf(view);
    if (diverged) {
      const early = diverged.index <= Math.max(10, 0.15 * diverged.curve.length);
      const changed = scheduleChangeBefore(view, diverged.step) !== null;
      const strength = changed ? 0.7 : rate.length > 0 ? 0.93 : early ? 0.74 : 0.55;
      return [{ strength, onset: diverged.step, evidence: [...diverged.evidence, ...rate] }];
    }
    return rate.length > 0 ? stuckHigh(view, rate) : [];
  },
});

/** Thrown far off in the first steps, then no better than at the start: common with adaptive optimizers. */
function stuckHigh(view: RunView, rate: readonly RunEvidence[]): Observation[] {
  const learning = learningOf(view);
  if (!learning || learning.movement.count < 8) return [];
  const values = finiteValues(learning.curve);
  const start = values[0]!;
  const early = Math.max(...values.slice(1, Math.max(3, Math.floor(values.length / 4))));
  const end = median(values.slice(-Math.max(3, Math.floor(values.length / 5))));
  const stuck = end >= start - Math.max(0.03 * Math.abs(start), 2 * learning.movement.noise);
  if (!stuck) return [];
  const thrown = early > 1.5 * start;
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

function citeRate(view: RunView, rate: number): RunEvidence[] {
  const curve = view.curve('learning_rate');
  const index = curve ? curve.values.indexOf(rate) : -1;
  const family = view.task.optimizerName ?? 'the optimizer';
  if (curve && index >= 0)
    return [citePoint(curve, index, `learning rate ${figure(rate)}, high for ${family}`)];
  const entry = setting(view.record, 'learning_rate');
  return entry ? [citeSetting(entry)] : [];
}
