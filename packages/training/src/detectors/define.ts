// The factory every detector is made by, and what a detector answers: symptoms with evidence, a strength and a role.

import type { FailureCategory } from '../causes/define.js';
import { causeOf, type Subcause } from '../causes/table.js';
import type { FeatureVector } from '../features/extract.js';
import type { RunView } from '../features/view.js';
import type { RunRecord } from '../record/run-record.js';

/** One fact of a run and where it was read, as the command line prints it. */
export interface RunEvidence {
  readonly fact: string;
  readonly file: string;
  readonly line?: number;
  readonly step?: number;
}

/**
 * `root`: can be the cause. `cascade`: follows from a cause, and is believed only while no root explains it.
 * `confirmation`: never a cause; makes a root more certain.
 */
export type Role = 'root' | 'cascade' | 'confirmation';

/** Which part of the artefacts a detector reads. Signals of different kinds confirm each other. */
export type Signal = 'text' | 'curve' | 'memory' | 'data' | 'configuration' | 'exit';

/** What a detector cannot work without; named to the user when it is missing. */
export type Need =
  | 'text'
  | 'loss'
  | 'eval'
  | 'gradient'
  | 'learning_rate'
  | 'memory'
  | 'host_memory'
  | 'throughput'
  | 'batch'
  | 'settings'
  | 'exit';

export interface Observation {
  /** How far this alone would justify the sub-cause, between 0 and 1. */
  readonly strength: number;
  readonly evidence: readonly RunEvidence[];
  /** The step at which it began, when known. */
  readonly onset?: number | null;
  /** Replaces the detector's own sub-cause where one detector tells several apart. */
  readonly subcause?: Subcause;
  /** Replaces the detector's own role: an error that came after another is a cascade. */
  readonly role?: Role;
  /** Worth a word, and no failure by itself: the outcome of the run stays open. */
  readonly open?: true;
}

export interface DetectorContext {
  readonly view: RunView;
}

interface DetectorOptions {
  readonly id: string;
  readonly subcause: Subcause;
  readonly role: Role;
  readonly signal: Signal;
  readonly needs: readonly Need[];
  /** Knows messages in general, and yields to a detector that knows this one. */
  readonly general?: true;
  /** Reads what every rank recorded, or the code itself: as a root it outweighs what the ranks that waited wrote, and what curves show of it. */
  readonly outweighs?: readonly Signal[];
  readonly detect: (
    record: RunRecord,
    features: FeatureVector,
    context: DetectorContext,
  ) => readonly Observation[];
}

export interface Detector extends DetectorOptions {
  readonly category: FailureCategory;
}

export interface Symptom {
  readonly detector: string;
  readonly category: FailureCategory;
  readonly subcause: Subcause;
  readonly role: Role;
  readonly signal: Signal;
  readonly general: boolean;
  readonly outweighs: readonly Signal[];
  readonly strength: number;
  readonly onset: number | null;
  readonly evidence: readonly RunEvidence[];
  readonly open: boolean;
}

export function defineDetector(options: DetectorOptions): Detector {
  return { ...options, category: causeOf(options.subcause).category };
}

export function symptomsOf(
  detector: Detector,
  record: RunRecord,
  features: FeatureVector,
  context: DetectorContext,
): Symptom[] {
  return detector.detect(record, features, context).map((observation) => {
    const subcause = observation.subcause ?? detector.subcause;
    return {
      detector: detector.id,
      category: causeOf(subcause).category,
      subcause,
      role: observation.role ?? detector.role,
      signal: detector.signal,
      general: detector.general ?? false,
      outweighs: detector.outweighs ?? [],
      strength: Math.min(1, Math.max(0, observation.strength)),
      onset: observation.onset ?? null,
      evidence: observation.evidence,
      open: observation.open ?? false,
    };
  });
}
