/**
 * # All labels are the same
 *
 * ## What
 * The batches' smallest and largest labels are equal in every recorded batch.
 *
 * ## Why
 * A column read twice, a filter that keeps one class, or data sorted by class: the model answers one class and the loss
 * falls to nothing.
 *
 * ## Example
 * `label_min` 0 and `label_max` 0 at every step, loss 1e-6 after fifty.
 *
 * ## Stays silent
 * Without recorded labels: a loss that falls to zero may be an easy task.
 */
import { finiteValues } from '../../features/curve.js';
import { defineDetector } from '../define.js';
import { citePoint, figure } from '../shared/cite.js';

export const degenerateLabels = defineDetector({
  id: 'data/degenerate-labels',
  title: 'All labels are the same',
  subcause: 'degenerate_labels',
  role: 'root',
  signal: 'data',
  needs: ['batch'],
  detect: (_record, _features, { view }) => {
    const high = view.curve('label_max');
    const low = view.curve('label_min');
    if (!high || !low || high.finite.length < 5) return [];
    const top = Math.max(...finiteValues(high));
    const bottom = Math.min(...finiteValues(low));
    if (top !== bottom || view.task.loss === 'regression') return [];
    return [
      {
        strength: 0.88,
        onset: high.steps[0]!,
        evidence: [
          citePoint(high, high.finite.at(-1)!, `every label of every recorded batch is ${figure(top)}`),
        ],
      },
    ];
  },
});
