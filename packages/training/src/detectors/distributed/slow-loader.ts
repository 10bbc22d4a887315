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
import { outlierIn } from '../../ranks/profile.js';
import { slowestIn } from '../../ranks/slowest.js';
import { readsData, tradeIn } from '../../ranks/trade.js';
import { defineDetector } from '../define.js';
import { citeOutlier, citeSlowest, citeTrade } from '../shared/pace.js';

export const slowLoader = defineDetector({
  id: 'distributed/slow-loader',
  subcause: 'slow_loader',
  role: 'root',
  signal: 'curve',
  needs: ['throughput'],
  detect: (record, _features, { view }) => {
    const slowest = slowestIn(view);
    if (slowest?.of === 'data_time') {
      const { own, others, curve } = slowest;
      const strength = own >= 2 * others ? 0.88 : 0.82;
      return [{ strength, onset: curve.steps[curve.finite[0]!]!, evidence: [citeSlowest(slowest)] }];
    }
    const trade = slowest ? null : tradeIn(record);
    const outlier = slowest || trade ? null : outlierIn(record);
    if (outlier && readsData(outlier.name) && !outlier.ofLink)
      return [{ strength: 0.86, evidence: [citeOutlier(outlier)] }];
    if (trade === null || !readsData(trade.slow.name)) return [];
    return [{ strength: 0.86, onset: trade.slow.series.steps[0]!, evidence: [citeTrade(trade)] }];
  },
});
