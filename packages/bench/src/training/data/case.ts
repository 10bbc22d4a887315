// One run of the benchmark: where its artefacts lie, what is known to be wrong with it, and what it is made of.
import type { DiagnosedCategory } from '@grus/training';

export interface TrainingCase {
  readonly id: string;
  /** Folder or file of artefacts. */
  readonly path: string;
  readonly category: DiagnosedCategory;
  readonly subcause: string | null;
  /** Sub-causes that are as right as the labelled one; they may belong to other categories. */
  readonly alternatives: readonly string[];
  /** Runs of one group (one script) never stand on both sides of a split. */
  readonly group: string;
  readonly difficulty: string | null;
  readonly architecture: string | null;
  readonly optimizer: string | null;
  readonly framework: string | null;
  readonly format: string | null;
  readonly onsetStep: number | null;
}

export const caseCategories = [
  'memory_hardware',
  'optimization',
  'data_pipeline',
  'model_software',
  'unknown',
  'healthy',
] as const satisfies readonly DiagnosedCategory[];
