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
  const probabilities = new Float64Array(exponentials.length);
  for (let round = 0; round < options.rounds; round++) {
    for (let feature = 0; feature < columns.length; feature++) {
      const shape = shapes[feature]!;
      const column = columns[feature]!;
      if (shape.length < 3) continue;
      normaliseRows(exponentials, probabilities, classes);
      for (let target = 0; target < classes; target++) {
        const step = stepFor(column, shape.length, labels, weights, probabilities, classes, target, options);
        const factors = step.map(Math.exp);
        for (let bin = 0; bin < shape.length; bin++) shape[bin]![target]! += step[bin]!;
        for (let index = 0; index < labels.length; index++)
          exponentials[index * classes + target]! *= factors[column[index]!]!;
      }
    }
  }
  return { intercept, shapes };
}

/** Probabilities from the exponentials of scores. Those are multiplied step by step, so that no step takes an exponential per row. */
function normaliseRows(exponentials: Float64Array, into: Float64Array, classes: number): void {
  for (let start = 0; start < exponentials.length; start += classes) {
    let total = 0;
    for (let index = start; index < start + classes; index++) total += exponentials[index]!;
    for (let index = start; index < start + classes; index++) into[index] = exponentials[index]! / total;
  }
}

/** Sums gradient and curvature by bin for one class and turns them into the next small step of the shape. */
function stepFor(
  column: Uint8Array,
  bins: number,
  labels: Int32Array,
  weights: Float64Array,
  probabilities: Float64Array,
  classes: number,
  target: number,
  options: ShapeOptions,
): Float64Array {
  const gradient = new Float64Array(bins);
  const curvature = new Float64Array(bins);
  const counts = new Uint32Array(bins);
  for (let index = 0; index < labels.length; index++) {
    const bin = column[index]!;
    const probability = probabilities[index * classes + target]!;
    gradient[bin]! += weights[index]! * ((labels[index] === target ? 1 : 0) - probability);
    curvature[bin]! += weights[index]! * Math.max(1e-6, probability * (1 - probability));
    counts[bin]! += 1;
  }
  return piecewise(gradient, curvature, counts, options);
}

/** One small step: a value for missing rows, and the best two-piece function of the others. */
function piecewise(
  gradient: Float64Array,
  curvature: Float64Array,
  counts: Uint32Array,
  options: ShapeOptions,
): Float64Array {
  const value = (sum: number, curve: number) => (options.learningRate * sum) / (curve + options.ridge);
  const step = new Float64Array(gradient.length);
  if (counts[0]! >= options.minLeaf) step[0] = value(gradient[0]!, curvature[0]!);
  const total = { sum: 0, curve: 0, count: 0 };
  for (let bin = 1; bin < gradient.length; bin++) {
    total.sum += gradient[bin]!;
    total.curve += curvature[bin]!;
    total.count += counts[bin]!;
  }
  const left = { sum: 0, curve: 0, count: 0 };
  let best = { bin: 0, score: (total.sum * total.sum) / (total.curve + options.ridge), sum: 0, curve: 0 };
  for (let bin = 1; bin < gradient.length - 1; bin++) {
    left.sum += gradient[bin]!;
    left.curve += curvature[bin]!;
    left.count += counts[bin]!;
    if (left.count < options.minLeaf || total.count - left.count < options.minLeaf) continue;
    const rest = total.sum - left.sum;
    const score =
      (left.sum * left.sum) / (left.curve + options.ridge) +
      (rest * rest) / (total.curve - left.curve + options.ridge);
    if (score > best.score + 1e-12) best = { bin, score, sum: left.sum, curve: left.curve };
  }
  const low = value(best.sum, best.curve);
  const high = value(total.sum - best.sum, total.curve - best.curve);
  for (let bin = 1; bin < step.length; bin++) step[bin] = bin <= best.bin ? low : high;
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
