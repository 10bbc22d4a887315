// One answer of one method about one run, and whether it is right.
import type { DiagnosedCategory, Judgement } from '@grus/training';
import type { TrainingCase } from '../data/case.js';
import { categoryOf } from '../data/label.js';

export interface TrainingPrediction {
  readonly instance: string;
  readonly method: string;
  readonly actual: DiagnosedCategory;
  readonly actual_subcause: string | null;
  readonly outcome: string;
  /** What the method answers; `unknown` when it abstained. */
  readonly category: DiagnosedCategory;
  readonly subcause: string | null;
  readonly confidence: number;
  readonly abstained: boolean;
  readonly correct: boolean;
  /** Null where the label names no sub-cause. */
  readonly subcause_correct: boolean | null;
  readonly onset_step: number | null;
  readonly ms: number;
}

/** An alternative of another category makes that category acceptable too. */
export function isRight(entry: TrainingCase, category: DiagnosedCategory): boolean {
  if (category === entry.category) return true;
  return entry.alternatives.some((subcause) => subcause === category || categoryOf(subcause) === category);
}

export function isRightSubcause(entry: TrainingCase, subcause: string | null): boolean | null {
  if (entry.subcause === null) return null;
  return subcause === entry.subcause || (subcause !== null && entry.alternatives.includes(subcause));
}

export function predictionOf(
  entry: TrainingCase,
  method: string,
  judgement: Pick<Judgement, 'outcome' | 'category' | 'subcause' | 'confidence' | 'onset'> & {
    readonly abstained: boolean;
  },
  ms: number,
): TrainingPrediction {
  const category = judgement.abstained ? 'unknown' : judgement.category;
  return {
    instance: entry.id,
    method,
    actual: entry.category,
    actual_subcause: entry.subcause,
    outcome: judgement.outcome,
    category,
    subcause: judgement.abstained ? null : judgement.subcause,
    confidence: judgement.confidence,
    abstained: judgement.abstained,
    correct: isRight(entry, category),
    subcause_correct: isRightSubcause(entry, judgement.abstained ? null : judgement.subcause),
    onset_step: judgement.onset,
    ms: Math.round(ms * 100) / 100,
  };
}
