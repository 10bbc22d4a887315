/**
 * # One rank's data comes later than the others'
 *
 * ## What
 * One rank needs much more time for its data than the others, for most of the run, and the others wait for it in the collective.
 *
 * ## Why
 * A slow disk, a shard on distant storage, or loader workers that share too few cores. All ranks go at the pace of the last batch.
 *
 * ## Example
 * Rank 2 takes 0.31 s a step for `data_time`, the others 0.02 s; they take 0.33 s for `sync_time`, rank 2 0.04 s.
 *
 * ## Stays silent
 * When all ranks wait for their data alike, for a rank that is late now and then, and when the slow part is the forward or backward pass.
 */
import { slowIn } from '../../ranks/slow/slow.js';
import { defineDetector } from '../define.js';
import { citeSlow } from '../shared/pace.js';

export const slowLoader = defineDetector({
  id: 'distributed/slow-loader',
  subcause: 'slow_loader',
  role: 'root',
  signal: 'curve',
  needs: ['throughput'],
  detect: (record, _features, { view }) => citeSlow(slowIn(view), 'data', record),
});
