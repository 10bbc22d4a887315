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
import type { Failure } from '../../features/failures.js';
import { saidToDiffer } from '../../ranks/differing/compared.js';
import { givenUpIn } from '../../ranks/differing/given-up.js';
import { unevenIn } from '../../ranks/differing/uneven.js';
import { standstillIn } from '../../ranks/dumps/standstill.js';
import { deathIn } from '../../ranks/lost/left.js';
import { presentIn } from '../../ranks/present/presence.js';
import { stoppageIn } from '../../ranks/waiting/stoppage.js';
import { defineDetector } from '../define.js';
import { citeWaiting, failedByItself } from '../shared/standstill.js';
import { causeOfStoppage } from '../shared/stoppage.js';

/** The other end hung up, and nobody waited in vain. */
function wasHungUp(failures: readonly Failure[]): boolean {
  return (
    failures.some(({ message }) => /Connection (?:closed|reset) by peer/.test(message)) &&
    !failures.some(({ message }) => /timed? ?out/i.test(message))
  );
}

export const rankStandstill = defineDetector({
  id: 'distributed/rank-standstill',
  subcause: 'collective_timeout',
  role: 'root',
  signal: 'exit',
  needs: [],
  outweighs: ['text'],
  detect: (record, _features, { view }) => {
    if (record.dumps.length < 2) return [];
    const still = standstillIn(record);
    if (still === null || still.disagreement !== null || still.circular) return [];
    if (saidToDiffer(view) || givenUpIn(view) !== null || unevenIn(view) !== null) return [];
    const stoppage = stoppageIn(view);
    if (stoppage && causeOfStoppage(view, stoppage) !== null) return [];
    const own = failedByItself(view);
    const there = new Set(presentIn(record));
    const dead = deathIn(view);
    const isGone = still.first.every((rank) => !there.has(rank) || rank === dead) || wasHungUp(view.failures);
    return [
      {
        subcause: isGone ? 'missing_rank' : 'collective_timeout',
        strength: own ? 0.5 : 0.9,
        role: own ? 'cascade' : 'root',
        evidence: citeWaiting(still),
      },
    ];
  },
});
