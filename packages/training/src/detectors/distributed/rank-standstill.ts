/**
 * # The ranks wait for one of them
 *
 * ## What
 * The dumps of the flight recorder show a collective that some ranks are in and others never called.
 *
 * ## Why
 * A collective ends only when every rank of its group has called it. The rank that did not is where to look; the others only wait.
 *
 * ## Example
 * Ranks 0, 1 and 3 are in `all_reduce` 4 of the default group, rank 2 stopped after `all_reduce` 3.
 *
 * ## Stays silent
 * When every collective ended on every rank, when the run completed, when the ranks called different things, and as a root while a
 * rank's own error is on record. When it is known what that rank did, its own detector speaks.
 */
import { saidToDiffer } from '../../ranks/differing.js';
import { givenUpIn } from '../../ranks/given-up.js';
import { presentIn, standstillIn } from '../../ranks/presence.js';
import { stoppageIn } from '../../ranks/stoppage.js';
import { defineDetector } from '../define.js';
import { citeWaiting, failedByItself } from '../shared/standstill.js';
import { causeOfStoppage } from '../shared/stoppage.js';

export const rankStandstill = defineDetector({
  id: 'distributed/rank-standstill',
  subcause: 'collective_timeout',
  role: 'root',
  signal: 'exit',
  needs: [],
  outweighs: ['text'],
  detect: (record, _features, { view }) => {
    if (record.dumps.length < 2 || view.ending.kind === 'completed') return [];
    const still = standstillIn(record);
    if (still === null || still.disagreement !== null || still.circular) return [];
    if (saidToDiffer(view) || givenUpIn(view) !== null) return [];
    const stoppage = stoppageIn(view);
    if (stoppage && causeOfStoppage(view, stoppage) !== null) return [];
    const own = failedByItself(view);
    const there = new Set(presentIn(record));
    return [
      {
        subcause: still.first.some((rank) => there.has(rank)) ? 'collective_timeout' : 'missing_rank',
        strength: own ? 0.5 : 0.9,
        role: own ? 'cascade' : 'root',
        evidence: citeWaiting(still),
      },
    ];
  },
});
