// What every method answers and what the command line prints. Field names are those others script against.

import type { Reason, RungReport } from '@grus/core';
import type { Action, FailureCategory } from '../causes/define.js';
import type { Subcause } from '../causes/table.js';
import type { RunEvidence } from '../detectors/define.js';
import type { Examination } from '../detectors/examination.js';
import type { Ranks } from '../ranks/verdict/ranks.js';

export type RunOutcome = 'failed' | 'degraded' | 'healthy' | 'unknown';
export type DiagnosedCategory = FailureCategory | 'healthy';

export interface Hypothesis {
  readonly category: DiagnosedCategory;
  readonly subcause: Subcause | null;
  readonly confidence: number;
}

/**
 * `do` is expected to help this run, `avoid` is popular and would not help here, `collect` is what to record so that the
 * next diagnosis can commit.
 */
export interface Remedy {
  readonly kind: 'do' | 'avoid' | 'collect';
  readonly text: string;
  readonly because: string;
}

export type DiagnosisRung = Omit<RungReport, 'outcome'> & { readonly outcome: RunOutcome };

export interface Diagnosis {
  readonly path: string;
  readonly outcome: RunOutcome;
  readonly category: DiagnosedCategory;
  readonly subcause: Subcause | null;
  readonly confidence: number;
  readonly abstained: boolean;
  readonly onset_step: number | null;
  readonly evidence: readonly RunEvidence[];
  readonly remedies: readonly Remedy[];
  readonly hypotheses: readonly Hypothesis[];
  readonly rungs: readonly DiagnosisRung[];
  readonly ms: number;
  /** Of a run of several ranks only. */
  readonly ranks?: Ranks;
  readonly action?: Action;
}

/** What a method decides; remedies, rungs and times are added around it. */
export interface Judgement {
  readonly outcome: RunOutcome;
  readonly category: DiagnosedCategory;
  readonly subcause: Subcause | null;
  readonly confidence: number;
  readonly onset: number | null;
  readonly evidence: readonly RunEvidence[];
  readonly hypotheses: readonly Hypothesis[];
  /** Why the method does not commit; null when it does. */
  readonly abstention: Reason | null;
}

export interface Method {
  /** "rules", "tree", "hybrid"... as the benchmark names it. */
  readonly name: string;
  judge(examination: Examination): Judgement;
}
