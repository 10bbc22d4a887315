// A curve of the assembled record: one file's columns as they are, or several files' columns joined.
import type { MetricName } from '../../record/metrics.js';
import type { Series } from '../../record/series.js';
import type { Where } from '../../record/where.js';
import type { FileRecord } from './file-record.js';
import type { SeriesBuilder } from './series-builder.js';

/** A stretch of one file's curve. */
export interface Segment {
  readonly file: FileRecord;
  readonly builder: SeriesBuilder;
  readonly rank: number | null;
  readonly from: number;
  readonly to: number;
}

export interface MergedSeries extends Series {
  readonly segments: readonly Segment[];
}

interface MergeOptions {
  readonly masked?: ReadonlySet<number>;
  /** In percent, as other curves of its name tell; without it the values themselves decide. */
  readonly percent?: boolean;
}

export function mergedSeries(
  segments: readonly Segment[],
  { masked = new Set(), percent }: MergeOptions = {},
): MergedSeries {
  const { key } = segments[0]!.builder;
  const { metric, split, subject, unit } = key.identity;
  const steps = join(segments, 'steps');
  const times = join(segments, 'times');
  const joined = join(segments, 'values');
  const values = valuesOf(joined, percent ?? exceedsOne(metric, joined), masked);
  const where = (index: number): Where => placeOf(segments, index);
  return {
    segments,
    metric,
    split,
    subject,
    unit,
    rawName: key.rawName,
    rank: segments[0]!.rank,
    reader: segments[0]!.file.reader,
    hasSteps: segments.every((segment) => segment.builder.hasSteps),
    counts: segments.some(({ builder }) => builder.countsEpochs) ? 'epochs' : 'steps',
    length: steps.length,
    seen: segments.reduce(
      (sum, { builder, from, to }) => sum + (from === 0 && to === builder.length ? builder.seen : to - from),
      0,
    ),
    steps,
    values,
    times,
    masked,
    where,
    point: (index) => ({
      step: steps[index]!,
      value: values[index]!,
      time: times[index]!,
      at: where(index),
    }),
  };
}

function valuesOf(joined: Float64Array, percent: boolean, masked: ReadonlySet<number>): Float64Array {
  const values = percent ? joined.map((value) => value / 100) : joined;
  return masked.size === 0 ? values : values.map((value, at) => (masked.has(at) ? Number.NaN : value));
}

function placeOf(segments: readonly Segment[], index: number): Where {
  let rest = index;
  for (const { file, builder, from, to } of segments) {
    if (rest < to - from) return file.at(builder.places[from + rest]!);
    rest -= to - from;
  }
  throw new RangeError(`point ${index} lies beyond the curve`);
}

/** What is printed as a share or in percent. */
const shares: ReadonlySet<string> = new Set(['accuracy', 'auc', 'error_rate']);

/** Whether a curve's own values tell that it was logged in percent. */
export function isPercent({ metric, segments }: MergedSeries): boolean {
  return exceedsOne(metric, join(segments, 'values'));
}

/** Shares beyond 1 were logged in percent. */
function exceedsOne(metric: MetricName, values: Float64Array): boolean {
  if (!shares.has(metric)) return false;
  let highest = 0;
  for (const value of values) if (value > highest && value !== Number.POSITIVE_INFINITY) highest = value;
  return highest > 1.5 && highest <= 100;
}

function join(segments: readonly Segment[], column: 'steps' | 'values' | 'times'): Float64Array {
  const only = segments[0]!;
  if (segments.length === 1) {
    only.builder.isShared = true;
    return only.builder[column].subarray(only.from, only.to);
  }
  const joined = new Float64Array(segments.reduce((sum, { from, to }) => sum + to - from, 0));
  let at = 0;
  for (const { builder, from, to } of segments) {
    joined.set(builder[column].subarray(from, to), at);
    at += to - from;
  }
  return joined;
}
