/**
 * # The network between the ranks is slow
 *
 * ## What
 * Collectives take long even for the rank that calls them last: in one group only, or from some turn on. Or the phase of a step in which
 * ranks communicate grew on every rank while no other phase did. Or one host fell back to a slower network than the others, or a table of
 * all ranks shows one that needs far longer to send.
 *
 * ## Why
 * A port at a lower speed, a cable with errors, another job on the same switch, or an adapter that was not found.
 *
 * ## Example
 * `comm_time` took 0.03 s a step at first and takes 0.21 s, on every rank; `forward_time` stayed at 0.11 s.
 *
 * ## Stays silent
 * When one rank spends little time in collectives: the others wait for it. When other parts of a step became slower as well, for groups that
 * send other sizes, and when all hosts use the same network.
 */

import { outlierIn } from '../../ranks/profile.js';
import { slowLinkIn } from '../../ranks/slow-link.js';
import { slowestIn } from '../../ranks/slowest.js';
import { tradeIn } from '../../ranks/trade.js';
import type { RunRecord } from '../../record/run-record.js';
import { defineDetector, type RunEvidence } from '../define.js';
import { citeDevice, citeWhere } from '../shared/cite.js';
import { citeOutlier } from '../shared/pace.js';

function citePorts({ device }: RunRecord): RunEvidence[] {
  return device
    .filter(({ kind }) => kind === 'port_slow')
    .slice(0, 2)
    .map(citeDevice);
}

export const slowLink = defineDetector({
  id: 'distributed/slow-link',
  subcause: 'slow_link',
  role: 'root',
  signal: 'curve',
  needs: ['throughput'],
  detect: (record, _features, { view }) => {
    if (slowestIn(view) !== null || tradeIn(record) !== null) return [];
    const outlier = outlierIn(record);
    if (outlier?.ofLink) return [{ strength: 0.86, evidence: [citeOutlier(outlier), ...citePorts(record)] }];
    const link = slowLinkIn(view);
    return link
      ? [{ strength: 0.86, onset: link.step, evidence: [citeWhere(link.fact, link.at, link.step)] }]
      : [];
  },
});
