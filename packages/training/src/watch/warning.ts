// What a warning says: the failure to expect, how far ahead it seems to be, what was seen, and how often warnings of its
// kind were right. Field names are those others script against.
import type { FailureCategory } from '../causes/define.js';
import type { Subcause } from '../causes/table.js';
import type { RunEvidence } from '../detectors/define.js';
import type { MeasuredPrecision } from './precision.js';

export interface RunWarning {
  /** The precursor's id: "gradient-growth". */
  readonly warning: string;
  readonly title: string;
  readonly category: FailureCategory;
  /** The sub-cause a diagnosis would name, when what was seen says so much. */
  readonly subcause: Subcause | null;
  readonly expected_failure: string;
  readonly step: number | null;
  /** ISO 8601. */
  readonly time: string;
  /** Steps until the failure at the present rate; 0 when it has begun; null when it cannot be estimated. */
  readonly lead_steps: number | null;
  readonly lead_seconds: number | null;
  readonly evidence: readonly RunEvidence[];
  /** Null when no benchmark has measured it. */
  readonly precision: MeasuredPrecision | null;
}
