/**
 * # The loss diverges
 *
 * ## What
 * The training loss left its best level by many times its own noise and did not come back.
 *
 * ## Why
 * The optimisation is unstable; learning rate, outlier batches and precision are the usual suspects, and narrower
 * detectors speak when one of them shows.
 *
 * ## Example
 * 2.1 at step 4,000; 3.5 at 4,100; 6.9 from 4,300 to the end.
 *
 * ## Stays silent
 * For spikes that heal, for a new curriculum stage after which the loss falls again, for noise, and for rewards.
 */
import { defineDetector } from '../define.js';
import { divergenceOf, scheduleChangeBefore } from '../shared/divergence.js';

export const divergence = defineDetector({
  id: 'optimization/divergence',
  subcause: 'divergence',
  role: 'root',
  signal: 'curve',
  needs: ['loss'],
  detect: (_record, _features, { view }) => {
    const found = divergenceOf(view);
    if (!found || scheduleChangeBefore(view, found.step)) return [];
    return [{ strength: found.deviations > 20 ? 0.8 : 0.7, onset: found.step, evidence: found.evidence }];
  },
});
