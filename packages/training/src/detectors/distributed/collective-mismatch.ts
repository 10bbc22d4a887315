/**
 * # The ranks called different collectives
 *
 * ## What
 * In the same turn of a process group the ranks called different operations, or gave different shapes or types; or they wait for each
 * other in a circle, or all of them for one key of the store that none has set.
 *
 * ## Why
 * A collective meets only the same collective on the other ranks. A branch that one rank takes alone, an early return or one batch more
 * makes them diverge.
 *
 * ## Example
 * In turn 23 of the default group rank 2 calls `all_reduce` of 4 × 4 × 2 numbers, all others `all_reduce` of 8.
 *
 * ## Stays silent
 * For operations that may get different shapes on each rank (`all_to_all`, `gather`), when the run completed, and as a root while a
 * rank's own error is on record.
 */
import type { RunView } from '../../features/view.js';
import { oddInWatchdog, stalledIn } from '../../ranks/differing/called-apart.js';
import { allReceive, givenUpIn, keyOfNone } from '../../ranks/differing/given-up.js';
import { resumedApart } from '../../ranks/differing/sentences.js';
import { unevenIn } from '../../ranks/differing/uneven.js';
import type { Disagreement } from '../../ranks/dumps/disagreement.js';
import { type Standstill, standstillIn } from '../../ranks/dumps/standstill.js';
import { differing } from '../../ranks/lost/consequence.js';
import { rankWord } from '../../ranks/present/rank-words.js';
import { defineDetector, type Observation, type RunEvidence } from '../define.js';
import { citeLine, citeWhere } from '../shared/cite.js';
import { findLine } from '../shared/match.js';
import { citeWaiting, failedByItself } from '../shared/standstill.js';
import { fromStoppage } from '../shared/stoppage.js';

const differs: Readonly<Record<Disagreement['difference'], string>> = {
  skipped: 'left out a collective that the others called',
  added: 'called a collective that the others did not',
  operation: 'called another operation',
  shape: 'gave another shape',
  type: 'gave another type',
};

function citeDisagreement(
  { group, sequence, difference, ranks, call, others }: Disagreement,
  still: Standstill,
): RunEvidence {
  const place = call.frame ? ` (${call.frame.file}:${call.frame.line})` : '';
  return {
    fact: `turn ${sequence} of group ${group}: ${rankWord(ranks)} ${differs[difference]}: ${call.operation} [${call.sizes}] ${call.types} against ${others.operation} [${others.sizes}] ${others.types}${place}`,
    file: still.dumps.find(({ rank }) => rank === ranks[0])?.file ?? '',
  };
}

/** Without dumps of both sides: what the libraries noticed, and in which operations the ranks gave up. */
function fromWords(view: RunView, own: boolean): Observation[] {
  const role = own ? 'cascade' : 'root';
  const line = findLine(view, differing);
  if (line) return [{ strength: own ? 0.5 : 0.92, role, evidence: [citeLine(line)] }];
  const stalled = stalledIn(view);
  if (stalled?.wentOn) return [{ strength: own ? 0.5 : 0.9, role, evidence: [citeLine(stalled.line)] }];
  const { record } = view;
  const [failure] = view.failures;
  const odd = oddInWatchdog(view);
  if (odd) {
    const fact = `rank ${odd.rank} waited in ${odd.word}, the others in ${odd.others}`;
    return [{ strength: own ? 0.5 : 0.9, role, evidence: [citeWhere(fact, failure?.at ?? null)] }];
  }
  const resumed =
    view.failures.length > 0 || record.device.some(({ kind }) => kind === 'collective_timeout')
      ? resumedApart(view)
      : null;
  if (resumed) {
    const fact = `rank ${resumed.rank} went on from ${resumed.word}, the others from ${resumed.others}`;
    return [{ strength: own ? 0.5 : 0.9, role, evidence: [citeWhere(fact, resumed.line.at)] }];
  }
  if (allReceive(view)) {
    const fact = 'every rank waits to receive and none sends, or every one to send and none receives';
    return [{ strength: own ? 0.5 : 0.88, role, evidence: [citeWhere(fact, failure?.at ?? null)] }];
  }
  const key = keyOfNone(view);
  if (key !== null) {
    const fact = `every rank waits in one line for the key ${key}, which none has set`;
    return [{ strength: 0.88, role, evidence: [citeWhere(fact, failure?.at ?? null)] }];
  }
  const apart = givenUpIn(view);
  if (apart === null) return [];
  const fact = `${apart.ranks.length > 0 ? rankWord(apart.ranks) : 'some ranks'} gave up in ${apart.operation}, the others in ${apart.others}`;
  return [{ strength: own ? 0.5 : 0.88, role, evidence: [citeWhere(fact, failure?.at ?? null)] }];
}

export const collectiveMismatch = defineDetector({
  id: 'distributed/collective-mismatch',
  subcause: 'collective_mismatch',
  role: 'root',
  signal: 'exit',
  needs: [],
  outweighs: ['text'],
  detect: (record, _features, { view }) => {
    // A rank that is through with its data calls what comes behind the loop: that is the cause.
    if (unevenIn(view) !== null) return [];
    const own = failedByItself(view);
    const still = standstillIn(record);
    if (still === null || (still.disagreement === null && !still.circular)) {
      const left = fromStoppage(view, 'collective_mismatch');
      return left.length > 0 ? left : fromWords(view, own);
    }
    const told = still.disagreement ? [citeDisagreement(still.disagreement, still)] : [];
    return [
      {
        strength: own ? 0.5 : still.disagreement ? 0.92 : 0.8,
        role: own ? 'cascade' : 'root',
        evidence: [...told, ...citeWaiting(still)],
      },
    ];
  },
});
