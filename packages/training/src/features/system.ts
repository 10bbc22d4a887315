// How the run ended, how fast it was and whether it came again: what the platform knows of it.
import { type Curve, finiteValues } from './curve.js';
import { defineFeature, type Feature, known } from './define.js';
import { plannedSteps } from './ending.js';
import { clamp, median } from './robust.js';
import type { RunView } from './view.js';

export interface Pace {
  readonly curve: Curve;
  readonly slowerIsHigher: boolean;
}

/** Seconds per step: logged, or the inverse of a throughput. */
export function paceCurve(view: RunView): Pace | null {
  const time = view.curve('step_time');
  if (time && !isClock(time)) return { curve: time, slowerIsHigher: true };
  const throughput = view.curve('throughput');
  return throughput ? { curve: throughput, slowerIsHigher: false } : null;
}

/** A time may be that of a step or that since the start. The second never falls, but where it is set to zero, and grows by its first values each time. */
function isClock(curve: Curve): boolean {
  const values = finiteValues(curve);
  const moves = values.slice(1).map((value, at) => value - values[at]!);
  const falls = moves.filter((move) => move < 0).length;
  if (/^time$/i.test(curve.name) && falls === 0) return true;
  if (/step|iter|batch|per/i.test(curve.name)) return false;
  return (
    values.length >= 30 &&
    falls <= 0.01 * values.length &&
    values.at(-1)! > 0.5 * values.length * median(moves) &&
    values[0]! < 5 * median(moves)
  );
}

export const systemFeatures: readonly Feature[] = [
  defineFeature('system', 'completed', {
    definition: '1 when the run reached its end, 0 when it failed or was killed; missing when nothing says.',
    compute: (view) =>
      view.ending.kind === 'unknown' ? undefined : view.ending.kind === 'completed' ? 1 : 0,
  }),
  defineFeature('system', 'stopped_by_signal', {
    definition: '1 when a signal or a scheduler ended the run.',
    compute: (view) =>
      view.ending.kind === 'killed' ||
      view.ending.kind === 'stopped_from_outside' ||
      (view.ending.kind === 'interrupted' && view.ending.exit !== null)
        ? 1
        : view.ending.kind === 'unknown'
          ? undefined
          : 0,
  }),
  defineFeature('system', 'slowdown', {
    definition: 'Log of the seconds per step in the last fifth over those in the first half.',
    compute: (view) => {
      const pace = paceCurve(view);
      if (!pace || pace.curve.finite.length < 10) return undefined;
      const values = finiteValues(pace.curve);
      const early = median(values.slice(1, Math.floor(values.length / 2)));
      const late = median(values.slice(-Math.max(2, Math.floor(values.length / 5))));
      const ratio = pace.slowerIsHigher ? late / early : early / late;
      return ratio > 0 ? known(clamp(Math.log(ratio), -10, 10)) : undefined;
    },
  }),
  defineFeature('system', 'restarts', {
    definition: 'How often training went back to an earlier step.',
    compute: (view) => (view.record.lastStep === null ? undefined : view.record.restarts.length),
  }),
  defineFeature('system', 'progress', {
    definition: 'Last step over planned steps.',
    compute: (view) => {
      const planned = plannedSteps(view.record);
      return planned && view.record.lastStep !== null
        ? clamp(view.record.lastStep / planned, 0, 2)
        : undefined;
    },
  }),
  defineFeature('system', 'points', {
    definition: 'Log of one plus the number of logged training losses.',
    compute: (view) => Math.log1p(view.curve('loss')?.series.seen ?? 0),
  }),
];
