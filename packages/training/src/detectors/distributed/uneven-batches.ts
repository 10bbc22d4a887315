/**
 * # One rank ran out of batches before the others
 *
 * ## What
 * The rank that the others wait for has said that its training is over, or ended with code 0.
 *
 * ## Why
 * Each step needs every rank. A shard with one batch less ends the loop of its rank early.
 *
 * ## Example
 * Ranks 0 and 1 are in `all_reduce` 41, rank 2 printed `Training finished.`
 *
 * ## Stays silent
 * When all ranks came to their end, and when the rank raised an error.
 */
import { defineDetector } from '../define.js';
import { fromStoppage } from '../shared/stoppage.js';

export const unevenBatches = defineDetector({
  id: 'distributed/uneven-batches',
  subcause: 'uneven_batches',
  role: 'root',
  signal: 'exit',
  needs: [],
  outweighs: ['text'],
  detect: (_record, _features, { view }) => fromStoppage(view, 'uneven_batches'),
});
