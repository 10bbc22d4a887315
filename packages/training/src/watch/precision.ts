// How often each warning was right on the recorded scenarios: a table that `npm run train -- warnings` writes. What was not
// measured is not stated.
import measured from './precision.json' with { type: 'json' };

export interface MeasuredPrecision {
  /** Share of warnings that were followed by the failure they announced. */
  readonly precision: number;
  /** Warnings it was measured on. */
  readonly warnings: number;
  /** Median distance between warning and failure. */
  readonly median_lead_steps: number | null;
}

export type PrecisionTable = Readonly<Record<string, MeasuredPrecision>>;

/** By warning id. */
export const measuredPrecision: PrecisionTable = measured;
