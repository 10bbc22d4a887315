/**
 * # A numerically unstable operation makes NaN
 *
 * ## What
 * The loss or a gradient broke at once, without growth, with clean inputs or with autograd naming the function.
 *
 * ## Why
 * log(0), a division by a zero norm, sqrt at zero in the backward pass, exp of a large score.
 *
 * ## Example
 * `RuntimeError: Function 'LogBackward0' returned nan values in its 0th output.`; loss 0.7, 0.5, inf, NaN.
 *
 * ## Stays silent
 * When loss or gradients grew first, under fp16 overflow, and when the inputs were NaN.
 */
import { defineDetector } from '../define.js';
import { fromFailure } from '../shared/match.js';
import { handsOn, nonFiniteOf } from '../shared/nonfinite.js';

export const unstableOperation = defineDetector({
  id: 'optimization/unstable-operation',
  subcause: 'unstable_operation',
  role: 'root',
  signal: 'curve',
  needs: ['loss', 'batch'],
  detect: (_record, _features, { view }) => {
    const said = fromFailure(
      view,
      /Function '?\w+'? returned nan values|math domain error|invalid value (\(\w+\) )?encountered in (log|sqrt|rsqrt|div|true_divide|pow|arc|acos|asin)|divide by zero encountered in log/i,
      { strength: 0.9, when: ({ text }) => !handsOn(text) },
    );
    const found = nonFiniteOf(view);
    if (said.length > 0 || !found || found.scores.operation < 0.3) return said;
    // Nothing but the NaN itself: whatever made it left no trace here.
    const seen = view.curves('loss').some((curve) => curve.finite.length > 0);
    if (!seen && found.reasons.operation.length === 0 && found.scores.operation < 0.5) return [];
    return [
      {
        strength: found.scores.operation,
        onset: found.step,
        evidence: [...found.evidence, ...found.reasons.operation],
      },
    ];
  },
});
