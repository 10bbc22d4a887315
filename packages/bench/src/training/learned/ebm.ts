// Explainable boosting machine: a sum of one shape function per feature, learned by boosting the features in turns with
// a small step. A glass box: the score of a row is exactly the sum of the contributions that `contributions` gives.
import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import { type BinnedRows, binOf, makeBins } from './bins.js';
import { logPriors } from './boosting.js';
import { type Classifier, type Learner, softmax } from './classifier.js';
import { type Dataset, weightsOf } from './dataset.js';

export interface EbmOptions {
  readonly rounds: number;
  readonly learningRate: number;
  /** Rows a piece of a shape function must hold. */
  readonly minLeaf: number;
  /** Models on bootstrap samples whose shapes are averaged. */
  readonly bags: number;
  /** Bins a feature is cut into at most. */
  readonly maxBins: number;
  readonly ridge: number;
  readonly seed: number;
}

export interface StoredEbm {
  readonly kind: 'ebm';
  readonly classes: readonly string[];
  readonly features: readonly string[];
  readonly intercept: readonly number[];
  readonly cuts: readonly (readonly number[])[];
  /** By feature, by bin (bin 0: missing), by class. */
  readonly shapes: readonly (readonly (readonly number[])[])[];
}

export interface Ebm extends Classifier<StoredEbm> {
  /** What each feature adds to the score of each class, in the order of the features. */
  contributions(row: ArrayLike<number>): number[][];
}

export const ebm: Learner<EbmOptions, StoredEbm> & { restore(stored: StoredEbm): Ebm } = {
  name: 'ebm',
  fit(dataset, options = {}) {
    const { rounds = 200, learningRate = 0.05, minLeaf = 3, bags = 4, ridge = 1, seed = 1 } = options;
    const binned = makeBins(dataset, options.maxBins);
    const random = xoroshiro128plus(seed);
    const models = Array.from({ length: bags }, () => {
      const sample = dataset.rows.map(() => uniformInt(random, 0, dataset.rows.length - 1));
      return fitShapes(dataset, binned, sample, { rounds, learningRate, minLeaf, ridge });
    });
    const intercept = dataset.classes.map((_, target) =>
      mean(models.map((model) => model.intercept[target]!)),
    );
    const shapes = binned.cuts.map((cuts, feature) =>
      Array.from({ length: cuts.length + 2 }, (_, bin) =>
        dataset.classes.map((__, target) =>
          mean(models.map((model) => model.shapes[feature]![bin]![target]!)),
        ),
      ),
    );
    centre(shapes, intercept, binned, dataset.rows.length);
    return this.restore({
      kind: 'ebm',
      classes: dataset.classes,
      features: dataset.features,
      intercept,
      cuts: binned.cuts,
      shapes,
    });
  },
  restore(stored): Ebm {
    const contributions = (row: ArrayLike<number>) =>
      stored.features.map((_, feature) => [
        ...stored.shapes[feature]![binOf(stored.cuts[feature]!, row[feature]!)]!,
      ]);
    return {
      classes: stored.classes,
      features: stored.features,
      contributions,
      probabilities(row) {
        const scores = [...stored.intercept];
        for (const contribution of contributions(row)) {
          contribution.forEach((value, target) => {
            scores[target]! += value;
          });
        }
        return softmax(scores);
      },
      toJSON: () => stored,
    };
  },
};

interface Shapes {
  readonly intercept: number[];
  readonly shapes: number[][][];
}

type ShapeOptions = Pick<EbmOptions, 'rounds' | 'learningRate' | 'minLeaf' | 'ridge'>;

function fitShapes(
  dataset: Dataset,
  binned: BinnedRows,
  sample: readonly number[],
  options: ShapeOptions,
): Shapes {
  const classes = dataset.classes.length;
  const rowWeights = weightsOf(dataset);
  const labels = Int32Array.from(sample, (row) => dataset.labels[row]!);
  const weights = Float64Array.from(sample, (row) => rowWeights[row]!);
  const columns = binned.columns.map((column) => Uint8Array.from(sample, (row) => column[row]!));
  const intercept = logPriors([...labels], [...weights], classes);
  const shapes = binned.cuts.map((cuts) =>
    Array.from({ length: cuts.length + 2 }, () => new Array<number>(classes).fill(0)),
  );
  const exponentials = new Float64Array(sample.length * classes);
  for (let index = 0; index < exponentials.length; index++)
    exponentials[index] = Math.exp(intercept[index % classes]!);
  const wanted = new Float64Array(exponentials.length);
  for (let index = 0; index < labels.length; index++) wanted[index * classes + labels[index]!] = 1;
  const varied = columns.flatMap((_, feature) => (shapes[feature]!.length < 3 ? [] : [feature]));
  for (let round = 0; round < options.rounds; round++) {
    for (const feature of varied) {
      const shape = shapes[feature]!;
      const column = columns[feature]!;
      const sums = sumByBin(column, shape.length, wanted, weights, exponentials, classes);
      const factors = new Float64Array(shape.length * classes);
      for (let target = 0; target < classes; target++) {
        const step = piecewise(sums, classes, target, options);
        for (let bin = 0; bin < shape.length; bin++) {
          shape[bin]![target]! += step[bin]!;
          factors[bin * classes + target] = Math.exp(step[bin]!);
        }
      }
      for (let index = 0; index < labels.length; index++) {
        const from = column[index]! * classes;
        const to = index * classes;
        for (let target = 0; target < classes; target++)
          exponentials[to + target]! *= factors[from + target]!;
      }
    }
  }
  return { intercept, shapes };
}

