/**
 * # The loss is diverging
 *
 * ## What
 * The loss left its best level far beyond its noise, lost most of what had been gained, and keeps rising.
 *
 * ## Why
 * A run that diverges rarely comes back by itself; every further step is wasted.
 *
 * ## Stays silent
 * For spikes that heal, noise, curriculum jumps that fall again, warm restarts of the learning rate that stay below the
 * first loss, and for a while after a restart.
 */
import { divergenceOf, scheduleChangeBefore } from '../../detectors/shared/divergence.js';
import { finiteValues } from '../../features/curve.js';
import { median, monotonicity } from '../../features/robust.js';
import { definePrecursor } from '../define.js';
import { tailOf } from '../tail.js';

export const lossRise = definePrecursor({
  id: 'loss-rise',
  title: 'The loss is diverging',
  subcause: 'divergence',
  expected: 'the loss diverges',
  looks: 2,
  look: ({ record, view }) => {
    const found = divergenceOf(view);
    if (found === null || (record.restarts.length > 0 && newStretch(found.curve.series) < 30)) return [];
    const values = finiteValues(found.curve);
    const risen = found.curve.finite
      .filter((index) => index >= found.index)
      .map((index) => found.curve.values[index]!);
    if (values.length < 20 || risen.length < 6 || monotonicity(risen) < 0.25) return [];
    const start = median(values.slice(0, 3));
    const changed = scheduleChangeBefore(view, found.step);
    if (changed !== null && found.end < 1.2 * start) return [];
    return [
      {
        step: found.step,
        evidence: [...found.evidence, ...(changed ? [changed.evidence] : [])],
        subcause: changed ? 'divergence_after_schedule' : 'divergence',
        leadSteps: 0,
      },
    ];
  },
});

/** Points since the run last went back. */
function newStretch(series: Parameters<typeof tailOf>[0]): number {
  return tailOf(series)?.values.length ?? 0;
}
