// What was said of one log, beside what is known of it.
import type { DiagnosedCategory } from '@grus/training';
import type { Part } from './cases.js';

export interface LogPrediction {
  readonly instance: string;
  readonly method: 'hybrid';
  readonly repository: string;
  readonly part: Part;
  readonly actual: DiagnosedCategory;
  readonly accept: readonly DiagnosedCategory[];
  readonly actual_subcause: string | null;
  readonly outcome: string;
  readonly category: DiagnosedCategory;
  readonly subcause: string | null;
  readonly confidence: number;
  readonly abstained: boolean;
  readonly hypotheses: readonly unknown[];
  readonly ms: number;
}
