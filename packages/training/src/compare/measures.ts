// What two runs both measured of how well they do, and on which scale its values are compared: scores as they are, losses
// by their ratio, since a loss of 0.01 and one of 0.1 are as far apart as 1 and 10.
import { type Curve, finiteValues } from '../features/curve.js';
import { median, spread } from '../features/robust.js';
import type { RunView } from '../features/view.js';
import { scoreOf } from '../health/score.js';
import type { Split } from '../record/run-record.js';

interface Measured {
  readonly curve: Curve;
  readonly values: readonly number[];
}

export interface Measure {
  readonly before: Measured;
  readonly after: Measured;
  readonly growsWithQuality: boolean;
  /** From a value to where it lies on the scale on which distances mean the same everywhere. */
  readonly scale: (value: number) => number;
  /** What is no difference, on that scale: what a person would shrug at, or what its own noise could make. */
  readonly tolerance: number;
}

/** Held-out before training, a score before a loss: the first of them decides, if it can. */
export function sharedMeasures(before: RunView, after: RunView): Measure[] {
  for (const split of ['eval', 'test', 'train'] as const) {
    const [scores, losses] = [
      [scoreOf(before, split), scoreOf(after, split)],
      [lossOf(before, split), lossOf(after, split)],
    ];
    const found = [
      ...(scores[0] && scores[1] ? [measureOf(scores[0], scores[1], true)] : []),
      ...(losses[0] && losses[1] ? [measureOf(losses[0], losses[1], false)] : []),
    ];
    if (found.length > 0) return found;
  }
  return [];
}

/** Where a run ended: the middle of its last quarter; NaN where most of that is no number. */
export function levelOf({ curve, values }: Measured): number {
  const end = late(curve.values);
  return end.filter(Number.isFinite).length * 2 < end.length ? Number.NaN : median(late(values));
}

function lossOf(view: RunView, split: Split): Measured | null {
  const curve = view.curve('loss', split);
  const values = curve ? finiteValues(curve) : [];
  return curve && values.length > 0 ? { curve, values } : null;
}

/** Scores, between 0 and 1, that are this close are the same. */
const scoreApart = 0.03;
/** The same of losses, as a share of the larger one. */
const shareApart = 0.1;
const timesNoise = 4;

function measureOf(before: Measured, after: Measured, growsWithQuality: boolean): Measure {
  const all = [...before.values, ...after.values];
  const isPositive = all.every((value) => value > 0);
  const scale = !growsWithQuality && isPositive ? Math.log : (value: number) => value;
  const shaking = Math.max(...[before, after].map(({ values }) => noiseOf(values.map(scale))));
  const least = growsWithQuality
    ? scoreApart
    : isPositive
      ? -Math.log(1 - shareApart)
      : shareApart * Math.max(...[before, after].map(({ values }) => Math.abs(median(late(values)))));
  return { before, after, growsWithQuality, scale, tolerance: Math.max(least, timesNoise * shaking) };
}

function late<Value>(values: readonly Value[]): readonly Value[] {
  return values.slice(-Math.max(1, Math.floor(values.length / 4)));
}

/** How far points lie beside the line through their neighbours: a fall, however steep, is no noise. */
function noiseOf(values: readonly number[]): number {
  const end = values.slice(-Math.max(8, Math.floor(values.length / 2)));
  const beside = end.slice(1, -1).map((value, at) => end[at]! - 2 * value + end[at + 2]!);
  return beside.length < 2 ? 0 : spread(beside) / Math.sqrt(6);
}
