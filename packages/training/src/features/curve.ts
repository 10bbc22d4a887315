// A curve as features and detectors see it: one metric's points in the order they were logged, bounded in number,
// with its finite part, its own healthy window and where each point was read.
import type { Series, Where } from '../record/run-record.js';
import { median, noise, sampleEvenly, spread, trailingMedian } from './robust.js';

/** Enough to find an onset to within a fraction of a percent of the run; keeps every analysis linear and short. */
const maxPoints = 4000;

export interface Curve {
  readonly name: string;
  readonly series: Series;
  /** Points held here; at most a few thousand, evenly drawn, every non-finite edge kept. */
  readonly length: number;
  readonly steps: readonly number[];
  readonly values: readonly number[];
  /** Indexes into `steps` and `values` whose value is finite. */
  readonly finite: readonly number[];
  where(index: number): Where;
}

export function toCurve(series: Series): Curve {
  const begun = lastBeginning(series);
  const from = begun + (isOfOneStep(series, begun) ? 1 : 0);
  return passesOf(series, from) ?? pointsOf(series, from);
}

/** So many points tell what is usual in them, and how near to a multiple they all are. */
const sums = { points: 10, least: 5, middle: 0.15, each: 0.35 };

/** The first value is of one step, and each after it the sum of all steps since the one before: as many times as large as steps lie between. */
function isOfOneStep({ hasSteps, steps, values, length }: Series, from: number): boolean {
  const between = steps[from + 1]! - steps[from]!;
  const whole = between * values[from]!;
  if (!hasSteps || length - from <= 2 * sums.points || !(between >= sums.least) || !(whole > 0)) return false;
  const next = Array.from(values.subarray(from + 1, from + 1 + sums.points), (value) => value / whole - 1);
  return Math.abs(median(next)) < sums.middle && next.every((off) => Math.abs(off) < sums.each);
}

/** Writers that take turns, each with a count of its own: a step goes back again and again, and each time to another one. No one curve goes through their points. */
export function isOfSeveral({ hasSteps, steps, length }: Series): boolean {
  if (!hasSteps) return false;
  let back = 0;
  const targets = new Set<number>();
  for (let index = 1; index < length; index++) {
    // Ranks of one job are not this far apart.
    if (steps[index]! >= 0.9 * steps[index - 1]!) continue;
    back += 1;
    targets.add(steps[index]!);
  }
  return back >= 5 && back > length / 8 && targets.size > back / 4;
}

function pointsOf(series: Series, from: number): Curve {
  const picked = pickIndexes(series, from);
  return curveOf(
    series,
    picked,
    picked.map((index) => series.values[index]!),
  );
}

/** `picked`: which points of the series; `values`: what stands for each. */
function curveOf(series: Series, picked: readonly number[], values: readonly number[]): Curve {
  return {
    name: series.rawName,
    series,
    length: picked.length,
    steps: picked.map((index) => series.steps[index]!),
    values,
    finite: values.flatMap((value, index) => (Number.isFinite(value) ? [index] : [])),
    where: (index) => series.where(picked[index]!),
  };
}

/** Steps that begin anew belong to another training in the same log: only the last one is looked at. */
function lastBeginning({ steps, length }: Series): number {
  let highest = Number.NEGATIVE_INFINITY;
  for (const step of steps) if (step > highest) highest = step;
  for (let index = length - 1; index > 0; index--)
    if (steps[index]! < steps[index - 1]! && steps[index]! < 0.2 * highest) return index;
  return 0;
}

/** What was measured batch by batch while training stood still is one evaluation, worth the mean of its batches; null where each point is one. */
function passesOf(series: Series, from: number): Curve | null {
  const { split, hasSteps, steps, values, length } = series;
  if (!hasSteps || (split !== 'eval' && split !== 'test')) return null;
  const lasts: number[] = [];
  for (let index = from; index < length; index++)
    if (index + 1 === length || steps[index + 1] !== steps[index]) lasts.push(index);
  if (length - from < 4 * lasts.length) return null;
  const means = lasts.map((last, at) => {
    const batches = values.subarray((lasts[at - 1] ?? from - 1) + 1, last + 1);
    return batches.reduce((sum, value) => sum + value, 0) / batches.length;
  });
  return curveOf(series, lasts, means);
}

function pickIndexes(series: Series, from: number): number[] {
  const all = Array.from({ length: series.length - from }, (_, index) => from + index);
  if (all.length <= maxPoints) return all;
  const kept = new Set(sampleEvenly(all, maxPoints));
  let edges = 0;
  for (let index = from + 1; index < series.length && edges < 64; index++) {
    if (Number.isFinite(series.values[index]!) === Number.isFinite(series.values[index - 1]!)) continue;
    kept.add(index - 1).add(index);
    edges += 1;
  }
  return [...kept].sort((a, b) => a - b);
}

export function finiteValues(curve: Curve): number[] {
  return curve.finite.map((index) => curve.values[index]!);
}

/** How many digits its values were written with, at most. */
export function digitsOf(curve: Curve): number {
  return Math.max(
    0,
    ...finiteValues(curve).map((value) => String(value).replace(/\D/g, '').replace(/^0+/, '').length),
  );
}

