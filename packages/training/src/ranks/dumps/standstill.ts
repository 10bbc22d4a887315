// Who kept whom waiting. Each rank's dump says which collective it is in; a rank waits for the members of the group that have
// not called it. Followed from rank to rank, the waiting ends at those that wait for nobody: they were first.

import { once } from '../../features/once.js';
import type { RunRecord } from '../../record/run-record.js';
import { ascending, sizeOf } from '../present/presence.js';
import type { Call } from './call.js';
import { circlesOf } from './circles.js';
import { type Disagreement, disagreementOf } from './disagreement.js';
import type { RankDump } from './dump.js';
import { type Group, groupsOf, withOwnGroups } from './groups.js';
import { stoppedShort } from './stopped-short.js';

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

/** The detector, the verdict and the picture ask for it. */
export const standstillIn = once((record: RunRecord) => standstillOf(record.dumps, sizeOf(record)));

/** Null when nothing in the dumps stands still. `size`: how many ranks the job has, as far as anything says. */
export function standstillOf(all: readonly RankDump[], size = 0): Standstill | null {
  if (all.length === 0) return null;
  const dumps = withOwnGroups(all);
  const groups = groupsOf(dumps, size);
  const present = new Set(dumps.map(({ rank }) => rank));
  const disagreement = disagreementOf(dumps, groups);
  const members = new Set([...groups.values()].flatMap(({ ranks }) => ranks));
  const missing = [...members].filter((rank) => !present.has(rank)).sort(ascending);
  const blocked = new Map<number, Blocked>();
  for (const dump of dumps) {
    const calls = blockedIn(dump, groups);
    if (calls !== null) blocked.set(dump.rank, calls);
  }
  const waits = new Map<number, ReadonlySet<number>>();
  for (const [rank, calls] of blocked) {
    const awaited = awaitedBy(rank, calls, { groups, present, blocked });
    if (awaited.size > 0) waits.set(rank, awaited);
  }
  // Where nobody lists the members of a group or the ends of a message, its other side may be a rank that left no dump.
  if (missing.length > 0)
    for (const { rank, calls, keepsStates } of dumps) {
      const last = calls.at(-1);
      if (keepsStates || last === undefined || waits.has(rank)) continue;
      if (last.pair || !groups.get(last.group)!.isListed) waits.set(rank, new Set(missing));
    }
  // What these wait for was overwritten.
  for (const { rank, isCut, calls } of dumps)
    if (isCut && blocked.has(rank) && calls[0] === blocked.get(rank)![0]) waits.set(rank, new Set());
  const ends = endsOf(waits, blocked, groups);
  if (ends.first.length === 0 && disagreement === null) return null;
  const short = ends.first.length === 0 ? [] : stoppedShort(dumps, new Set(blocked.keys()));
  const circular = ends.circular && short.length === 0;
  const first = ends.circular && !circular ? short : [...new Set([...ends.first, ...short])].sort(ascending);
  return {
    dumps,
    missing,
    first,
    circular,
    disagreement,
    groups: statesOf(groups, blocked, waits),
  };
}

/** The oldest call of a rank that has not ended, with the messages that were handed over together with it. */
type Blocked = readonly [Call, ...Call[]];

interface Job {
  readonly groups: ReadonlyMap<string, Group>;
  readonly present: ReadonlySet<number>;
  readonly blocked: ReadonlyMap<number, Blocked>;
}

function blockedIn({ calls, keepsStates }: RankDump, groups: ReadonlyMap<string, Group>): Blocked | null {
  if (keepsStates) {
    const at = calls.findIndex(({ state }) => state !== 'completed');
    if (at < 0) return null;
    const first = calls[at]!;
    const rest = calls.slice(at + 1, at + 65);
    return [
      first,
      ...rest.filter(({ batch, group }) => batch !== 0 && batch === first.batch && group === first.group),
    ];
  }
  // A library that keeps no states waits in each call: only the last one can be open, and it is when somebody has not called it.
  const last = calls.at(-1);
  if (last === undefined) return null;
  const group = groups.get(last.group);
  const late = group?.ranks.some((rank) => (group.reached.get(rank) ?? 0) < last.sequence);
  return late ? [last] : null;
}

