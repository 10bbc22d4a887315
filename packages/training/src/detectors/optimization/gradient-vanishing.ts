/**
 * # Gradients vanish
 *
 * ## What
 * The gradient norm is vanishingly small, or fell by a factor of a thousand, while the loss had not improved.
 *
 * ## Why
 * Saturated activations, deep chains without residuals or normalisation, sigmoid outputs on a squared error.
 *
 * ## Example
 * Norm 3e-9 from the first steps on, loss 0.693 at every step.
 *
 * ## Stays silent
 * When the loss is low or fell (a converged model has small gradients), when every logged norm is exactly zero, and when
 * the learning rate itself is zero.
 */
import { departure, finiteValues } from '../../features/curve.js';
import { median } from '../../features/robust.js';
import { defineDetector } from '../define.js';
import { citePoint, figure } from '../shared/cite.js';
import { learningOf, ranLongEnough } from '../shared/learning.js';

export const gradientVanishing = defineDetector({
  id: 'optimization/gradient-vanishing',
  title: 'Gradients vanish',
  subcause: 'gradient_vanishing',
  role: 'root',
  signal: 'curve',
  needs: ['gradient', 'loss'],
  detect: (_record, _features, { view }) => {
    const gradient = view.curve('grad_norm');
    const learning = learningOf(view);
    if (!gradient || !learning || gradient.finite.length < 5 || !ranLongEnough(view)) return [];
    const values = finiteValues(gradient);
    const level = median(values.slice(Math.floor(values.length / 2)));
    if (values.every((value) => value === 0) || learning.movement.improvement > 0.1) return [];
    const scale = Math.abs(learning.movement.start) + 1e-12;
    const tiny = level < 1e-5 * scale;
    const fallen = departure(gradient, { direction: 'down', minRatio: 300 });
    if (!tiny && !fallen) return [];
    if (!learning.flat && learning.fell) return [];
    const index = fallen?.index ?? gradient.finite[0]!;
    return [
      {
        strength: tiny && learning.flat ? 0.9 : 0.75,
        onset: gradient.steps[index]!,
        evidence: [
          citePoint(gradient, gradient.finite.at(-1)!, `${gradient.name} is ${figure(level)}`),
          citePoint(
            learning.curve,
            learning.curve.finite.at(-1)!,
            `${learning.curve.name} stays at ${figure(learning.movement.end)}`,
          ),
        ],
      },
    ];
  },
});