/** How far a value may lie from what it was before it was printed: half of its last digit. */
export function roundingOf(value: number): number {
  return 0.5 * 10 ** -(String(value).split('.')[1]?.length ?? 0);
}

/** Whether the first value is that of a beginner: one that was first logged after a twentieth of the run is not. */
export function startsAtBeginning({ steps, finite }: Curve): boolean {
  const [begun, last] = [steps[finite[0]!]!, steps[finite.at(-1)!]!];
  return begun <= 1 || begun <= 0.05 * last;
}

/** First index whose value is NaN or infinite, or -1. */
export function firstNonFinite(curve: Curve): number {
  return curve.values.findIndex((value) => !Number.isFinite(value));
}

/** How a curve moved as a whole, in its own units and against its own noise. */
export interface Movement {
  readonly start: number;
  readonly end: number;
  readonly best: number;
  /** Index (into the curve) of the best smoothed value. */
  readonly bestIndex: number;
  readonly worst: number;
  /** Standard deviation of point-to-point noise. */
  readonly noise: number;
  /** (start - end) / |start|: positive when a loss fell. */
  readonly improvement: number;
  /** (start - end) / noise. */
  readonly significance: number;
  readonly count: number;
}

export function movementOf(curve: Curve): Movement | null {
  const values = finiteValues(curve);
  if (values.length < 3) return null;
  const edge = Math.max(1, Math.min(20, Math.floor(values.length * 0.05)));
  const start = median(values.slice(0, edge));
  const end = median(values.slice(-Math.max(edge, values.length >= 20 ? 3 : 1)));
  const smooth = trailingMedian(values, smoothingWidth(values.length));
  let bestAt = 0;
  for (let i = 1; i < smooth.length; i++) if (smooth[i]! < smooth[bestAt]!) bestAt = i;
  const level = noise(values);
  const floor = Math.abs(start) * 1e-9 + 1e-12;
  return {
    start,
    end,
    best: smooth[bestAt]!,
    bestIndex: curve.finite[bestAt]!,
    worst: Math.max(...values),
    noise: level,
    improvement: (start - end) / (Math.abs(start) + floor),
    significance: (start - end) / Math.max(level, floor),
    count: values.length,
  };
}

export function smoothingWidth(count: number): number {
  return count < 8 ? 1 : Math.min(25, Math.max(3, Math.round(count / 20)));
}

/** The curve's level and noise while it was still well: the early part, first points left out, in log space when positive. */
export interface HealthyWindow {
  readonly log: boolean;
  readonly centre: number;
  readonly scale: number;
  /** Number of points it was measured on. */
  readonly count: number;
}

export function healthyWindow(values: readonly number[]): HealthyWindow | null {
  if (values.length < 5) return null;
  const skip = values.length >= 20 ? Math.min(5, Math.floor(values.length * 0.05)) : 0;
  const width = Math.max(4, Math.min(200, Math.floor(values.length * 0.25)));
  const window = values.slice(skip, skip + width);
  const log = window.every((value) => value > 0);
  const scaled = log ? window.map(Math.log) : window;
  return { log, centre: median(scaled), scale: spread(scaled), count: window.length };
}

export interface Departure {
  /** Index into the curve where the values left the baseline for good. */
  readonly index: number;
  readonly step: number;
  /** Peak value over the baseline level; below 1 for a fall. */
  readonly ratio: number;
  /** Distance from the baseline in its own spreads. */
  readonly deviations: number;
  readonly baseline: number;
}

export interface DepartureOptions {
  readonly direction: 'up' | 'down';
  /** Least factor between the baseline and where the curve went. */
  readonly minRatio: number;
  /** Least distance in spreads of the baseline. Default 6. */
  readonly minDeviations?: number;
  /** Points at the end that must all be away. Default up to 3; 1 for a curve that was cut off while it rose. */
  readonly tail?: number;
}

/**
 * Where a positive curve left its healthy level and did not come back by its end. Returns null when it never left, or
 * left and recovered: a spike that heals is no failure.
 */
export function departure(curve: Curve, options: DepartureOptions): Departure | null {
  const indexes = curve.finite.filter((index) => curve.values[index]! > 0);
  const logs = indexes.map((index) => Math.log(curve.values[index]!));
  const window = healthyWindow(indexes.map((index) => curve.values[index]!));
  if (!window?.log) return null;
  const sign = options.direction === 'up' ? 1 : -1;
  const limit = Math.max(
    Math.log(options.minRatio),
    (options.minDeviations ?? 6) * Math.max(window.scale, 0.05),
  );
  const away = (value: number): boolean => sign * (value - window.centre) >= limit;
  const tail = logs.slice(-(options.tail ?? Math.max(1, Math.min(3, Math.floor(logs.length / 5)))));
  if (!tail.every(away)) return null;
  let first = logs.length - 1;
  while (first > 0 && sign * (logs[first - 1]! - window.centre) >= limit / 2) first -= 1;
  const beyond = logs.slice(first);
  const peak = sign > 0 ? Math.max(...beyond) : Math.min(...beyond);
  return {
    index: indexes[first]!,
    step: curve.steps[indexes[first]!]!,
    ratio: Math.exp(peak - window.centre),
    deviations: Math.abs(peak - window.centre) / Math.max(window.scale, 0.05),
    baseline: Math.exp(window.centre),
  };
}
