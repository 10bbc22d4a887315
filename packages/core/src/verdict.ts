// The answer of the notebook ladder. Field names are those of the command line's JSON, which others script against.
import type { Evidence } from './evidence.js';
import type { Finding, PredictedException } from './finding.js';
import type { Reason } from './reasons/reason.js';
import { textOf } from './reasons/texts.js';

export type Outcome = 'crash' | 'ok' | 'unknown';

/** What one rung of the ladder did. */
export interface RungReport {
  readonly rung: string;
  readonly outcome: Outcome;
  readonly ms: number;
  /** Why the rung did not commit, for people; null when it did. */
  readonly abstained_because: string | null;
  /** The same for programs. */
  readonly reason: Reason | null;
}

/** Why a rung did not commit, as both are told in a report; of one that did, nothing. */
export function abstention(reason: Reason | null): Pick<RungReport, 'abstained_because' | 'reason'> {
  return { abstained_because: reason && textOf(reason), reason };
}

export interface Verdict {
  readonly outcome: Outcome;
  readonly confidence: number;
  /** The rung that committed; null when none did. */
  readonly rung: string | null;
  readonly exception: PredictedException | null;
  /** Line in the target cell, counted from 1; null without a crash. */
  readonly line: number | null;
  readonly evidence: readonly Evidence[];
  readonly explanation: string;
  readonly remedy: string | null;
  readonly rungs: readonly RungReport[];
  readonly ms: number;
  /** All findings of the committing rung, in source order; the first one is the verdict's. */
  readonly findings: readonly Finding[];
}

/** The fields of a verdict that predicts no crash. */
export function quietVerdict(outcome: 'ok' | 'unknown', confidence: number, explanation: string) {
  return {
    outcome,
    confidence,
    exception: null,
    line: null,
    evidence: [] as readonly Evidence[],
    explanation,
    remedy: null,
  };
}
