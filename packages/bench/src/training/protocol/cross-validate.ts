// Grouped five-fold cross-validation of a learner with its settings chosen inside of each training part. Every run is judged by
// a model that saw no run of its script.

import type { ExaminedCase } from '../data/examined.js';
import { type Classifier, type LearnerName, predict, subset } from '../learned/index.js';
import { type Columns, datasetOf } from './dataset.js';
import { fitLearner, positions, tune } from './tuning.js';

export interface OutOfFold {
  readonly label: string;
  readonly confidence: number;
  readonly probabilities: readonly number[];
  readonly fold: number;
  /** Milliseconds of the prediction alone. */
  readonly ms: number;
}

export interface CrossValidated {
  /** One answer per case, in their order. */
  readonly answers: readonly OutOfFold[];
  /** The model of each fold and what it was tuned to. */
  readonly models: readonly Classifier[];
  readonly options: readonly Readonly<Record<string, number>>[];
}

export interface CrossValidateOptions {
  readonly columns?: Columns;
  /** Settings to use without tuning. */
  readonly fixed?: Readonly<Record<string, number>>;
}

export function crossValidate(
  name: LearnerName,
  cases: readonly ExaminedCase[],
  folds: readonly number[],
  { columns = 'all', fixed }: CrossValidateOptions = {},
): CrossValidated {
  const dataset = datasetOf(cases, columns);
  const answers: OutOfFold[] = new Array(cases.length);
  const models: Classifier[] = [];
  const chosen: Readonly<Record<string, number>>[] = [];
  for (let fold = 0; fold <= Math.max(...folds); fold++) {
    const inside = positions(folds, (entry) => entry !== fold);
    const options =
      fixed ??
      tune(
        name,
        inside.map((position) => cases[position]!),
        columns,
      );
    const model = fitLearner(name, subset(dataset, inside), options);
    models.push(model);
    chosen.push(options);
    for (const position of positions(folds, (entry) => entry === fold)) {
      const started = performance.now();
      const { label, confidence, probabilities } = predict(model, dataset.rows[position]!);
      answers[position] = { label, confidence, probabilities, fold, ms: performance.now() - started };
    }
  }
  return { answers, models, options: chosen };
}
