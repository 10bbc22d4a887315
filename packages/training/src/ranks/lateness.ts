// Who comes last. Every rank records when it called a collective; the one that nearly always calls last, and late compared with the time
// between two collectives, holds up the others. Only ranks whose clocks are one are compared.

import { median } from '../features/robust.js';
import type { RunRecord } from '../record/run-record.js';
import type { CallFrame } from './call.js';
import type { RankDump } from './dump.js';

export interface Latecomer {
  readonly rank: number;
  /** Milliseconds between the last but one and this rank, in the middle of all turns. */
  readonly late: number;
  readonly turns: number;
  readonly frame: CallFrame | null;
  readonly file: string;
}

const fewestTurns = 12;
const shareLast = 0.7;
const shareLate = 0.4;
const leastLate = 5;

const known = new WeakMap<RunRecord, { readonly found: Latecomer | null }>();

export function latecomerIn(record: RunRecord): Latecomer | null {
  if (record.dumps.length < 2) return null;
  const entry = known.get(record) ?? { found: isOneClock(record) ? latecomerOf(record.dumps) : null };
  known.set(record, entry);
  return entry.found;
}

/** Hosts have clocks of their own. */
function isOneClock({ seats, hardware }: RunRecord): boolean {
  return new Set([...seats.flatMap(({ host }) => host ?? []), ...hardware.hosts]).size <= 1;
}

/** One collective as all ranks called it. */
interface Turn {
  calls: number;
  /** When the last rank called it, which one that was, and when the last but one did. */
  last: number;
  rank: number;
  before: number;
}

function latecomerOf(dumps: readonly RankDump[]): Latecomer | null {
  const whole = turnsOf(dumps).filter(({ calls }) => calls === dumps.length);
  if (whole.length < fewestTurns) return null;
  const [start, end] = whole.reduce(
    ([low, high], { last }) => [Math.min(low, last), Math.max(high, last)],
    [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY],
  );
  const lasting = whole.filter(({ last, before }) => last - before >= leastLate);
  const counts = new Map<number, number>();
  for (const { rank } of lasting) counts.set(rank, (counts.get(rank) ?? 0) + 1);
  const [rank, often] = [...counts].sort((a, b) => b[1] - a[1])[0] ?? [-1, 0];
  if (often < fewestTurns / 2 || often < shareLast * lasting.length) return null;
  // Several collectives follow each other in a step: what counts is how much of all the time is spent on waiting for the rank.
  const lates = lasting.filter((turn) => turn.rank === rank).map(({ last, before }) => last - before);
  const waited = lates.reduce((sum, late) => sum + late, 0);
  if (waited < shareLate * (end - start)) return null;
  const dump = dumps.find((entry) => entry.rank === rank)!;
  return {
    rank,
    late: median(lates),
    turns: often,
    frame: dump.calls.at(-1)?.frame ?? null,
    file: dump.file,
  };
}

function turnsOf(dumps: readonly RankDump[]): Turn[] {
  const groups = new Map<string, Map<number, Turn>>();
  for (const { rank, calls } of dumps)
    for (const { group, sequence, pair, time } of calls) {
      if (pair || time === null) continue;
      const turns = groups.get(group) ?? new Map<number, Turn>();
      groups.set(group, turns);
      const turn = turns.get(sequence);
      if (turn === undefined)
        turns.set(sequence, { calls: 1, last: time, rank, before: Number.NEGATIVE_INFINITY });
      else {
        turn.calls++;
        if (time >= turn.last) {
          turn.before = turn.last;
          turn.last = time;
          turn.rank = rank;
        } else if (time > turn.before) turn.before = time;
      }
    }
  return [...groups.values()].flatMap((turns) => [...turns.values()]);
}
