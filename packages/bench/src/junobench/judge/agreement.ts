// How far the structured judge agrees with the published verdicts, which people settled: Cohen's kappa over all
// instances, and over the crashes that a method detected, where the diagnosis alone decides.
import { cohenKappa } from '../../statistics/index.js';
import type { Instance } from '../data/load.js';
import type { PublishedVerdicts } from '../data/schemas.js';

export interface JudgedInstance {
  readonly instance: Instance;
  readonly detected: boolean;
  readonly diagnosed: boolean;
}

export interface Agreement {
  readonly kappa: number | null;
  readonly n: number;
  readonly kappa_detected_crashes: number | null;
  readonly n_detected_crashes: number;
}

/** Pairs of (published, ours) for one method; a partially correct diagnosis counts as correct. */
export function pairsWith(
  published: PublishedVerdicts,
  subject: string,
  mode: string,
  judged: readonly JudgedInstance[],
): { readonly all: readonly Pair[]; readonly crashes: readonly Pair[] } {
  const all: Pair[] = [];
  const crashes: Pair[] = [];
  for (const { instance, detected, diagnosed } of judged) {
    const verdict = published[instance.id]?.[subject]?.[mode]?.detection_and_diagnosis;
    if (verdict === undefined) continue;
    const settled = verdict === 'correct' || verdict === 'partially correct';
    const pair: Pair = [settled ? 'correct' : 'wrong', diagnosed ? 'correct' : 'wrong'];
    all.push(pair);
    if (instance.crashes && detected) crashes.push(pair);
  }
  return { all, crashes };
}

export type Pair = readonly [string, string];

export function agreementOf(all: readonly Pair[], crashes: readonly Pair[]): Agreement {
  return {
    kappa: cohenKappa(all),
    n: all.length,
    kappa_detected_crashes: cohenKappa(crashes),
    n_detected_crashes: crashes.length,
  };
}