interface BinSums {
  /** By bin, then by class. */
  readonly gradient: Float64Array;
  readonly curvature: Float64Array;
  /** Rows by bin. */
  readonly counts: Uint32Array;
}

/**
 * Gradient and curvature by bin and class. Probabilities come from the exponentials of the scores, which are multiplied step by
 * step, so that no step takes an exponential per row.
 */
function sumByBin(
  column: Uint8Array,
  bins: number,
  wanted: Float64Array,
  weights: Float64Array,
  exponentials: Float64Array,
  classes: number,
): BinSums {
  const gradient = new Float64Array(bins * classes);
  const curvature = new Float64Array(bins * classes);
  const counts = new Uint32Array(bins);
  for (let index = 0; index < column.length; index++) {
    const from = index * classes;
    let total = 0;
    for (let target = 0; target < classes; target++) total += exponentials[from + target]!;
    const bin = column[index]!;
    const weight = weights[index]!;
    const into = bin * classes;
    counts[bin]! += 1;
    for (let target = 0; target < classes; target++) {
      const probability = exponentials[from + target]! / total;
      gradient[into + target]! += weight * (wanted[from + target]! - probability);
      curvature[into + target]! += weight * Math.max(1e-6, probability * (1 - probability));
    }
  }
  return { gradient, curvature, counts };
}

/** One small step of one class: a value for missing rows, and the best two-piece function of the others. */
function piecewise(
  { gradient, curvature, counts }: BinSums,
  classes: number,
  target: number,
  options: ShapeOptions,
): Float64Array {
  const value = (sum: number, curve: number) => (options.learningRate * sum) / (curve + options.ridge);
  const bins = counts.length;
  const step = new Float64Array(bins);
  if (counts[0]! >= options.minLeaf) step[0] = value(gradient[target]!, curvature[target]!);
  let sum = 0;
  let curve = 0;
  let count = 0;
  for (let bin = 1; bin < bins; bin++) {
    sum += gradient[bin * classes + target]!;
    curve += curvature[bin * classes + target]!;
    count += counts[bin]!;
  }
  let leftSum = 0;
  let leftCurve = 0;
  let leftCount = 0;
  let best = { bin: 0, score: (sum * sum) / (curve + options.ridge), sum: 0, curve: 0 };
  for (let bin = 1; bin < bins - 1; bin++) {
    leftSum += gradient[bin * classes + target]!;
    leftCurve += curvature[bin * classes + target]!;
    leftCount += counts[bin]!;
    if (leftCount < options.minLeaf || count - leftCount < options.minLeaf) continue;
    const rest = sum - leftSum;
    const score =
      (leftSum * leftSum) / (leftCurve + options.ridge) + (rest * rest) / (curve - leftCurve + options.ridge);
    if (score > best.score + 1e-12) best = { bin, score, sum: leftSum, curve: leftCurve };
  }
  const low = value(best.sum, best.curve);
  const high = value(sum - best.sum, curve - best.curve);
  for (let bin = 1; bin < bins; bin++) step[bin] = bin <= best.bin ? low : high;
  return step;
}

/** Moves the mean of every shape into the intercept, so that a contribution of zero means "says nothing". */
function centre(shapes: number[][][], intercept: number[], binned: BinnedRows, rows: number): void {
  shapes.forEach((shape, feature) => {
    for (let target = 0; target < intercept.length; target++) {
      let sum = 0;
      for (const bin of binned.columns[feature]!) sum += shape[bin]![target]!;
      const average = sum / rows;
      for (const values of shape) values[target]! -= average;
      intercept[target]! += average;
    }
  });
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