function awaitedBy(rank: number, calls: Blocked, job: Job): ReadonlySet<number> {
  const [call] = calls;
  const group = job.groups.get(call.group);
  if (group === undefined) return new Set();
  if (call.pair) return new Set(calls.flatMap((message) => peerOf(rank, message, group, job) ?? []));
  const others = group.ranks.filter((other) => other !== rank);
  const absent = others.filter(
    (other) => !job.present.has(other) || (group.reached.get(other) ?? 0) < call.sequence,
  );
  if (absent.length > 0) return new Set(absent);
  // All have called it. A device that is held up in an earlier call has not come to it, nor has one where it does not run yet
  // while it runs on others.
  return new Set(
    others.filter((other) => {
      const theirs = job.blocked.get(other)?.[0];
      if (theirs === undefined) return false;
      const isSame = theirs.group === call.group && !theirs.pair && theirs.sequence === call.sequence;
      return !isSame || (call.state === 'started' && theirs.state !== 'started');
    }),
  );
}

/** A message waits for its other end: "send 0->1", "recv 1<-0", in numbers of the group. Null when that one is at it too. */
function peerOf(rank: number, call: Call, group: Group, { present, blocked }: Job): number | null {
  const ends = endsOfMessage(call, group);
  const peer = ends?.find((end) => end !== rank);
  if (ends === null || peer === undefined) return null;
  const [from, to] = ends;
  const meets = blocked.get(peer)?.some((theirs) => {
    const their = theirs.pair && theirs.group === call.group ? endsOfMessage(theirs, group) : null;
    const isSame = their !== null && their[0] === from && their[1] === to;
    return isSame && !(call.state === 'started' && theirs.state !== 'started');
  });
  return present.has(peer) && meets ? null : peer;
}

/** Who sends and who receives. */
function endsOfMessage({ operation }: Call, { order }: Group): readonly [number, number] | null {
  const found = /(\d+)\s*(->|<-)\s*(\d+)/.exec(operation);
  if (found === null) return null;
  const [one, two] = [order[Number(found[1])], order[Number(found[3])]];
  if (one === undefined || two === undefined) return null;
  return found[2] === '->' ? [one, two] : [two, one];
}

/** Where the waiting ends: at ranks that wait for nobody, or in a circle. */
function endsOf(
  waits: ReadonlyMap<number, ReadonlySet<number>>,
  blocked: ReadonlyMap<number, Blocked>,
  groups: ReadonlyMap<string, Group>,
): { first: number[]; circular: boolean } {
  const awaited = new Set([...waits.values()].flatMap((ranks) => [...ranks]));
  const free = [...awaited].filter((rank) => !waits.has(rank)).sort(ascending);
  // Ranks that are together in a collective which all of them have called wait for each other: none of them was first.
  const alone = free.filter((rank) => !isTogether(rank, blocked, groups));
  if (alone.length > 0) return { first: alone, circular: false };
  if (free.length > 0) return { first: free, circular: true };
  return { first: circlesOf(waits), circular: awaited.size > 0 };
}

function isTogether(
  rank: number,
  blocked: ReadonlyMap<number, Blocked>,
  groups: ReadonlyMap<string, Group>,
): boolean {
  const call = blocked.get(rank)?.[0];
  if (call === undefined) return false;
  const isLate = (theirs: Call): boolean => theirs.state === 'started' && call.state !== 'started';
  const group = groups.get(call.group)!;
  return group.ranks.some((other) => {
    const theirs = other === rank ? undefined : blocked.get(other)?.[0];
    const isSame = theirs?.group === call.group && (call.pair || theirs.sequence === call.sequence);
    return isSame && theirs.pair === call.pair && !isLate(theirs);
  });
}

function statesOf(
  groups: ReadonlyMap<string, Group>,
  blocked: ReadonlyMap<number, Blocked>,
  waits: ReadonlyMap<number, ReadonlySet<number>>,
): GroupState[] {
  return [...groups.values()].flatMap(({ name, description, ranks }) => {
    const waiting = ranks.filter((rank) => waits.has(rank) && blocked.get(rank)?.[0].group === name);
    const [one] = waiting;
    if (one === undefined) return [];
    const { sequence, operation } = blocked.get(one)![0];
    const behind = new Set(waiting.flatMap((rank) => [...waits.get(rank)!]));
    return [{ name, description, ranks, sequence, operation, waiting, behind: [...behind].sort(ascending) }];
  });
}
