// What is said of a run of several ranks: who is there, who is missing, who was first, and who waits for whom. The folders beside this one
// find it out: present (who is there, and what each was doing), dumps (what flight recorders kept, and who waits there for whom), lost (who
// is gone or at fault, and what only follows from it), differing (who means or holds something else), slow (who is slow) and waiting (whom the
// others waited for, by everything that was left). `events.ts` puts what they find in order: there a new sign of who was first is added.
import { type RunView, viewOf } from '../../features/view.js';
import type { RunRecord } from '../../record/run-record.js';
import { standstillIn } from '../dumps/standstill.js';
import { isConsequence } from '../lost/consequence.js';
import { goneIn } from '../lost/taken.js';
import { presentIn, ranksUpTo, sizeOf } from '../present/presence.js';
import { stoppageIn } from '../waiting/stoppage.js';
import { type FirstRank, firstOf } from './first.js';

export interface RankGroup {
  readonly name: string;
  readonly ranks: readonly number[];
  readonly operation: string;
  readonly sequence: number;
  readonly waiting: readonly number[];
  readonly behind: readonly number[];
}

export interface Ranks {
  readonly world_size: number;
  readonly present: readonly number[];
  readonly missing: readonly number[];
  readonly first: FirstRank | null;
  /** The ranks that the others wait for and that wait for nobody. */
  readonly behind: readonly number[];
  readonly groups: readonly RankGroup[];
}

/** Null for a run of one rank, or one that does not tell its ranks apart. */
export function ranksOf(record: RunRecord): Ranks | null {
  const present = presentIn(record);
  const view = viewOf(record);
  // What a recorder had not seen end when a run completed did end.
  const still = view.ending.kind === 'completed' ? null : standstillIn(record);
  let size = sizeOf(record);
  const reach = (rank: number): void => {
    size = Math.max(size, rank + 1);
  };
  for (const rank of still?.missing ?? []) reach(rank);
  for (const { groups } of record.dumps)
    for (const { ranks } of groups) for (const rank of ranks ?? []) reach(rank);
  const isCounted =
    record.hardware.worldSize !== null ||
    record.exits.some(({ rank }) => rank !== null) ||
    (present[0] ?? 0) > 0;
  // One rank alone that left words, and somebody lost another: there are at least two.
  const areSeveral = view.failures.some(isConsequence) || record.exits.some(({ text }) => spawned.test(text));
  if (areSeveral) reach(1);
  const first = firstOf(view, still);
  if (first !== null && present.length === 0) reach(first.rank);
  if (
    size < 2 ||
    (present.length === 0 && first === null) ||
    (present.length < 2 && !isCounted && !areSeveral)
  )
    return null;
  const here = new Set(present);
  return {
    world_size: size,
    present,
    missing: ranksUpTo(size).filter((rank) => !here.has(rank)),
    first,
    behind: still?.disagreement ? still.disagreement.ranks : (still?.first ?? reportedIn(view)),
    groups: (still?.groups ?? []).map(({ name, ranks, operation, sequence, waiting, behind }) => ({
      name,
      ranks,
      operation,
      sequence,
      waiting,
      behind,
    })),
  };
}

/** What torch.multiprocessing says of one of the processes that it spawned. */
const spawned = /\bProcessExitedException: process \d/;

/** Ranks that ncclras finds gone, or behind in a run that stands still. */
function reportedIn(view: RunView): readonly number[] {
  if (view.ending.kind === 'completed') return [];
  const gone = goneIn(view.record);
  if (gone.length > 0) return gone;
  const stoppage = stoppageIn(view);
  return stoppage?.known === 'counts' ? stoppage.ranks : [];
}
