// A curve of a run: columns of steps, values and times, and where each point was read. Columns rather than
// objects, because a run may log tens of millions of points; thinned, never silently, beyond a capacity.
import type { MetricName } from './metrics.js';
import type { Split } from './split.js';
import type { Where } from './where.js';

export type { Split } from './split.js';

export interface Point {
  readonly step: number;
  /** NaN and ±Infinity are kept: they are what a diagnosis looks for. */
  readonly value: number;
  /** Milliseconds since the epoch; NaN when the source gives no time. */
  readonly time: number;
  readonly at: Where;
}

export interface Series {
  /** The canonical name, or `other` for a metric that Grus has no name for. */
  readonly metric: MetricName;
  /** The name as the source wrote it: "train/loss", "lm loss", "gnorm". */
  readonly rawName: string;
  readonly split: Split;
  /** The rank that logged it, when the source says. */
  readonly rank: number | null;
  /** The device of a system metric ("gpu.0"), or the parameter or layer of a per-layer one. */
  readonly subject: string | null;
  /** The unit of `values` after conversion: "bytes", "seconds", "percent", "tokens/s", "samples/s", "steps/s", or "". */
  readonly unit: string;
  /** The id of the reader the points came from. */
  readonly reader: string;
  /** Number of points held; columns have this length, ordered as logged (steps may go back at a restart). */
  readonly length: number;
  readonly steps: Float64Array;
  readonly values: Float64Array;
  /** Milliseconds since the epoch, NaN where unknown. */
  readonly times: Float64Array;
  /** True when the source gave steps; false when points were merely counted. */
  readonly hasSteps: boolean;
  /** What `steps` counts. */
  readonly counts: 'steps' | 'epochs';
  /** Points the source held; above `length` when the curve was thinned. */
  readonly seen: number;
  /** Indexes whose logged value was a stand-in for NaN (`values` holds NaN there). */
  readonly masked: ReadonlySet<number>;
  where(index: number): Where;
  point(index: number): Point;
}
