// Whether two runs ended in the same way, and which did worse: by their diagnoses where one of them failed, else by the level
// of what both measured. A run that is merely shorter did not do worse: it is where the other was at that time.
import { viewOf } from '../features/view.js';
import type { RunRecord } from '../record/run-record.js';
import type { Diagnosis, RunOutcome } from '../rules/diagnosis.js';
import type { Contrast, Parting } from './define.js';
import { levelOf, type Measure, sharedMeasures } from './measures.js';

export interface Judged {
  readonly record: RunRecord;
  readonly diagnosis: Diagnosis;
}

type Side = 'before' | 'after';

export interface Contrasted {
  readonly endings: Contrast;
  readonly worse: Judged | null;
  /** The measure that decided, or the best that both have. */
  readonly measure: Measure | null;
  readonly parting: Parting | null;
}

const badness: Readonly<Record<RunOutcome, number>> = { healthy: 0, unknown: 0, degraded: 1, failed: 2 };

export function contrastOf(before: Judged, after: Judged): Contrasted {
  const sides = { before, after };
  const measures = sharedMeasures(viewOf(before.record), viewOf(after.record));
  const deciding = measures.find((measure) => worseBy(measure) !== null);
  const measure = deciding ?? measures[0] ?? null;
  const common = { measure, parting: measure && partingOf(measure) };
  const [a, b] = [before, after].map(({ diagnosis }) => badness[diagnosis.outcome]);
  if (a !== b) return { endings: 'apart', worse: a! > b! ? before : after, ...common };
  const worse = deciding === undefined ? null : worseBy(deciding);
  if (deciding === undefined || worse === null) {
    const isSameEnd = before.diagnosis.subcause === after.diagnosis.subcause;
    const endings = isSameEnd && (measure !== null || a !== 0) ? 'alike' : 'unclear';
    return { endings, worse: null, ...common };
  }
  if (isMerelyShorter(deciding, worse)) return { endings: 'shorter', worse: null, ...common };
  return { endings: 'apart', worse: sides[worse], ...common };
}

/** The side that ended worse by this measure; null where they ended alike. */
function worseBy(measure: Measure): Side | null {
  const { growsWithQuality, scale, tolerance } = measure;
  const [first, second] = [levelOf(measure.before), levelOf(measure.after)];
  if (Number.isNaN(first) || Number.isNaN(second))
    return Number.isNaN(first) === Number.isNaN(second) ? null : Number.isNaN(first) ? 'before' : 'after';
  const apart = scale(second) - scale(first);
  if (Math.abs(apart) <= tolerance) return null;
  return apart > 0 === growsWithQuality ? 'before' : 'after';
}

/** Of the steps of the longer run; above it they are of about the same length. */
const muchShorter = 0.8;
/** "At that time": between so many times fewer and so many times more steps. */
const aboutThen = 1.5;

/** Whether the longer run was just there, too, at about the step at which the other ended. */
function isMerelyShorter(measure: Measure, worse: Side): boolean {
  const { scale, tolerance } = measure;
  const short = measure[worse];
  const long = measure[worse === 'before' ? 'after' : 'before'];
  const level = levelOf(short);
  const [end, last] = [lastStep(short.curve), lastStep(long.curve)];
  const isSameAxis = short.curve.series.counts === long.curve.series.counts;
  if (!isSameAxis || Number.isNaN(level) || end > muchShorter * last) return false;
  const { finite, steps, values } = long.curve;
  const next = finite.find((index) => steps[index]! >= end);
  const then = finite
    .filter((at) => at === next || (steps[at]! >= end / aboutThen && steps[at]! <= end * aboutThen))
    .map((index) => scale(values[index]!));
  const low = then.reduce((a, b) => Math.min(a, b));
  const high = then.reduce((a, b) => Math.max(a, b));
  return scale(level) >= low - tolerance && scale(level) <= high + tolerance;
}

export function lastStep({ steps }: { readonly steps: readonly number[] }): number {
  return steps.reduce((a, b) => Math.max(a, b), 0);
}

/** The first step after which the curves stay apart. */
function partingOf({ before, after, scale, tolerance }: Measure): Parting | null {
  const [a, b] = [before.curve, after.curve];
  if (a.series.counts !== b.series.counts) return null;
  const last = Math.min(lastStep(a), lastStep(b));
  let parted: number | null = null;
  let at = 0;
  for (const index of b.finite) {
    const step = b.steps[index]!;
    if (step > last) break;
    while (at + 1 < a.length && a.steps[at + 1]! <= step) at += 1;
    const other = a.values[at]!;
    const isApart = !Number.isFinite(other) || Math.abs(scale(other) - scale(b.values[index]!)) > tolerance;
    parted = isApart ? (parted ?? step) : null;
  }
  return parted === null ? null : { metric: b.name, step: parted, counts: b.series.counts };
}
