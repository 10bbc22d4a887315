// Gradient boosting for several classes: in each round one shallow tree per class is fitted to the gradient of the
// cross-entropy, with second-order leaf values.
import { makeBins } from './bins.js';
import { type Classifier, type Learner, softmax } from './classifier.js';
import { weightsOf } from './dataset.js';
import { type Criterion, evaluate, grow, type TreeNode } from './tree.js';

export interface BoostingOptions {
  readonly rounds: number;
  readonly learningRate: number;
  readonly maxDepth: number;
  readonly minLeaf: number;
  /** Ridge on leaf values. */
  readonly ridge: number;
  /** Bins a feature is cut into at most. */
  readonly maxBins: number;
}

export interface StoredBoosting {
  readonly kind: 'boosting';
  readonly classes: readonly string[];
  readonly features: readonly string[];
  readonly base: readonly number[];
  readonly learningRate: number;
  /** Round by round, one tree per class. */
  readonly rounds: readonly (readonly TreeNode[])[];
}

export const boosting: Learner<BoostingOptions, StoredBoosting> = {
  name: 'boosting',
  fit(dataset, options = {}) {
    const { rounds = 120, learningRate = 0.1, maxDepth = 3, minLeaf = 3, ridge = 1 } = options;
    const binned = makeBins(dataset, options.maxBins);
    const weights = weightsOf(dataset);
    const everyRow = dataset.rows.map((_, index) => index);
    const everyFeature = dataset.features.map((_, index) => index);
    const base = logPriors(dataset.labels, weights, dataset.classes.length);
    const scores = dataset.rows.map(() => [...base]);
    const grown: TreeNode[][] = [];
    for (let round = 0; round < rounds; round++) {
      const probabilities = scores.map(softmax);
      const trees = dataset.classes.map((_, target) => {
        const criterion = newton(
          (row) => weights[row]! * ((dataset.labels[row] === target ? 1 : 0) - probabilities[row]![target]!),
          (row) =>
            weights[row]! * Math.max(1e-6, probabilities[row]![target]! * (1 - probabilities[row]![target]!)),
          ridge,
        );
        return grow(everyRow, binned, criterion, {
          maxDepth,
          minLeaf,
          minGain: 1e-6,
          candidates: () => everyFeature,
        });
      });
      grown.push(trees);
      dataset.rows.forEach((row, index) => {
        trees.forEach((tree, target) => {
          scores[index]![target]! += learningRate * evaluate(tree, row)[0]!;
        });
      });
    }
    return this.restore({
      kind: 'boosting',
      classes: dataset.classes,
      features: dataset.features,
      base,
      learningRate,
      rounds: grown,
    });
  },
  restore(stored): Classifier<StoredBoosting> {
    return {
      classes: stored.classes,
      features: stored.features,
      probabilities(row) {
        const scores = [...stored.base];
        for (const trees of stored.rounds) {
          trees.forEach((tree, target) => {
            scores[target]! += stored.learningRate * evaluate(tree, row)[0]!;
          });
        }
        return softmax(scores);
      },
      toJSON: () => stored,
    };
  },
};

/** Logarithm of the weighted share of each class, bounded away from minus infinity. */
export function logPriors(labels: readonly number[], weights: readonly number[], classes: number): number[] {
  const sums = new Array<number>(classes).fill(1e-3);
  labels.forEach((label, row) => {
    sums[label]! += weights[row]!;
  });
  const total = sums.reduce((sum, value) => sum + value, 0);
  return sums.map((sum) => Math.log(sum / total));
}

/** Sums of gradient and curvature; a leaf takes one damped Newton step. */
function newton(
  gradient: (row: number) => number,
  curvature: (row: number) => number,
  ridge: number,
): Criterion {
  return {
    size: 3,
    add(row, statistics, offset) {
      statistics[offset]! += gradient(row);
      statistics[offset + 1]! += curvature(row);
      statistics[offset + 2]! += 1;
    },
    score: (statistics) => (statistics[0]! * statistics[0]!) / (statistics[1]! + ridge),
    cover: (statistics) => statistics[2]!,
    leaf: (statistics) => ({ value: [statistics[0]! / (statistics[1]! + ridge)], cover: statistics[2]! }),
  };
}
