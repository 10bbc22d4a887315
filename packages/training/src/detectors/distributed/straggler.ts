/**
 * # One rank is slower than the others
 *
 * ## What
 * One rank needs much more time than the others, for most of the run: by the times that the ranks recorded, or because it is the highest
 * in one phase of a step and the lowest in the phase where the others wait. A table with a row for every rank shows the same of one rank,
 * or of all ranks of one host. Or a tool finds the clocks of one device held down, in a run that became slower.
 *
 * ## Why
 * Synchronous training goes at the pace of its slowest rank: a throttled device, or an uneven shard.
 *
 * ## Example
 * Ranks 0 to 6 take 0.40 s before the collective, rank 7 takes 0.71 s.
 *
 * ## Stays silent
 * For a rank that waits for its data, and for collectives that are slow on all ranks: these are causes of their own. With fewer
 * than two ranks of step times, and for a rank that is slow only now and then.
 */
import { slowIn } from '../../ranks/slow/slow.js';
import { defineDetector } from '../define.js';
import { citeSlow } from '../shared/pace.js';

export const straggler = defineDetector({
  id: 'distributed/straggler',
  subcause: 'straggler',
  role: 'root',
  signal: 'curve',
  needs: ['throughput'],
  detect: (record, _features, { view }) => citeSlow(slowIn(view), 'work', record, 'gpu_throttled'),
});
