// The stacks that tools took of processes: the last of each, unless its rank went on behind it.
import { worksOnBehind } from '../../features/said-again.js';
import type { RunRecord } from '../../record/run-record.js';
import type { RankStack } from '../../record/stack.js';
import { sizeOf } from './presence.js';

/** A process that a stack or an error is of: its rank is not always known. */
export interface Standing {
  readonly rank: number | null;
  readonly stack: RankStack;
}

/** The last stack of each process; one whose rank the stack does not say is known by its number. */
function standingIn(record: RunRecord): Standing[] {
  const { stacks, seats } = record;
  const byPid = new Map(seats.map(({ pid, rank }) => [pid, rank]));
  const found = new Map<number | string, Standing>();
  for (const stack of stacks) {
    const rank = stack.rank ?? (stack.pid === null ? null : (byPid.get(stack.pid) ?? null));
    const key = rank ?? `${stack.pid ?? ''} ${stack.at.file}:${stack.at.line}`;
    // A process that goes on behind its stack stood nowhere.
    if (stack.rank !== null && worksOnBehind(record, stack.rank, stack.at)) found.delete(key);
    else found.set(key, { rank, stack });
  }
  return [...found.values()];
}

/** The same where the stacks show every process once: as many as there are ranks, and each rank at most once. Else only those of known ranks. */
export function wholeStanding(record: RunRecord): Standing[] {
  const all = standingIn(record);
  const known = all.filter(({ rank }) => rank !== null);
  const files = new Set(all.map(({ stack }) => stack.pid ?? stack.at.file));
  const size = sizeOf(record);
  return known.length === all.length || all.length === size || (size === 0 && files.size === all.length)
    ? all
    : known;
}

/** The last stack of each rank. */
export function stacksByRank(record: RunRecord): Map<number, RankStack> {
  return new Map(
    standingIn(record).flatMap(({ rank, stack }) => (rank === null ? [] : [[rank, stack] as const])),
  );
}
