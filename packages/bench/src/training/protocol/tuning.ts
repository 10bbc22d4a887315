// What each learner may be tuned over, and choosing among it inside of a training part: grouped folds again, so that the runs
// held out for judging are never looked at.

import type { ExaminedCase } from '../data/examined.js';
import {
  type Classifier,
  type Dataset,
  type LearnerName,
  learners,
  predict,
  subset,
} from '../learned/index.js';
import { type Columns, datasetOf } from './dataset.js';
import { groupedFolds } from './folds.js';

export const seeds = { folds: 1, inner: 2, bootstrap: 3, permutation: 4, models: 5 } as const;

const innerFolds = 3;

/** Settings by learner, the default first. Few: the data are few, and a choice among many would be noise. */
export const grids: Readonly<Record<LearnerName, readonly Readonly<Record<string, number>>[]>> = {
  'decision-list': [
    { maxDepth: 5, maxRules: 25, minLeaf: 2 },
    { maxDepth: 5, maxRules: 25, minLeaf: 4 },
  ],
  logistic: [{ c: 0.03 }, { c: 0.3 }],
  cart: [
    { maxDepth: 8, minLeaf: 2 },
    { maxDepth: 12, minLeaf: 1 },
  ],
  forest: [
    { trees: 80, minLeaf: 1, seed: seeds.models },
    { trees: 80, minLeaf: 1, featuresPerNode: 30, seed: seeds.models },
  ],
  boosting: [
    { rounds: 40, learningRate: 0.2, maxDepth: 2, maxBins: 24 },
    { rounds: 40, learningRate: 0.2, maxDepth: 3, maxBins: 24 },
  ],
  ebm: [
    { rounds: 25, learningRate: 0.15, bags: 8, minLeaf: 10, ridge: 4, maxBins: 24, seed: seeds.models },
    { rounds: 25, learningRate: 0.15, bags: 8, minLeaf: 3, ridge: 4, maxBins: 24, seed: seeds.models },
  ],
};

export function fitLearner(
  name: LearnerName,
  dataset: Dataset,
  options: Readonly<Record<string, number>>,
): Classifier {
  return learners[name].fit(dataset, options);
}

/** The grid's entry with the best grouped accuracy on the training part; the first among equals. */
export function tune(
  name: LearnerName,
  cases: readonly ExaminedCase[],
  columns: Columns = 'all',
): Readonly<Record<string, number>> {
  const grid = grids[name];
  const folds = groupedFolds(cases, innerFolds, seeds.inner);
  const dataset = datasetOf(cases, columns);
  let best = grid[0]!;
  let most = -1;
  for (const options of grid) {
    let right = 0;
    for (let fold = 0; fold < innerFolds; fold++) {
      const inside = positions(folds, (entry) => entry !== fold);
      if (inside.length === 0) continue;
      const model = fitLearner(name, subset(dataset, inside), options);
      for (const position of positions(folds, (entry) => entry === fold))
        if (predict(model, dataset.rows[position]!).label === cases[position]!.category) right++;
    }
    if (right > most) {
      most = right;
      best = options;
    }
  }
  return best;
}

export function positions(folds: readonly number[], keep: (fold: number) => boolean): number[] {
  return folds.flatMap((fold, index) => (keep(fold) ? [index] : []));
}
