// A binary tree over numeric features in which missing values take the side that served best in fitting.
// The grower is shared by the classification tree, the forest and boosting: each brings its own statistics.
import type { BinnedRows } from './bins.js';

export interface Split {
  readonly feature: number;
  /** Rows with value <= threshold go left. */
  readonly threshold: number;
  readonly missing: 'left' | 'right';
  readonly left: TreeNode;
  readonly right: TreeNode;
  /** How much the split improved the criterion. */
  readonly gain: number;
}

export interface Leaf {
  /** Class probabilities, or one score. */
  readonly value: readonly number[];
  /** Weighted number of rows. */
  readonly cover: number;
}

export type TreeNode = Split | Leaf;

export function isLeaf(node: TreeNode): node is Leaf {
  return 'value' in node;
}

export function evaluate(node: TreeNode, row: ArrayLike<number>): readonly number[] {
  let current = node;
  while (!isLeaf(current)) {
    const value = row[current.feature]!;
    const left = Number.isNaN(value) ? current.missing === 'left' : value <= current.threshold;
    current = left ? current.left : current.right;
  }
  return current.value;
}

/** The statistics of a set of rows, and what they are worth. */
export interface Criterion {
  /** Number of values kept per set of rows. */
  readonly size: number;
  /** Adds one row to a vector of statistics that starts at `offset`. */
  add(row: number, statistics: Float64Array, offset: number): void;
  /** Score to be maximised, summed over the two sides of a split. */
  score(statistics: Float64Array): number;
  cover(statistics: Float64Array): number;
  leaf(statistics: Float64Array): Leaf;
}

export interface GrowOptions {
  readonly maxDepth: number;
  readonly minLeaf: number;
  readonly minGain: number;
  /** Features that may be looked at in one node. */
  readonly candidates: () => readonly number[];
}

export function grow(
  rows: readonly number[],
  binned: BinnedRows,
  criterion: Criterion,
  options: GrowOptions,
  depth = 0,
): TreeNode {
  const total = new Float64Array(criterion.size);
  for (const row of rows) criterion.add(row, total, 0);
  if (depth >= options.maxDepth || rows.length < 2) return criterion.leaf(total);
  const best = bestSplit(rows, binned, criterion, options, total);
  if (best === null) return criterion.leaf(total);
  const column = binned.columns[best.feature]!;
  const goesLeft = (row: number) => (column[row] === 0 ? best.missing === 'left' : column[row]! <= best.bin);
  const left = grow(rows.filter(goesLeft), binned, criterion, options, depth + 1);
  const right = grow(
    rows.filter((row) => !goesLeft(row)),
    binned,
    criterion,
    options,
    depth + 1,
  );
  return {
    feature: best.feature,
    threshold: binned.cuts[best.feature]![best.bin - 1]!,
    missing: best.missing,
    left,
    right,
    gain: best.gain,
  };
}

interface Candidate {
  readonly feature: number;
  readonly bin: number;
  readonly missing: 'left' | 'right';
  readonly gain: number;
}

function bestSplit(
  rows: readonly number[],
  binned: BinnedRows,
  criterion: Criterion,
  options: GrowOptions,
  total: Float64Array,
): Candidate | null {
  const { size } = criterion;
  const parent = criterion.score(total);
  let best: Candidate | null = null;
  const left = new Float64Array(size);
  const right = new Float64Array(size);
  for (const feature of options.candidates()) {
    const bins = binned.cuts[feature]!.length + 2;
    if (bins < 3) continue;
    const column = binned.columns[feature]!;
    const histogram = new Float64Array(bins * size);
    const counts = new Uint32Array(bins);
    for (const row of rows) {
      const bin = column[row]!;
      counts[bin]! += 1;
      criterion.add(row, histogram, bin * size);
    }
    const sides: readonly ('left' | 'right')[] = counts[0] === 0 ? ['right'] : ['left', 'right'];
    for (const missing of sides) {
      for (let index = 0; index < size; index++) left[index] = missing === 'left' ? histogram[index]! : 0;
      let leftCount = missing === 'left' ? counts[0]! : 0;
      for (let bin = 1; bin < bins - 1; bin++) {
        // An empty bin divides the rows as the bin before it did; only the first bin can differ from "all missing".
        if (counts[bin] === 0 && bin > 1) continue;
        for (let index = 0; index < size; index++) left[index]! += histogram[bin * size + index]!;
        leftCount += counts[bin]!;
        if (leftCount < options.minLeaf || rows.length - leftCount < options.minLeaf) continue;
        for (let index = 0; index < size; index++) right[index] = total[index]! - left[index]!;
        const gain = criterion.score(left) + criterion.score(right) - parent;
        if (gain > options.minGain && (best === null || gain > best.gain + 1e-12))
          best = { feature, bin, missing, gain };
      }
    }
  }
  return best;
}

/** Total gain by feature, for importance. */
export function gains(node: TreeNode, into: number[]): number[] {
  if (isLeaf(node)) return into;
  into[node.feature] = (into[node.feature] ?? 0) + node.gain;
  gains(node.left, into);
  return gains(node.right, into);
}
