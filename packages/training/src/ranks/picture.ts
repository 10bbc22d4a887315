// Ranks over time: how long each rank went on calling collectives, and how long it then waited. Ranks that fare alike share a lane, so
// that a thousand ranks need a few lines.
import type { RankDump } from './dump.js';
import type { Ranks } from './ranks.js';

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
