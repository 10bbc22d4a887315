// The deterministic rungs on recorded facts: the same judgement of a cell that serves a live kernel, given the snapshot
// that the record allows and the sources of the executed cells.
import { climb, type Rung, type RungResult } from '@grus/core';
import { type CellFindings, judgeCell } from '@grus/notebook';
import type { InstanceText } from '../data/instance.js';
import { snapshotOf } from '../snapshot.js';
import { type Prediction, predictionOf } from './prediction.js';

export type DeterministicRung = 'names' | 'contracts';

/** Judges one instance by the given rungs, climbed in order. */
export async function ladderPrediction(
  text: InstanceText,
  rungs: readonly DeterministicRung[],
): Promise<Prediction> {
  const snapshot = snapshotOf(text);
  const started = performance.now();
  const judgement = judgeCell({ cell: text.target, snapshot, history: text.executed, rungs });
  const verdict = await climb(rungs.map(rungOf), judgement);
  return predictionOf(verdict, Math.round((performance.now() - started) * 10) / 10);
}

function rungOf(name: DeterministicRung): Rung<CellFindings> {
  return { name, run: async (judgement) => resultOf(name, judgement) };
}

function resultOf(name: DeterministicRung, { findings, problems }: CellFindings): RungResult {
  const [first] = findings;
  if (first?.rung === name) return { outcome: 'crash', findings: [first, ...findings.slice(1)] };
  if (first !== undefined)
    return { outcome: 'unknown', reason: { code: 'for-other-rung', rung: first.rung } };
  return { outcome: 'unknown', reason: { code: 'nothing-certain', reservations: problems } };
}
