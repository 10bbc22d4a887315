// A random forest: trees on bootstrap samples, a random subset of features at every node, probabilities averaged.
import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import { makeBins } from './bins.js';
import { growClassificationTree } from './cart.js';
import type { Classifier, Learner } from './classifier.js';
import { evaluate, type TreeNode } from './tree.js';

export interface ForestOptions {
  readonly trees: number;
  readonly maxDepth: number;
  readonly minLeaf: number;
  /** Features looked at in one node; the square root of their number when missing. */
  readonly featuresPerNode: number;
  readonly seed: number;
}

export interface StoredForest {
  readonly kind: 'forest';
  readonly classes: readonly string[];
  readonly features: readonly string[];
  readonly trees: readonly TreeNode[];
}

export const forest: Learner<ForestOptions, StoredForest> = {
  name: 'forest',
  fit(dataset, options = {}) {
    const { trees = 200, maxDepth = 16, minLeaf = 1, seed = 1 } = options;
    const featuresPerNode =
      options.featuresPerNode ?? Math.max(1, Math.round(Math.sqrt(dataset.features.length)));
    const random = xoroshiro128plus(seed);
    const below = (limit: number) => uniformInt(random, 0, limit - 1);
    const binned = makeBins(dataset);
    const grown = Array.from({ length: trees }, () => {
      const sample = dataset.rows.map(() => below(dataset.rows.length));
      const candidates = () => choose(dataset.features.length, featuresPerNode, below);
      return growClassificationTree(dataset, binned, sample, {
        maxDepth,
        minLeaf,
        minGain: 1e-9,
        candidates,
      });
    });
    return this.restore({
      kind: 'forest',
      classes: dataset.classes,
      features: dataset.features,
      trees: grown,
    });
  },
  restore(stored): Classifier<StoredForest> {
    return {
      classes: stored.classes,
      features: stored.features,
      probabilities(row) {
        const sums = stored.classes.map(() => 0);
        for (const tree of stored.trees) {
          evaluate(tree, row).forEach((value, index) => {
            sums[index]! += value;
          });
        }
        return sums.map((sum) => sum / stored.trees.length);
      },
      toJSON: () => stored,
    };
  },
};

/** `count` different numbers below `limit`. */
function choose(limit: number, count: number, below: (limit: number) => number): number[] {
  const numbers = Array.from({ length: limit }, (_, index) => index);
  for (let index = 0; index < Math.min(count, limit); index++) {
    const other = index + below(limit - index);
    [numbers[index], numbers[other]] = [numbers[other]!, numbers[index]!];
  }
  return numbers.slice(0, count);
}
