// Boosted trees as they are stored: nested arrays, a number for a leaf. A value that is missing goes the way that served best in fitting.

/** Rows with a value of at most `threshold` go left. */
export type StoredTree =
  | number
  | readonly [feature: number, threshold: number, missing: 0 | 1, left: StoredTree, right: StoredTree];

export interface StoredTrees {
  readonly base: number;
  readonly trees: readonly StoredTree[];
}

/** The probability that the trees give a row, in which NaN is missing. */
export function probabilityOf({ base, trees }: StoredTrees, row: ArrayLike<number>): number {
  let score = base;
  for (const tree of trees) score += leafOf(tree, row);
  return 1 / (1 + Math.exp(-score));
}

function leafOf(tree: StoredTree, row: ArrayLike<number>): number {
  let node = tree;
  while (typeof node !== 'number') {
    const [feature, threshold, missing, left, right] = node;
    const value = row[feature]!;
    node = (Number.isNaN(value) ? missing === 1 : value <= threshold) ? left : right;
  }
  return node;
}
