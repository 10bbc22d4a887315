/**
 * # One rank ran out of batches before the others
 *
 * ## What
 * The rank that the others wait for has said that its training is over, or has done the steps that it announced, fewer than the others.
 *
 * ## Why
 * Each step needs every rank. A shard with one batch less ends the loop of its rank early.
 *
 * ## Example
 * Ranks 0 and 1 are in `all_reduce` 41, rank 2 printed `Training finished.`
 *
 * ## Stays silent
 * When all ranks reached their end, when a rank raised an error of its own or was killed, and when only rank 0 speaks of an end.
 */
import { unevenIn } from '../../ranks/differing/uneven.js';
import { defineDetector } from '../define.js';
import { citeLine } from '../shared/cite.js';
import { fromStoppage } from '../shared/stoppage.js';

export const unevenBatches = defineDetector({
  id: 'distributed/uneven-batches',
  subcause: 'uneven_batches',
  role: 'root',
  signal: 'exit',
  needs: [],
  outweighs: ['text'],
  detect: (_record, _features, { view }) => {
    const uneven = unevenIn(view);
    if (uneven === null) return fromStoppage(view, 'uneven_batches');
    return [{ strength: 0.92, onset: uneven.line.step, evidence: [citeLine(uneven.line)] }];
  },
});
