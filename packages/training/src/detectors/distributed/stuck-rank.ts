/**
 * # One rank stands still in its own code
 *
 * ## What
 * The stack of the rank that the others wait for is in the user's code, in a lock or in a loop.
 *
 * ## Why
 * A lock that is taken twice, a loop without an end or a call without a timeout stops all ranks.
 *
 * ## Example
 * Ranks 0, 1 and 3 are in `all_reduce`, rank 2 is in `log_metrics (train.py:71)`.
 *
 * ## Stays silent
 * Without a stack of that rank, when it waits for data or storage, and when the run completed.
 */
import { defineDetector } from '../define.js';
import { fromStoppage } from '../shared/stoppage.js';

export const stuckRank = defineDetector({
  id: 'distributed/stuck-rank',
  subcause: 'stuck_rank',
  role: 'root',
  signal: 'exit',
  needs: [],
  outweighs: ['text'],
  detect: (_record, _features, { view }) => fromStoppage(view, 'stuck_rank'),
});
