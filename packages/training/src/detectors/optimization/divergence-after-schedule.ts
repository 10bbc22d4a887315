/**
 * # The loss diverges after the learning rate changed
 *
 * ## What
 * The loss diverged, or became NaN, within a short reach after the learning rate was raised.
 *
 * ## Why
 * A resumed schedule that starts over, a warm restart, a phase with another rate: the weights are at a place that bears
 * only the smaller one.
 *
 * ## Example
 * Rate 1e-4 until step 600, 3e-3 from there; loss 1.9 at 600, 7.4 at 640.
 *
 * ## Stays silent
 * During a warm-up, and for restarts after which the loss falls again.
 */
import { defineDetector } from '../define.js';
import { divergenceOf, scheduleChangeBefore } from '../shared/divergence.js';
import { nonFiniteOf } from '../shared/nonfinite.js';

export const divergenceAfterSchedule = defineDetector({
  id: 'optimization/divergence-after-schedule',
  subcause: 'divergence_after_schedule',
  role: 'root',
  signal: 'curve',
  needs: ['loss', 'learning_rate'],
  detect: (_record, _features, { view }) => {
    const diverged = divergenceOf(view);
    const broken = nonFiniteOf(view);
    const step = Math.min(
      diverged?.step ?? Number.POSITIVE_INFINITY,
      broken?.step ?? Number.POSITIVE_INFINITY,
    );
    if (!Number.isFinite(step)) return [];
    const jump = scheduleChangeBefore(view, step);
    if (!jump) return [];
    return [
      {
        strength: 0.95,
        onset: jump.step,
        evidence: [jump.evidence, ...(diverged?.evidence ?? []), ...(broken?.evidence ?? [])],
      },
    ];
  },
});
