/**
 * # Gradients are never set to zero
 *
 * ## What
 * The gradient norm grows all the time to many times its first level and hardly changes from one step to the next, while the loss
 * varies from batch to batch as ever and does not explode.
 *
 * ## Why
 * Without `optimizer.zero_grad()` each step adds its gradient to the sum of all before it: the sum is smooth, grows, and pulls the
 * weights past every minimum.
 *
 * ## Example
 * Gradient norm 0.4 at the first step, 19.7 at the last, each within a percent of the one before; the loss swings between 0.2 and 1.4.
 *
 * ## Stays silent
 * When the loss is as smooth as the gradient (whole batches), when the norm grows less than eightfold, and when loss or norm are not
 * logged step by step.
 */
import { type Curve, finiteValues } from '../../features/curve.js';
import { median, monotonicity } from '../../features/robust.js';
import { figure } from '../../record/figures.js';
import { defineDetector } from '../define.js';
import { citePoint } from '../shared/cite.js';
import { learningOf } from '../shared/learning.js';
import { nonFiniteOf } from '../shared/nonfinite.js';

export const gradientsNotCleared = defineDetector({
  id: 'model/gradients-not-cleared',
  subcause: 'code_error',
  role: 'root',
  signal: 'curve',
  needs: ['gradient', 'loss'],
  detect: (_record, _features, { view }) => {
    const norms = view.curve('grad_norm');
    const learning = learningOf(view);
    if (!norms || !learning?.fell || !stepByStep(norms) || nonFiniteOf(view)) return [];
    const values = finiteValues(norms);
    const later = values.slice(Math.floor(values.length / 4));
    const first = Math.max(...values.slice(0, 2));
    const last = median(values.slice(-Math.ceil(values.length / 5)));
    const smoothness = change(later);
    const unrest = change(finiteValues(learning.curve).slice(Math.floor(learning.curve.finite.length / 4)));
    if (last < 8 * first || monotonicity(values) < 0.4) return [];
    if (smoothness > 0.05 || unrest < 4 * smoothness) return [];
    return [
      {
        strength: 0.76,
        onset: norms.steps[norms.finite[0]!]!,
        evidence: [
          citePoint(norms, norms.finite[0]!, `${norms.name} begins at ${figure(first)}`),
          citePoint(
            norms,
            norms.finite.at(-1)!,
            `and has grown to ${figure(last)}, changing by ${figure(100 * smoothness)} % from step to step while the loss changes by ${figure(100 * unrest)} %: a sum over all steps`,
          ),
        ],
      },
    ];
  },
});

/** Nearly every step is on record: a change from point to point is one from step to step. */
function stepByStep(curve: Curve): boolean {
  const span = curve.steps.at(-1)! - curve.steps[0]!;
  return curve.finite.length >= 40 && span <= 2 * curve.length;
}

/** The usual relative change from one point to the next. */
function change(values: readonly number[]): number {
  return median(
    values
      .slice(1)
      .map((value, index) => Math.abs(value - values[index]!) / (Math.abs(values[index]!) + 1e-12)),
  );
}
