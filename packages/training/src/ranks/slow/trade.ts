// Time that one rank needs and the others wait away: a step lasts the same for all, so the slow rank is highest in the phase that holds
// it up and lowest in the phase in which the others wait for it. Any times that every rank printed of its steps serve.
import { once } from '../../features/once.js';
import { median } from '../../features/robust.js';
import { communicates, isTimed, isWhole, mayTrade, readsData, secondsIn } from '../../record/phase-names.js';
import type { RunRecord, Series } from '../../record/run-record.js';

export interface Trade {
  readonly rank: number;
  /** The phase in which it is slow, and the one in which the others wait; as the log names them. */
  readonly slow: Phase;
  readonly waiting: Phase;
}

interface Phase {
  readonly name: string;
  /** Seconds a step, of the slow rank and of the others. */
  readonly own: number;
  readonly others: number;
  readonly series: Series;
}

const fewestSteps = 5;
const fewestLooked = 2;
const shareOfStep = 0.1;

interface Window {
  readonly share: number;
  readonly clearly: number;
  /** The least share of these steps in which it is slow. */
  readonly often: number;
  /** Now and then the first rank has work of its own. */
  readonly isSum?: true;
}

/**
 * What was slow all along, or from some step on until the end, or again and again: what the others wait for then is the sum. The fewer steps
 * tell of it, the clearer they must.
 */
const windows: readonly Window[] = [
  { share: 1, clearly: 1.5, often: 0.6 },
  { share: 1 / 2, clearly: 1.5, often: 0.6 },
  { share: 1 / 10, clearly: 5, often: 0.6 },
  { share: 1, clearly: 3, often: 0.2, isSum: true },
];

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** How long the last part of the steps took, in the middle. */
export function lateLevel(values: ArrayLike<number>, middle = median): number {
  const finite = Array.from(values).filter(Number.isFinite);
  return middle(finite.slice(-Math.max(fewestLooked, Math.ceil(finite.length / 4))));
}

/** A rank that has caught up with the others by the end is slow no more. */
export const stillSlower = 1.3;

export const tradeIn = once(tradeWithin);

function tradeWithin(record: RunRecord): Trade | null {
  for (const window of windows) {
    const phases = phasesOf(record, window);
    for (const [name, times] of phases)
      for (const [other, waits] of phases) {
        if (name === other || times.size !== waits.size) continue;
        const trade = tradeOf(name, times, other, waits, stepOf(phases, times.size), window);
        if (trade) return trade;
      }
  }
  return null;
}

interface Level {
  readonly level: number;
  readonly series: Series;
  /** The values that were looked at. */
  readonly values: Float64Array;
}

type Times = ReadonlyMap<number, Level>;

/** The times that at least two ranks gave, under each name; of the last part of the steps where a share is given. */
export function phasesOf(
  { series }: RunRecord,
  { share, isSum }: Window = windows[0]!,
): ReadonlyMap<string, Times> {
  const phases = new Map<string, Map<number, Level>>();
  for (const entry of series) {
    const isPhase =
      entry.metric === 'step_time' ||
      entry.metric === 'data_time' ||
      (entry.metric === 'other' && isTimed(entry));
    if (!isPhase || entry.rank === null || entry.subject !== null || entry.length < fewestSteps) continue;
    // The time since the start is no time of a step.
    if (entry.values.every((value, at) => at === 0 || value > entry.values[at - 1]!)) continue;
    const phase = phases.get(entry.rawName) ?? new Map();
    phases.set(entry.rawName, phase);
    const values = entry.values.slice(-Math.max(fewestLooked, Math.ceil(share * entry.length)));
    phase.set(entry.rank, {
      level: (isSum ? mean : median)([...values]) * secondsIn(entry),
      series: entry,
      values,
    });
  }
  const told = new Map<string, Times>([...phases].filter(([, times]) => times.size > 1));
  const rest = restOf(told);
  return rest ? told.set(restOfStep, rest) : told;
}

const restOfStep = 'the rest of a step';

/** What is left of a step when its parts are taken off: the work of the rank itself. */
function restOf(phases: ReadonlyMap<string, Times>): Times | null {
  const whole = [...phases].find(([name]) => isWhole(name));
  const parts = [...phases].filter(([name]) => communicates(name) || readsData(name));
  if (whole === undefined || !parts.some(([name]) => communicates(name))) return null;
  const rest = new Map<number, Level>();
  for (const [rank, { level, series, values }] of whole[1]) {
    const taken = parts.map(([, times]) => times.get(rank)?.level);
    if (taken.includes(undefined)) return null;
    const left = level - taken.reduce<number>((sum, part) => sum + part!, 0);
    if (left < 0) return null;
    rest.set(rank, { level: left, series, values });
  }
  return rest;
}

/** About how long a step lasts. */
function stepOf(phases: ReadonlyMap<string, Times>, ranks: number): number {
  let sum = 0;
  for (const times of phases.values())
    if (times.size === ranks) sum += median([...times.values()].map(({ level }) => level));
  return sum;
}

function tradeOf(
  name: string,
  times: Times,
  other: string,
  waits: Times,
  step: number,
  { clearly, often: oftenEnough, isSum }: Window,
): Trade | null {
  const [[rank, slow]] = [...times].sort(([, a], [, b]) => b.level - a.level) as [[number, Level]];
  const wait = waits.get(rank);
  if (isSum && rank === 0) return null;
  if (wait === undefined || (times.size === 2 && !mayTrade(name, other))) return null;
  const levelOf = (all: Times) =>
    median([...all].flatMap(([entry, { level }]) => (entry === rank ? [] : level)));
  const [others, waited] = [levelOf(times), levelOf(waits)];
  const less = isSum ? stillSlower : clearly;
  const isLowest = [...waits].every(([entry, { level }]) => entry === rank || level >= less * wait.level);
  if (slow.level < clearly * others || !isLowest) return null;
  const [excess, saved] = [slow.level - others, waited - wait.level];
  if (excess < shareOfStep * step || saved < excess / 2 || saved > 2 * excess) return null;
  // Behind a collective all steps are as long as the slowest rank's: there the time that it does not wait tells how often it was slow.
  const isRest = name === restOfStep;
  const [{ values }, limit] = isRest
    ? [wait, waited / clearly / secondsIn(wait.series)]
    : [slow, (clearly * others) / secondsIn(slow.series)];
  const often = values.filter((value) => (isRest ? value < limit : value > limit)).length;
  if (often < oftenEnough * values.length) return null;
  const middle = isSum ? mean : median;
  const late = [...(isRest ? waits : times)].flatMap(([entry, one]) =>
    entry === rank ? [] : lateLevel(one.values, middle),
  );
  const [own, usual] = [lateLevel(values, middle), median(late)];
  if (isRest ? usual < stillSlower * own : own < stillSlower * usual) return null;
  return {
    rank,
    slow: { name, own: slow.level, others, series: slow.series },
    waiting: { name: other, own: wait.level, others: waited, series: wait.series },
  };
}
