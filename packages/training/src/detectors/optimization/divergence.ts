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
import type { RunView } from '../../features/view.js';
import { defineDetector, type Observation } from '../define.js';
import { divergenceOf, scheduleChangeBefore } from '../shared/divergence.js';
import { lostScore } from '../shared/held-out.js';
import { nonFiniteOf } from '../shared/nonfinite.js';

export const divergence = defineDetector({
  id: 'optimization/divergence',
  subcause: 'divergence',
  role: 'root',
  signal: 'curve',
  needs: ['loss'],
  detect: (_record, _features, { view }) => {
    const found = divergenceOf(view);
    if (!found) return [...brokeUnseen(view), ...scoreLost(view)].slice(0, 1);
    if (scheduleChangeBefore(view, found.step)) return [];
    return [{ strength: found.deviations > 20 ? 0.8 : 0.7, onset: found.step, evidence: found.evidence }];
  },
});

/** NaN somewhere between two logged points of a run that had been going: what grew, or did not, was not logged. */
function brokeUnseen(view: RunView): Observation[] {
  const broken = nonFiniteOf(view);
  if (!broken || Math.max(...Object.values(broken.scores)) >= 0.6) return [];
  const before = Math.min(
    ...view
      .curves('loss')
      .map((curve) => curve.finite.filter((index) => curve.steps[index]! < broken.step).length),
  );
  const norms = view.curve('grad_norm');
  // The gradients never were finite: it did not break, it was broken.
  if (norms && norms.finite.length === 0) return [];
  // Many good points before would have shown growth; none at all, and it may have been broken from the start.
  if (before > 2 || (before === 0 && broken.step < 1000)) return [];
  return [{ strength: 0.63, onset: broken.step, evidence: broken.evidence }];
}

function scoreLost(view: RunView): Observation[] {
  const lost = lostScore(view);
  if (!lost) return [];
  return [
    {
      strength: 0.72,
      onset: lost.step,
      evidence: lost.evidence,
      ...(lost.reversals >= 3 ? { subcause: 'oscillation' as const } : {}),
    },
  ];
}
