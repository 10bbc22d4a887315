// Which ranks there are, as far as anything that was left says, and where their dumps stand still.
import type { RunRecord } from '../record/run-record.js';
import type { RankStack } from '../record/stack.js';
import { rankOfPath } from './path-rank.js';
import { ascending, type Standstill, standstillOf } from './standstill.js';

const standstills = new WeakMap<RunRecord, { readonly found: Standstill | null }>();

/** Worked out once per record: the detector, the verdict and the picture ask for it. */
export function standstillIn(record: RunRecord): Standstill | null {
  if (record.dumps.length === 0) return null;
  const known = standstills.get(record) ?? { found: standstillOf(record.dumps, sizeOf(record)) };
  standstills.set(record, known);
  return known.found;
}

/** As many ranks as the run says it has, or as left anything. */
export function sizeOf(record: RunRecord): number {
  return Math.max((presentIn(record).at(-1) ?? -1) + 1, record.hardware.worldSize ?? 0);
}

/** The host of each rank, as far as anything says. */
export function hostsIn({ seats }: RunRecord): ReadonlyMap<number, string> {
  return new Map(seats.flatMap(({ rank, host }) => (host === null ? [] : [[rank, host] as const])));
}

export function ranksUpTo(size: number): number[] {
  return Array.from({ length: size }, (_, rank) => rank);
}

/** Ranks of which something is there, and those that launchers and the names of files tell of. */
export function presentIn(record: RunRecord): number[] {
  const seen = new Set(speakingIn(record));
  const see = (rank: number | null) => {
    if (rank !== null) seen.add(rank);
  };
  for (const { rank } of record.seats) see(rank);
  for (const { rank } of record.exits) see(rank);
  for (const { file } of record.sources) see(rankOfPath(file));
  return [...seen].sort(ascending);
}

/** Ranks that left words, numbers, stacks or dumps of their own. */
export function speakingIn(record: RunRecord): ReadonlySet<number> {
  const seen = new Set<number>();
  const see = (rank: number | null) => {
    if (rank !== null) seen.add(rank);
  };
  for (const { rank } of record.dumps) see(rank);
  for (const { rank } of record.tracebacks) see(rank);
  for (const { rank } of record.device) see(rank);
  for (const { rank } of record.series) see(rank);
  for (const { rank } of record.stacks) see(rank);
  for (const { rank } of record.text.lines) see(rank);
  return seen;
}

/** The last stack of each rank; a process whose rank the stack does not say is known by its number. */
export function stacksByRank({ stacks, seats }: RunRecord): Map<number, RankStack> {
  const byPid = new Map(seats.map(({ pid, rank }) => [pid, rank]));
  return new Map(
    stacks.flatMap((stack) => {
      const rank = stack.rank ?? (stack.pid === null ? undefined : byPid.get(stack.pid));
      return rank === undefined ? [] : [[rank, stack] as const];
    }),
  );
}

/** Whether anything tells ranks apart. */
export function tellsRanks(record: RunRecord): boolean {
  return (record.hardware.worldSize ?? 1) > 1 || presentIn(record).length > 0;
}
