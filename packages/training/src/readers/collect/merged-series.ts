// A curve of the assembled record: one file's columns as they are, or several files' columns joined.
import type { MetricName } from '../../record/metrics.js';
import type { Point, Series, Split } from '../../record/series.js';
import type { Where } from '../../record/where.js';
import type { FileRecord } from './file-record.js';
import type { SeriesBuilder } from './series-builder.js';

/** A stretch of one file's curve. */
export interface Segment {
  readonly file: FileRecord;
  readonly builder: SeriesBuilder;
  readonly from: number;
  readonly to: number;
}

export class MergedSeries implements Series {
  readonly metric: MetricName;
  readonly rawName: string;
  readonly split: Split;
  readonly rank: number | null;
  readonly subject: string | null;
  readonly unit: string;
  readonly reader: string;
  readonly length: number;
  readonly steps: Float64Array;
  readonly values: Float64Array;
  readonly times: Float64Array;
  readonly hasSteps: boolean;
  readonly seen: number;
  readonly masked: ReadonlySet<number>;

  constructor(
    readonly segments: readonly Segment[],
    masked: ReadonlySet<number> = new Set(),
  ) {
    const { key } = segments[0]!.builder;
    this.metric = key.identity.metric;
    this.rawName = key.rawName;
    this.split = key.identity.split;
    this.rank = key.rank;
    this.subject = key.identity.subject;
    this.unit = key.identity.unit;
    this.reader = segments[0]!.file.reader;
    this.hasSteps = segments.every((segment) => segment.builder.hasSteps);
    this.length = segments.reduce((sum, segment) => sum + segment.to - segment.from, 0);
    this.seen = segments.reduce(
      (sum, { builder, from, to }) => sum + (from === 0 && to === builder.length ? builder.seen : to - from),
      0,
    );
    this.steps = join(segments, 'steps');
    this.times = join(segments, 'times');
    const joined = join(segments, 'values');
    const values =
      this.metric === 'accuracy' && isPercent(joined) ? joined.map((value) => value / 100) : joined;
    this.values =
      masked.size === 0 ? values : values.map((value, at) => (masked.has(at) ? Number.NaN : value));
    this.masked = masked;
  }

  where(index: number): Where {
    let rest = index;
    for (const { file, builder, from, to } of this.segments) {
      if (rest < to - from) return file.at(builder.places[from + rest]!);
      rest -= to - from;
    }
    throw new RangeError(`point ${index} of ${this.length}`);
  }

  point(index: number): Point {
    return {
      step: this.steps[index]!,
      value: this.values[index]!,
      time: this.times[index]!,
      at: this.where(index),
    };
  }
}

/** Accuracies beyond 1 were logged in percent. */
function isPercent(values: Float64Array): boolean {
  let highest = 0;
  for (const value of values) if (value > highest && value !== Number.POSITIVE_INFINITY) highest = value;
  return highest > 1.5 && highest <= 100;
}

function join(segments: readonly Segment[], column: 'steps' | 'values' | 'times'): Float64Array {
  const only = segments[0]!;
  if (segments.length === 1) return only.builder[column].subarray(only.from, only.to);
  const joined = new Float64Array(segments.reduce((sum, { from, to }) => sum + to - from, 0));
  let at = 0;
  for (const { builder, from, to } of segments) {
    joined.set(builder[column].subarray(from, to), at);
    at += to - from;
  }
  return joined;
}
