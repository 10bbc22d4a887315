// What happens on an architecture, optimizer, framework or log format that no training run had: the hybrid's model and the
// learned ones are fitted without it, and all methods are judged on it alone.

import type { DiagnosedCategory } from '@grus/training';
import { rulesMethod, treeMethod } from '@grus/training';
import type { ExaminedCase } from '../data/examined.js';
import { uncalibrated } from '../learned/calibration.js';
import { type LearnerName, predict } from '../learned/index.js';
import { mean } from '../measures/multiclass.js';
import { datasetOf } from './dataset.js';
import { hybridLearner, hybridOf, judged } from './methods.js';
import { isRight } from './prediction.js';
import { fitLearner, grids } from './tuning.js';

export const dimensions = ['architecture', 'optimizer', 'framework', 'format'] as const;
export type Dimension = (typeof dimensions)[number];

export interface LeftOut {
  readonly dimension: Dimension;
  readonly value: string;
  readonly n: number;
  readonly accuracy: Readonly<Record<string, number>>;
}

/** Fewer runs than this say nothing about a value. */
const fewest = 5;

export function leaveOut(cases: readonly ExaminedCase[], progress?: (text: string) => void): LeftOut[] {
  return dimensions.flatMap((dimension) => {
    const values = [...new Set(cases.map((entry) => entry[dimension]))]
      .filter((value) => value !== null)
      .sort();
    return values.flatMap((value) => {
      const held = cases.filter((entry) => entry[dimension] === value);
      const rest = cases.filter((entry) => entry[dimension] !== value);
      if (held.length < fewest || rest.length < fewest) return [];
      progress?.(`leaving out ${dimension} ${value}`);
      return [{ dimension, value, n: held.length, accuracy: accuracies(held, rest) }];
    });
  });
}

function accuracies(held: readonly ExaminedCase[], rest: readonly ExaminedCase[]): Record<string, number> {
  const dataset = datasetOf(rest);
  const rows = datasetOf(held).rows;
  const share = (right: readonly boolean[]): number => mean(right.map(Number))!;
  const found: Record<string, number> = {};
  for (const method of [rulesMethod, treeMethod])
    found[method.name] = share(held.map((entry) => judged(method, entry).correct));
  for (const name of ['logistic', hybridLearner] as LearnerName[]) {
    const model = fitLearner(name, dataset, grids[name][0]!);
    found[name] = share(
      held.map((entry, index) => isRight(entry, predict(model, rows[index]!).label as DiagnosedCategory)),
    );
    if (name !== hybridLearner) continue;
    const hybrid = hybridOf(model, uncalibrated);
    found['hybrid'] = share(held.map((entry) => judged(hybrid, entry).correct));
  }
  return found;
}
