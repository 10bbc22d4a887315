// Who kept whom waiting. Each rank's dump says which collective it is in; a rank waits for the members of the group that have
// not called it. Followed from rank to rank, the waiting ends at those that wait for nobody: they were first.

import { type Disagreement, disagreementOf } from './disagreement.js';
import type { Call, RankDump } from './dump.js';

export interface GroupState {
  readonly name: string;
  readonly description: string;
  readonly ranks: readonly number[];
  /** The collective that does not end, and who stands where. */
  readonly sequence: number;
  readonly operation: string;
  readonly waiting: readonly number[];
  readonly behind: readonly number[];
}

export interface Standstill {
  readonly dumps: readonly RankDump[];
  /** Members of a group whose dump is not there. */
  readonly missing: readonly number[];
  /** Ranks that others wait for and that wait for nobody; ascending. */
  readonly first: readonly number[];
  /** True when the waiting goes round: each of them waits for another. */
  readonly circular: boolean;
  readonly disagreement: Disagreement | null;
  /** Groups with a collective that does not end. */
  readonly groups: readonly GroupState[];
}

interface Group {
  readonly name: string;
  readonly description: string;
  readonly ranks: readonly number[];
  /** The turn of the last collective that each rank called. */
  readonly reached: ReadonlyMap<number, number>;
}

/** Null when nothing in the dumps stands still. `size`: how many ranks the job has, as far as anything says. */
export function standstillOf(dumps: readonly RankDump[], size = 0): Standstill | null {
  if (dumps.length === 0) return null;
  const groups = groupsOf(dumps, size);
  const present = new Set(dumps.map(({ rank }) => rank));
  const disagreement = disagreementOf(dumps, groups);
  const blocked = new Map<number, Call>();
  for (const dump of dumps) {
    const call = blockedIn(dump, groups);
    if (call !== null) blocked.set(dump.rank, call);
  }
  const waits = new Map<number, ReadonlySet<number>>();
  for (const [rank, call] of blocked) {
    const awaited = awaitedBy(rank, call, groups, present, blocked);
    if (awaited.size > 0) waits.set(rank, awaited);
  }
  const { first, circular } = endsOf(waits);
  if (first.length === 0 && disagreement === null) return null;
  const members = new Set([...groups.values()].flatMap(({ ranks }) => ranks));
  return {
    dumps,
    missing: [...members].filter((rank) => !present.has(rank)).sort(ascending),
    first,
    circular,
    disagreement,
    groups: statesOf(groups, blocked, waits),
  };
}

function groupsOf(dumps: readonly RankDump[], size: number): Map<string, Group> {
  const groups = new Map<string, { description: string; ranks: Set<number>; reached: Map<number, number> }>();
  for (const dump of dumps) {
    for (const { name, description, ranks } of dump.groups) {
      const group = groups.get(name) ?? { description, ranks: new Set(), reached: new Map() };
      groups.set(name, group);
      for (const rank of ranks ?? []) group.ranks.add(rank);
    }
    for (const [name, sequence] of reachedIn(dump)) {
      groups.get(name)?.ranks.add(dump.rank);
      groups.get(name)?.reached.set(dump.rank, sequence);
    }
  }
  // The default group holds every rank, and ranks are counted without gaps: a gap is a rank that left nothing.
  const largest = Math.max(size - 1, ...dumps.map(({ rank }) => rank));
  for (const { description, ranks } of groups.values())
    if (description === 'default_pg') for (let rank = 0; rank <= largest; rank++) ranks.add(rank);
  return new Map(
    [...groups].map(([name, { description, ranks, reached }]) => [
      name,
      { name, description, ranks: [...ranks].sort(ascending), reached },
    ]),
  );
}

/** The turn of the last collective in each group. */
function reachedIn({ calls }: RankDump): Map<string, number> {
  const reached = new Map<string, number>();
  for (const { group, sequence, pair } of calls)
    if (!pair && sequence > (reached.get(group) ?? -1)) reached.set(group, sequence);
  return reached;
}

