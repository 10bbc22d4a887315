/**
 * # One rank's data loader does not deliver
 *
 * ## What
 * The stack of the rank that the others wait for is in its data loader.
 *
 * ## Why
 * A shard, a mount or a worker of one rank hangs. The others wait in a collective and report a time-out.
 *
 * ## Example
 * Ranks 0 to 2 are in `all_reduce`, rank 3 is in `_next_data (dataloader.py:734)`.
 *
 * ## Stays silent
 * When the run completed, without a stack, and while a rank's own error is on record.
 */
import { defineDetector } from '../define.js';
import { fromStoppage } from '../shared/stoppage.js';

export const loaderStall = defineDetector({
  id: 'distributed/loader-stall',
  subcause: 'loader_stall',
  role: 'root',
  signal: 'exit',
  needs: [],
  outweighs: ['text'],
  detect: (_record, _features, { view }) => fromStoppage(view, 'loader_stall'),
});
