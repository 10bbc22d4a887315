// One judgement of one version of a pair by one method, beside the truth it is scored against.
import type { Verdict } from '@grus/core';
import type { PairMeta } from './meta.js';

export interface LivePrediction extends Omit<Verdict, 'findings'> {
  /** `ID/buggy` or `ID/fixed`. */
  readonly instance: string;
  readonly method: string;
  readonly family: string;
  /** Whether this version really crashes in the target cell. */
  readonly crashes: boolean;
  /** Whether the cell trains, fits or searches before its crash; null where that is not known. */
  readonly late: boolean | null;
  /** Id of the check that spoke, when a check did. */
  readonly check: string | null;
  /** Of a predicted crash that happens: whether exception and line are the real ones. Null otherwise. */
  readonly exception_right: boolean | null;
  readonly line_right: boolean | null;
  /** Milliseconds until the target cell really crashed or finished; null when it was not executed. */
  readonly executed_ms: number | null;
}

export interface Judged {
  readonly instance: string;
  readonly method: string;
  readonly meta: PairMeta;
  readonly crashes: boolean;
  readonly verdict: Verdict;
}

export function predictionOf({ instance, method, meta, crashes, verdict }: Judged): LivePrediction {
  const { findings, ...fields } = verdict;
  const hit = crashes && verdict.outcome === 'crash';
  return {
    instance,
    method,
    family: meta.family,
    crashes,
    late: meta.late ?? null,
    check: findings[0]?.check ?? null,
    ...fields,
    exception_right: hit ? verdict.exception?.type === meta.exception : null,
    line_right: hit ? verdict.line !== null && crashLines(meta).includes(verdict.line) : null,
    executed_ms: null,
  };
}

/** A crash in a function that the cell itself defines shows on the line that calls it and on the line that fails. */
function crashLines(meta: PairMeta): number[] {
  return meta.call_line === undefined ? [meta.line] : [meta.line, meta.call_line];
}
