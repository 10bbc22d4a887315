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
import { heldDownIn } from '../../ranks/held-down.js';
import { outlierIn } from '../../ranks/profile.js';
import { isOfDevice } from '../../ranks/reported.js';
import { slowestIn, toldSlowest } from '../../ranks/slowest.js';
import { readsData, tradeIn } from '../../ranks/trade.js';
import type { RunRecord } from '../../record/run-record.js';
import { defineDetector, type RunEvidence } from '../define.js';
import { citeDevice, citeLine } from '../shared/cite.js';
import { citeOutlier, citeSlowest, citeTrade } from '../shared/pace.js';

/** Reports that the clocks of the rank's device are held down. */
function citeThrottled(record: RunRecord, rank: number): RunEvidence[] {
  return record.device
    .filter((message) => message.kind === 'gpu_throttled' && isOfDevice(record, message, rank))
    .slice(0, 2)
    .map(citeDevice);
}

export const straggler = defineDetector({
  id: 'distributed/straggler',
  subcause: 'straggler',
  role: 'root',
  signal: 'curve',
  needs: ['throughput'],
  detect: (record, _features, { view }) => {
    const slowest = slowestIn(view);
    if (slowest) {
      if (slowest.of === 'data_time') return [];
      const { rank, own, others, curve } = slowest;
      const evidence = [citeSlowest(slowest), ...citeThrottled(record, rank)];
      return [{ strength: own >= 2 * others ? 0.88 : 0.82, onset: curve.steps[curve.finite[0]!]!, evidence }];
    }
    const trade = tradeIn(record);
    if (trade) {
      if (readsData(trade.slow.name)) return [];
      const evidence = [citeTrade(trade), ...citeThrottled(record, trade.rank)];
      return [{ strength: 0.86, onset: trade.slow.series.steps[0]!, evidence }];
    }
    const outlier = outlierIn(record);
    if (outlier)
      return outlier.ofLink || readsData(outlier.name)
        ? []
        : [{ strength: 0.86, evidence: [citeOutlier(outlier), ...citeThrottled(record, outlier.ranks[0]!)] }];
    const told = toldSlowest(view);
    if (told) {
      const evidence = [citeLine(told.line), ...citeThrottled(record, told.rank)];
      return [{ strength: 0.84, onset: told.line.step, evidence }];
    }
    const held = heldDownIn(view);
    return held ? [{ strength: 0.84, evidence: [citeDevice(held.message)] }] : [];
  },
});