/** The oldest call of a rank that has not ended. */
function blockedIn(dump: RankDump, groups: ReadonlyMap<string, Group>): Call | null {
  if (dump.calls.some(({ state }) => state !== 'scheduled'))
    return dump.calls.find(({ state }) => state !== 'completed') ?? null;
  // A library that keeps no states waits in each call: only the last one can be open, and it is when somebody has not called it.
  const last = dump.calls.at(-1);
  if (last === undefined) return null;
  const group = groups.get(last.group);
  const late = group?.ranks.some((rank) => (group.reached.get(rank) ?? 0) < last.sequence);
  return late ? last : null;
}

function awaitedBy(
  rank: number,
  call: Call,
  groups: ReadonlyMap<string, Group>,
  present: ReadonlySet<number>,
  blocked: ReadonlyMap<number, Call>,
): ReadonlySet<number> {
  const group = groups.get(call.group);
  if (group === undefined) return new Set();
  if (call.pair) return peerOf(rank, call, group, present, blocked);
  const others = group.ranks.filter((other) => other !== rank);
  const absent = others.filter(
    (other) => !present.has(other) || (group.reached.get(other) ?? 0) < call.sequence,
  );
  if (absent.length > 0) return new Set(absent);
  // All have called it. Where it runs on some devices already, it waits for the devices that have not come to it.
  if (call.state !== 'started') return new Set();
  return new Set(
    others.filter((other) => {
      const theirs = blocked.get(other);
      return theirs !== undefined && !(theirs.group === call.group && theirs.state === 'started');
    }),
  );
}

/** A message waits for its other end: "send 0->1", "recv 0<-1", in numbers of the group. */
function peerOf(
  rank: number,
  call: Call,
  group: Group,
  present: ReadonlySet<number>,
  blocked: ReadonlyMap<number, Call>,
): ReadonlySet<number> {
  const ends = /(\d+)\s*(?:->|<-)\s*(\d+)/.exec(call.operation);
  if (ends === null) return new Set();
  const [one, two] = [ends[1], ends[2]].map((index) => group.ranks[Number(index)]);
  const peer = one === rank ? two : one;
  if (peer === undefined || peer === rank) return new Set();
  const theirs = blocked.get(peer);
  const meets = theirs?.pair && theirs.group === call.group && theirs.sequence === call.sequence;
  return present.has(peer) && meets ? new Set() : new Set([peer]);
}

/** Where the waiting ends: at ranks that wait for nobody, or in a circle. */
function endsOf(waits: ReadonlyMap<number, ReadonlySet<number>>): {
  first: number[];
  circular: boolean;
} {
  const awaited = new Set([...waits.values()].flatMap((ranks) => [...ranks]));
  const free = [...awaited].filter((rank) => !waits.has(rank)).sort(ascending);
  if (free.length > 0 || awaited.size === 0) return { first: free, circular: false };
  return { first: [...awaited].filter((rank) => waits.has(rank)).sort(ascending), circular: true };
}

function statesOf(
  groups: ReadonlyMap<string, Group>,
  blocked: ReadonlyMap<number, Call>,
  waits: ReadonlyMap<number, ReadonlySet<number>>,
): GroupState[] {
  return [...groups.values()].flatMap(({ name, description, ranks }) => {
    const waiting = ranks.filter((rank) => waits.has(rank) && blocked.get(rank)?.group === name);
    const [one] = waiting;
    if (one === undefined) return [];
    const { sequence, operation } = blocked.get(one)!;
    const behind = new Set(waiting.flatMap((rank) => [...waits.get(rank)!]));
    return [{ name, description, ranks, sequence, operation, waiting, behind: [...behind].sort(ascending) }];
  });
}

export function ascending(a: number, b: number): number {
  return a - b;
}
