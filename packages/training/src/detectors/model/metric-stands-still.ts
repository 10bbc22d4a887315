/**
 * # What is measured does not follow what is learned
 *
 * ## What
 * The loss falls far, on held-out data too, and the accuracy is exactly zero at every evaluation.
 *
 * ## Why
 * The score is computed wrongly: predictions and labels of different codings are compared, the wrong axis, a threshold that nothing
 * passes, labels that begin at one. The model may be fine.
 *
 * ## Example
 * Validation loss 2.2, 1.1, 0.5, 0.3; validation accuracy 0.0, 0.0, 0.0, 0.0.
 *
 * ## Stays silent
 * While the loss has not fallen far, and when a single evaluation had a right answer, or another score of the same evaluations is above zero.
 */
import { finiteValues } from '../../features/curve.js';
import { figure } from '../../record/figures.js';
import { defineDetector } from '../define.js';
import { citePoint } from '../shared/cite.js';
import { scoreContradictsLoss } from '../shared/contradiction.js';

export const metricStandsStill = defineDetector({
  id: 'model/metric-stands-still',
  subcause: 'code_error',
  role: 'root',
  signal: 'curve',
  needs: ['loss', 'eval'],
  detect: (_record, _features, { view }) => {
    const found = scoreContradictsLoss(view);
    if (!found) return [];
    const { score, loss } = found;
    // One of several scores may ask for more than anything reaches: that of whole answers beside that of words.
    const others = (['eval', 'test'] as const)
      .flatMap((split) => [...view.curves('accuracy', split), ...view.curves('f1', split)])
      .filter(({ name }) => name !== score.name);
    if (others.some((other) => finiteValues(other).some((value) => value > 0))) return [];
    const values = finiteValues(loss);
    return [
      {
        strength: 0.85,
        onset: score.steps[score.finite[0]!]!,
        evidence: [
          citePoint(
            score,
            score.finite.at(-1)!,
            `${score.name} is zero at each of ${score.finite.length} evaluations`,
          ),
          citePoint(
            loss,
            loss.finite.at(-1)!,
            `while ${loss.name} fell from ${figure(values[0]!)} to ${figure(values.at(-1)!)}`,
          ),
        ],
      },
    ];
  },
});
