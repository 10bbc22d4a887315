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
 * Unless updates are recorded as zero or losses repeat exactly: a flat loss alone has other causes.
 */

import { peakLearningRate } from '../../features/configuration.js';
import { finiteValues } from '../../features/curve.js';
import { median } from '../../features/robust.js';
import { defineDetector } from '../define.js';
import { citePoint, figure } from '../shared/cite.js';
import { learningOf, ranLongEnough } from '../shared/learning.js';
import { fromFailure } from '../shared/match.js';

export const foreignParameters = defineDetector({
  id: 'model/foreign-parameters',
  title: "The optimizer does not hold the model's parameters",
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
    if (said.length > 0 || !learning || learning.fell || !ranLongEnough(view)) return said;
    const gradient = view.curve('grad_norm');
    const flowing = gradient ? median(finiteValues(gradient)) : 0;
    const rate = peakLearningRate(view);
    if (!gradient || flowing < 1e-6 || rate === 0) return [];
    const ratio = view.curve('update_ratio');
    const norms = view.curve('param_norm');
    const unmoved =
      (ratio && ratio.finite.length >= 5 && finiteValues(ratio).every((value) => value === 0)) ||
      (norms && norms.finite.length >= 5 && constant(finiteValues(norms)));
    if (!unmoved && !learning.frozen) return [];
    const witness = ratio && unmoved ? ratio : norms && unmoved ? norms : learning.curve;
    return [
      {
        strength: unmoved ? 0.92 : 0.84,
        onset: learning.curve.steps[learning.curve.finite[0]!]!,
        evidence: [
          citePoint(gradient, gradient.finite.at(-1)!, `gradients flow: median norm ${figure(flowing)}`),
          citePoint(
            witness,
            witness.finite.at(-1)!,
            unmoved
              ? `${witness.name} shows that no weight changes`
              : `${witness.name} repeats to the last digit`,
          ),
        ],
      },
    ];
  },
});

function constant(values: readonly number[]): boolean {
  return values.every((value) => value === values[0]);
}
