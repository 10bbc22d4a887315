// Who comes last. Every rank records when it called a collective; the one that nearly always calls last, and late compared with the time
// between two collectives, holds up the others. Only ranks whose clocks are one are compared.

import { median } from '../features/robust.js';
import type { RunRecord } from '../record/run-record.js';
import type { CallFrame, RankDump } from './dump.js';

export interface Latecomer {
  readonly rank: number;
  /** Milliseconds between the last but one and this rank, in the middle of all turns. */
  readonly late: number;
  /** Milliseconds between two turns. */
  readonly period: number;
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

function latecomerOf(dumps: readonly RankDump[]): Latecomer | null {
  const turns = new Map<string, { rank: number; time: number }[]>();
  for (const { rank, calls } of dumps)
    for (const { group, sequence, pair, time } of calls) {
      if (pair || time === null) continue;
      const key = `${group} ${sequence}`;
      const turn = turns.get(key);
      if (turn) turn.push({ rank, time });
      else turns.set(key, [{ rank, time }]);
    }
  const whole = [...turns.values()].filter((turn) => turn.length === dumps.length);
  if (whole.length < fewestTurns) return null;
  const ends = whole.map((turn) => {
    const [last, before] = [...turn].sort((a, b) => b.time - a.time) as [(typeof turn)[0], (typeof turn)[0]];
    return { rank: last!.rank, late: last!.time - before!.time, time: last!.time };
  });
  const counts = new Map<number, number[]>();
  for (const { rank, late } of ends) counts.set(rank, [...(counts.get(rank) ?? []), late]);
  const [rank, lates] = [...counts].sort((a, b) => b[1].length - a[1].length)[0]!;
  const times = ends.map(({ time }) => time).sort((a, b) => a - b);
  const span = times.at(-1)! - times[0]!;
  const late = median(lates);
  // Several collectives follow each other in a step: what counts is how much of all the time is spent on waiting for the rank.
  const waited = lates.reduce((sum, value) => sum + value, 0);
  const often = lates.filter((value) => value >= leastLate).length;
  if (span <= 0 || waited < shareLate * span || often < fewestTurns / 2) return null;
  const lasting = ends.filter((end) => end.late >= leastLate);
  if (lasting.filter((end) => end.rank === rank).length < shareLast * lasting.length) return null;
  const dump = dumps.find((entry) => entry.rank === rank)!;
  return {
    rank,
    late,
    period: span / (whole.length - 1),
    turns: lates.length,
    frame: dump.calls.at(-1)?.frame ?? null,
    file: dump.file,
  };
}
