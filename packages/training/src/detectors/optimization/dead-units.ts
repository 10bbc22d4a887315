/**
 * # Most units are dead
 *
 * ## What
 * A recorded share of units that are always zero is high, or the gradient became exactly zero while the loss stands still
 * away from zero. Or the loss repeats the logarithm of the
 * number of classes to the last digit: every input gets the same answer.
 *
 * ## Why
 * A ReLU pushed below zero for every input has no gradient and never returns: a large first step or a bias does it.
 *
 * ## Example
 * `dead_fraction` 0.97 in every layer; loss 2.3026 to the last digit from step 12 on with gradient norm 0.
 *
 * ## Stays silent
 * For a loss at zero (nothing left to learn), and when norms were zero from the first step on (nothing is trained, or it is not computed).
 */
import { finiteValues } from '../../features/curve.js';
import { median } from '../../features/robust.js';
import { figure } from '../../record/figures.js';
import { defineDetector } from '../define.js';
import { citePoint } from '../shared/cite.js';
import { learningRateExcess } from '../shared/divergence.js';
import { learningOf } from '../shared/learning.js';
import { sameAnswer } from '../shared/same-answer.js';

export const deadUnits = defineDetector({
  id: 'optimization/dead-units',
  subcause: 'dead_units',
  role: 'root',
  signal: 'curve',
  needs: ['gradient', 'loss'],
  detect: (_record, _features, { view }) => {
    const learning = learningOf(view);
    const dead = view.curve('dead_fraction');
    const share = dead ? median(finiteValues(dead).slice(-5)) : null;
    const first = learning ? learning.curve.values[learning.curve.finite[0]!]! : 0;
    const learns =
      share !== null && share >= 0.95
        ? learning !== null && first - learning.movement.end > 0.3 * Math.abs(first)
        : learning?.fell;
    if (dead && share !== null && share >= 0.7 && !learns)
      return [
        {
          strength: share >= 0.9 ? 0.92 : 0.8,
          onset: dead.steps[dead.finite[0]!]!,
          evidence: [
            citePoint(dead, dead.finite.at(-1)!, `${figure(share * 100)} % of the units are always zero`),
          ],
        },
      ];
    const same = sameAnswer(view);
    if (same)
      return [
        {
          subcause:
            same.thrown || (learningRateExcess(view)?.rate ?? 0) >= 0.05
              ? 'learning_rate_too_high'
              : 'dead_units',
          strength: 0.8,
          onset: same.curve.steps[same.index]!,
          evidence: [
            citePoint(
              same.curve,
              same.index,
              `${same.curve.name} repeats the logarithm of ${same.classes} to the last digit from here on: every input gets the same answer`,
            ),
          ],
        },
      ];
    const gradient = view.curve('grad_norm');
    if (!gradient || !learning || gradient.finite.length < 6) return [];
    const values = finiteValues(gradient);
    const alive = values.findLastIndex((value) => value > 1e-12);
    if (alive < 0 || alive > values.length - 4 || learning.movement.end < 1e-3) return [];
    const index = gradient.finite[alive + 1]!;
    return [
      {
        strength: learning.frozen || learning.movement.noise < 1e-6 ? 0.85 : 0.7,
        onset: gradient.steps[index]!,
        evidence: [
          citePoint(
            gradient,
            index,
            `${gradient.name} is exactly 0 from here on, with ${learning.curve.name} at ${figure(learning.movement.end)}`,
          ),
        ],
      },
    ];
  },
});
