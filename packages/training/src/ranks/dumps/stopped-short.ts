// Ranks that have nothing open and called less than another rank of the same program: nothing held them up but their own code. Nobody may
// wait for them yet, while the others are held up somewhere else.
import type { Call } from './call.js';
import type { RankDump } from './dump.js';

/** How many calls before the last must be the same for two ranks to run the same program. */
const compared = 12;
const fewest = 3;

/** `blocked`: the ranks that have something open. */
export function stoppedShort(dumps: readonly RankDump[], blocked: ReadonlySet<number>): number[] {
  const idle = dumps.filter(
    ({ rank, calls, keepsStates }) => keepsStates && calls.length >= fewest && !blocked.has(rank),
  );
  // With many of them the job may stand in something that is not recorded.
  if (idle.length === 0 || idle.length > dumps.length / 2) return [];
  return idle
    .filter((one) => dumps.some((other) => blocked.has(other.rank) && isAhead(other, one)))
    .map(({ rank }) => rank);
}

function isAhead({ calls, groups }: RankDump, behind: RankDump): boolean {
  const mine = titles(behind.groups);
  const theirs = titles(groups);
  const last = behind.calls.at(-1)!;
  const at = calls.findLastIndex((call) => isSame(call, theirs, last, mine));
  if (at < 0 || at === calls.length - 1) return false;
  const count = Math.min(compared, at + 1, behind.calls.length);
  if (count < fewest) return false;
  for (let back = 1; back < count; back++)
    if (!isSame(calls[at - back]!, theirs, behind.calls[behind.calls.length - 1 - back]!, mine)) return false;
  return true;
}

function titles(groups: RankDump['groups']): ReadonlyMap<string, string> {
  return new Map(groups.map(({ name, description }) => [name, description]));
}

function isSame(
  call: Call,
  theirs: ReadonlyMap<string, string>,
  other: Call,
  mine: ReadonlyMap<string, string>,
): boolean {
  return (
    call.sequence === other.sequence &&
    call.operation === other.operation &&
    call.sizes === other.sizes &&
    call.pair === other.pair &&
    theirs.get(call.group) === mine.get(other.group)
  );
}
