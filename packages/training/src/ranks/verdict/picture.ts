// Where the ranks stand, in words and over time, so that it stays readable for eight ranks and for a thousand: those that fare alike share a
// line, or a lane.
import type { RankDump } from '../dumps/dump.js';
import { rankWord } from '../present/rank-words.js';
import type { Ranks } from './ranks.js';

/** One line for each kind of standing; the first rank first. */
export function pictureOf({ world_size, first, missing, behind, groups }: Ranks): string[] {
  const lines: string[] = [];
  if (first) {
    const place = first.file === null ? '' : `, last seen at ${first.file}:${first.line}`;
    const seat = [first.host, first.device === null ? null : `device ${first.device}`].filter(
      (part) => part !== null,
    );
    const where = seat.length === 0 ? '' : ` on ${seat.join(', ')}`;
    lines.push(`it began at rank ${first.rank} of ${world_size}${where}${place}`);
  }
  const others = behind.filter((rank) => rank !== first?.rank);
  if (others.length > 0)
    lines.push(
      `${rankWord(others)} ${first ? 'as well' : 'disagree, and nothing says which of them is wrong'}`,
    );
  for (const group of groups.slice(0, 8))
    lines.push(
      `${rankWord(group.waiting)} ${group.waiting.length === 1 ? 'waits' : 'wait'} in ${group.operation} ${group.sequence} of group ${group.name} for ${rankWord(group.behind)}`,
    );
  if (groups.length > 8) lines.push(`${groups.length - 8} more groups wait`);
  if (missing.length > 0) lines.push(`${rankWord(missing)} left nothing behind`);
  return lines;
}

/** How long ranks went on calling collectives, and how they then fared. */
export interface Lane {
  readonly ranks: readonly number[];
  /** `first`: where it began. `waits`: in a collective that does not end. `gone`: left nothing. */
  readonly state: 'first' | 'waits' | 'behind' | 'gone' | 'ended';
  /** Share of the time, from 0 to 1, until its last call. */
  readonly until: number;
}

/** Lanes that are drawn before alike ones are folded further. */
const mostLanes = 24;

/** Null when the dumps hold no times. */
export function lanesOf(
  { present, missing, first, behind, groups }: Ranks,
  dumps: readonly RankDump[],
): Lane[] {
  const lasts = new Map<number, number>();
  let start = Number.POSITIVE_INFINITY;
  let end = Number.NEGATIVE_INFINITY;
  for (const { rank, calls } of dumps)
    for (const { time } of calls) {
      if (time === null) continue;
      start = Math.min(start, time);
      end = Math.max(end, time);
      lasts.set(rank, Math.max(time, lasts.get(rank) ?? time));
    }
  if (lasts.size < 2) return [];
  const waiting = new Set(groups.flatMap((group) => group.waiting));
  const late = new Set(behind);
  const span = Math.max(end - start, 1);
  const lanes = new Map<string, { state: Lane['state']; ranks: number[]; sum: number }>();
  const put = (rank: number, state: Lane['state'], until: number): void => {
    const key = state === 'first' ? `first ${rank}` : `${state} ${Math.round(until * 20)}`;
    const lane = lanes.get(key) ?? { state, ranks: [], sum: 0 };
    lanes.set(key, lane);
    lane.ranks.push(rank);
    lane.sum += until;
  };
  for (const rank of present) {
    const last = lasts.get(rank);
    const state =
      rank === first?.rank ? 'first' : late.has(rank) ? 'behind' : waiting.has(rank) ? 'waits' : 'ended';
    put(
      rank,
      last === undefined && state === 'ended' ? 'gone' : state,
      last === undefined ? 0 : (last - start) / span,
    );
  }
  for (const rank of missing) put(rank, rank === first?.rank ? 'first' : 'gone', 0);
  return [...lanes.values()]
    .map(({ state, ranks, sum }) => ({ state, ranks, until: sum / ranks.length }))
    .sort((a, b) => order(a.state) - order(b.state) || a.ranks[0]! - b.ranks[0]!)
    .slice(0, mostLanes);
}

function order(state: Lane['state']): number {
  return ['first', 'behind', 'waits', 'ended', 'gone'].indexOf(state);
}
