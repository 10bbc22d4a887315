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

/** By warning id, as `grus bench training` measured it on the recorded scenarios (the table "By warning"). */
export const measuredPrecision: PrecisionTable = {
  detected: { precision: 1, warnings: 14, median_lead_steps: 0 },
  'gradient-growth': { precision: 1, warnings: 10, median_lead_steps: 2 },
  'loss-rise': { precision: 0.909, warnings: 11, median_lead_steps: 0 },
  'loss-scale-fall': { precision: 1, warnings: 4, median_lead_steps: 2 },
  'memory-growth': { precision: 1, warnings: 12, median_lead_steps: 78 },
  'non-finite': { precision: 1, warnings: 32, median_lead_steps: 0 },
  slowdown: { precision: 1, warnings: 2, median_lead_steps: 0 },
};
