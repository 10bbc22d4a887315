// A classification tree: Gini impurity, missing values routed, depth and leaf size bounded.
import { type BinnedRows, makeBins } from './bins.js';
import type { Classifier, Learner } from './classifier.js';
import { type Dataset, weightsOf } from './dataset.js';
import { type Criterion, evaluate, type GrowOptions, grow, type TreeNode } from './tree.js';

export interface CartOptions {
  readonly maxDepth: number;
  readonly minLeaf: number;
}

export interface StoredTree {
  readonly kind: 'cart';
  readonly classes: readonly string[];
  readonly features: readonly string[];
  readonly root: TreeNode;
}

/** Counts per class; the score is minus the weighted Gini impurity. */
export function gini(dataset: Dataset, weights: readonly number[]): Criterion {
  const size = dataset.classes.length;
  const cover = (statistics: Float64Array): number => {
    let sum = 0;
    for (let index = 0; index < size; index++) sum += statistics[index]!;
    return sum;
  };
  return {
    size,
    add: (row, statistics, offset) => {
      statistics[offset + dataset.labels[row]!]! += weights[row]!;
    },
    score: (statistics) => {
      const total = cover(statistics);
      if (total <= 0) return 0;
      let squares = 0;
      for (let index = 0; index < size; index++) squares += statistics[index]! * statistics[index]!;
      return squares / total - total;
    },
    cover,
    leaf: (statistics) => {
      const total = cover(statistics);
      return {
        value: Array.from(statistics, (value) => (total > 0 ? value / total : 1 / size)),
        cover: total,
      };
    },
  };
}

export function growClassificationTree(
  dataset: Dataset,
  binned: BinnedRows,
  rows: readonly number[],
  options: GrowOptions,
): TreeNode {
  return grow(rows, binned, gini(dataset, weightsOf(dataset)), options);
}

export const cart: Learner<CartOptions, StoredTree> = {
  name: 'cart',
  fit(dataset, { maxDepth = 8, minLeaf = 2 } = {}) {
    const features = dataset.features.map((_, index) => index);
    const root = growClassificationTree(
      dataset,
      makeBins(dataset),
      dataset.rows.map((_, index) => index),
      { maxDepth, minLeaf, minGain: 1e-9, candidates: () => features },
    );
    return this.restore({ kind: 'cart', classes: dataset.classes, features: dataset.features, root });
  },
  restore(stored): Classifier<StoredTree> {
    return {
      classes: stored.classes,
      features: stored.features,
      probabilities: (row) => [...evaluate(stored.root, row)],
      toJSON: () => stored,
    };
  },
};
