// Whether two runs ended in the same way, and which did worse: by their diagnoses where one of them failed, else by the level
// of a metric that both have, beyond what its own noise could make.
import { type Curve, finiteValues } from '../features/curve.js';
import { median, noise } from '../features/robust.js';
import { type RunView, viewOf } from '../features/view.js';
import { scoreOf } from '../health/score.js';
import type { RunRecord, Split } from '../record/run-record.js';
import type { Diagnosis, RunOutcome } from '../rules/diagnosis.js';
import type { Contrast, Parting } from './define.js';

export interface Judged {
  readonly record: RunRecord;
  readonly diagnosis: Diagnosis;
}

export interface Contrasted {
  readonly endings: Contrast;
  readonly worse: Judged | null;
  readonly metric: string | null;
  readonly levels: readonly [number, number] | null;
  readonly parting: Parting | null;
}

const badness: Readonly<Record<RunOutcome, number>> = { healthy: 0, unknown: 0, degraded: 1, failed: 2 };

export function contrastOf(before: Judged, after: Judged): Contrasted {
  const pair = shared(viewOf(before.record), viewOf(after.record));
  const levels = pair ? ([level(pair[0].values), level(pair[1].values)] as const) : null;
  const common = {
    metric: pair?.[0].curve.name ?? null,
    levels,
    parting: pair ? partingOf(pair[0].curve, pair[1].curve) : null,
  };
  const [a, b] = [before, after].map(({ diagnosis }) => badness[diagnosis.outcome]);
  if (a !== b) return { endings: 'apart', worse: a! > b! ? before : after, ...common };
  if (!pair || !levels || !isApart(pair, levels)) {
    const isSameEnd = before.diagnosis.subcause === after.diagnosis.subcause;
    const endings = isSameEnd && (pair !== null || a !== 0) ? 'alike' : 'unclear';
    return { endings, worse: null, ...common };
  }
  const afterIsHigher = levels[1] > levels[0];
  const worse = afterIsHigher === pair[0].growsWithQuality ? before : after;
  return { endings: 'apart', worse, ...common };
}

interface Measure {
  readonly curve: Curve;
  readonly values: readonly number[];
  readonly growsWithQuality: boolean;
}

/** The best that both record: held-out before training, a score before a loss. */
function shared(before: RunView, after: RunView): readonly [Measure, Measure] | null {
  for (const split of ['eval', 'test', 'train'] as const) {
    for (const measure of [scored, lost]) {
      const [a, b] = [measure(before, split), measure(after, split)];
      if (a && b) return [a, b];
    }
  }
  return null;
}

function scored(view: RunView, split: Split): Measure | null {
  const score = scoreOf(view, split);
  return score ? { ...score, growsWithQuality: true } : null;
}

function lost(view: RunView, split: Split): Measure | null {
  const curve = view.curve('loss', split);
  const values = curve ? finiteValues(curve) : [];
  return curve && values.length > 0 ? { curve, values, growsWithQuality: false } : null;
}

const late = (values: readonly number[]): readonly number[] =>
  values.slice(-Math.max(1, Math.floor(values.length / 4)));
const level = (values: readonly number[]): number => median(late(values));

/** Scores, between 0 and 1, that are this far apart are not the same. */
const scoreApart = 0.03;
/** The same of losses, as a share of the larger one. */
const shareApart = 0.1;
const timesNoise = 4;

function isApart([a, b]: readonly [Measure, Measure], [first, second]: readonly [number, number]): boolean {
  const apart = Math.abs(first - second);
  const shaking = Math.max(noiseOf(a.values), noiseOf(b.values));
  const least = a.growsWithQuality ? scoreApart : shareApart * Math.max(Math.abs(first), Math.abs(second));
  return apart > least && apart > timesNoise * shaking;
}

function noiseOf(values: readonly number[]): number {
  const found = noise(values.slice(-Math.max(8, Math.floor(values.length / 2))));
  return Number.isFinite(found) ? found : 0;
}

/** The first step after which the curves stay apart by more than their noise. */
function partingOf(a: Curve, b: Curve): Parting | null {
  const shaking = Math.max(noiseOf(finiteValues(a)), noiseOf(finiteValues(b)), 1e-12);
  const last = Math.min(a.steps.at(-1) ?? 0, b.steps.at(-1) ?? 0);
  let parted: number | null = null;
  let at = 0;
  for (const index of b.finite) {
    const step = b.steps[index]!;
    if (step > last) break;
    while (at + 1 < a.length && a.steps[at + 1]! <= step) at += 1;
    const other = a.values[at]!;
    if (!Number.isFinite(other) || Math.abs(other - b.values[index]!) > timesNoise * shaking) parted ??= step;
    else parted = null;
  }
  return parted === null ? null : { metric: b.name, step: parted };
}
