// What a method answers about one instance: the fields of a verdict, in the form the benchmark's JSON carries them.
import { quietVerdict, type Verdict } from '@grus/core';

export interface Prediction extends Omit<Verdict, 'findings' | 'ms'> {
  /** Milliseconds the method took here; null for what was recorded elsewhere. */
  readonly ms: number | null;
  /** Share of the answers that say "crash", where answers were asked. */
  readonly votes?: { readonly crash: number; readonly of: number };
  /** What asking took: answers, and tokens by estimate, without what a model thinks to itself. */
  readonly asked?: {
    readonly answers: number;
    readonly input_tokens: number;
    readonly output_tokens: number;
  };
  /** What each run of a model detected, in order; null for an answer that could not be read. */
  readonly runs?: readonly (boolean | null)[];
  /** The texts whose majority the judge asks for a diagnosis; without them, the explanation is judged. */
  readonly explanations?: readonly string[];
  /** Ids of the checks that spoke. */
  readonly checks?: readonly string[];
}

export function predictionOf(verdict: Verdict, ms: number): Prediction {
  const { findings, ...fields } = verdict;
  return { ...fields, ms, checks: findings.map((finding) => finding.check) };
}

export function quietPrediction(outcome: 'ok' | 'unknown', explanation: string): Prediction {
  return { ...quietVerdict(outcome, 0, explanation), rung: null, rungs: [], ms: null };
}
