// How often each warning was right. The training benchmark measures it and fills the table; what it has not measured is
// not stated.

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
export const measuredPrecision: PrecisionTable = {};
