// What every method of diagnosis starts from: the record, what was derived from it, and what the detectors saw.
import type { FeatureVector } from '../features/vector.js';
import type { RunView } from '../features/view.js';
import type { RunRecord } from '../record/run-record.js';
import type { Symptom } from './define.js';

export interface Examination {
  readonly record: RunRecord;
  readonly view: RunView;
  readonly features: FeatureVector;
  /** Strongest first, cascades and by-products already weakened. */
  readonly symptoms: readonly Symptom[];
}
