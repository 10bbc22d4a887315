// Every run read and examined once; all methods, folds and ablations work on what is kept here.
import { type Examination, examine, learningVector, readRun } from '@grus/training';
import type { TrainingCase } from './case.js';
import { rawVector } from './raw.js';

export interface ExaminedCase extends TrainingCase {
  readonly examination: Examination;
  /** Features and strengths of sub-causes, by the names that `learningVector` gives. */
  readonly row: Float64Array;
  readonly columns: readonly string[];
  readonly raw: Float64Array;
  /** Milliseconds to read and examine. */
  readonly ms: number;
}

export async function examineCases(
  cases: readonly TrainingCase[],
  progress?: (done: number, total: number, id: string) => void,
): Promise<ExaminedCase[]> {
  const examined: ExaminedCase[] = [];
  for (const entry of cases) {
    progress?.(examined.length, cases.length, entry.id);
    const started = performance.now();
    const examination = examine(await readRun(entry.path));
    const ms = performance.now() - started;
    const vector = learningVector(examination);
    examined.push({
      ...entry,
      examination,
      row: vector.values,
      columns: vector.names,
      raw: rawVector(examination.record),
      ms,
    });
  }
  return examined;
}
