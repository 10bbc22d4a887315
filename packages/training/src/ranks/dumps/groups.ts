// The process groups of a job, put together from what each rank's dump says of them. Ranks count their groups each for itself in some
// programs, so that one name may stand for several groups: members that share nobody, or have another title, are groups of their own.
import { ascending } from '../present/presence.js';
import type { Call } from './call.js';
import type { ProcessGroup, RankDump } from './dump.js';

export interface Group {
  readonly name: string;
  readonly description: string;
  /** Ascending. */
  readonly ranks: readonly number[];
  /** As the group counts its members. */
  readonly order: readonly number[];
  /** The turn of the last collective that each rank called. */
  readonly reached: ReadonlyMap<number, number>;
  /** Whether somebody listed its members; else they are those who called something in it. */
  readonly isListed: boolean;
}

export function groupsOf(dumps: readonly RankDump[], size: number): Map<string, Group> {
  const groups = new Map<
    string,
    {
      description: string;
      ranks: Set<number>;
      order: readonly number[];
      reached: Map<number, number>;
      /** The list that was counted last: all ranks of a large job give the same one. */
      counted: readonly number[] | null;
    }
  >();
  for (const dump of dumps) {
    for (const { name, description, ranks } of dump.groups) {
      const group = groups.get(name) ?? {
        description,
        ranks: new Set(),
        order: [],
        reached: new Map(),
        counted: null,
      };
      groups.set(name, group);
      if (ranks !== group.counted) for (const rank of ranks ?? []) group.ranks.add(rank);
      group.counted = ranks;
      if (ranks !== null && ranks.length > group.order.length) group.order = ranks;
      // What the rank called in this group may have been overwritten.
      if (dump.isCut) group.reached.set(dump.rank, Number.POSITIVE_INFINITY);
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
    [...groups].map(([name, { description, ranks, order, reached }]) => {
      const members = [...ranks].sort(ascending);
      return [
        name,
        {
          name,
          description,
          ranks: members,
          order: order.length < members.length ? members : order,
          reached,
          isListed: description === 'default_pg' || order.length > 0,
        },
      ];
    }),
  );
}

/** The turn of the last collective in each group. */
function reachedIn({ calls }: RankDump): Map<string, number> {
  const reached = new Map<string, number>();
  let name = '';
  let most = -1;
  for (const { group, sequence, pair } of calls) {
    if (pair) continue;
    if (group !== name) {
      if (most >= 0) reached.set(name, most);
      name = group;
      most = reached.get(group) ?? -1;
    }
    if (sequence > most) most = sequence;
  }
  if (most >= 0) reached.set(name, most);
  return reached;
}

interface Members {
  readonly description: string;
  readonly ranks: Set<number>;
  /** The list that was counted last. */
  counted: readonly number[];
}

/** The same dumps, with a name for each group of its own: "1" of ranks 0 and 1 and "1" of ranks 2 and 3 are "1@0" and "1@1". */
export function withOwnGroups(dumps: readonly RankDump[]): readonly RankDump[] {
  const lists = new Map<string, Members[]>();
  for (const { groups } of dumps)
    for (const { name, description, ranks } of groups) {
      if (ranks === null) continue;
      const known = lists.get(name) ?? [];
      if (known.some((list) => list.counted === ranks && list.description === description)) continue;
      const touching = known.filter(
        (list) => list.description === description && ranks.some((rank) => list.ranks.has(rank)),
      );
      // Nearly always the same list again.
      const [one, ...more] = touching;
      if (one && more.length === 0) {
        for (const rank of ranks) one.ranks.add(rank);
        one.counted = ranks;
      } else {
        const joined = new Set([...touching.flatMap((list) => [...list.ranks]), ...ranks]);
        const others = known.filter((list) => !touching.includes(list));
        lists.set(name, [...others, { description, ranks: joined, counted: ranks }]);
      }
    }
  const shared = new Map([...lists].filter(([, list]) => list.length > 1));
  if (shared.size === 0) return dumps;
  return dumps.map((dump) => {
    const names = new Map<string, string>();
    for (const { name, description, ranks } of dump.groups) {
      const at = shared
        .get(name)
        ?.findIndex((list) => list.description === description && list.ranks.has(ranks?.[0] ?? dump.rank));
      if (at !== undefined && at >= 0) names.set(name, `${name}@${at}`);
    }
    const renamed = (name: string): string => names.get(name) ?? name;
    return {
      ...dump,
      groups: dump.groups.map((group): ProcessGroup => ({ ...group, name: renamed(group.name) })),
      calls: dump.calls.map((call): Call => ({ ...call, group: renamed(call.group) })),
    };
  });
}
