// Multinomial logistic regression with a ridge penalty, on standardised features. A missing value takes the feature's
// mean and sets an indicator of its own, so that "not measured" can carry weight without posing as a number.
import { type Classifier, type Learner, softmax } from './classifier.js';
import { type Dataset, weightsOf } from './dataset.js';
import { minimize } from './minimize.js';

export interface LogisticOptions {
  /** Inverse strength of the ridge, as scikit-learn's C. */
  readonly c: number;
}

export interface StoredLogistic {
  readonly kind: 'logistic';
  readonly classes: readonly string[];
  readonly features: readonly string[];
  readonly means: readonly number[];
  readonly scales: readonly number[];
  /** Features that were missing in some run and therefore have an indicator, by position. */
  readonly indicators: readonly number[];
  /** By class: weights of features, then of indicators, then the intercept. */
  readonly weights: readonly (readonly number[])[];
}

export const logistic: Learner<LogisticOptions, StoredLogistic> = {
  name: 'logistic',
  fit(dataset, { c = 1 } = {}) {
    const columns = dataset.features.map((_, feature) =>
      dataset.rows.map((row) => row[feature]!).filter(Number.isFinite),
    );
    const means = columns.map((values) =>
      values.length > 0 ? values.reduce((sum, value) => sum + value, 0) / values.length : 0,
    );
    const scales = columns.map((values, feature) => deviation(values, means[feature]!));
    const indicators = dataset.features.flatMap((_, feature) =>
      dataset.rows.some((row) => !Number.isFinite(row[feature]!)) ? [feature] : [],
    );
    const design = dataset.rows.map((row) => designRow(row, means, scales, indicators));
    const weights = solve(dataset, design, c);
    return this.restore({
      kind: 'logistic',
      classes: dataset.classes,
      features: dataset.features,
      means,
      scales,
      indicators,
      weights,
    });
  },
  restore(stored): Classifier<StoredLogistic> {
    return {
      classes: stored.classes,
      features: stored.features,
      probabilities(row) {
        const inputs = designRow(row, stored.means, stored.scales, stored.indicators);
        return softmax(
          stored.weights.map((weights) =>
            inputs.reduce((sum, input, index) => sum + input * weights[index]!, 0),
          ),
        );
      },
      toJSON: () => stored,
    };
  },
};

function designRow(
  row: ArrayLike<number>,
  means: readonly number[],
  scales: readonly number[],
  indicators: readonly number[],
): number[] {
  const standardised = means.map((mean, feature) =>
    Number.isFinite(row[feature]!) ? (row[feature]! - mean) / scales[feature]! : 0,
  );
  return [...standardised, ...indicators.map((feature) => (Number.isFinite(row[feature]!) ? 0 : 1)), 1];
}

function deviation(values: readonly number[], mean: number): number {
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / Math.max(1, values.length);
  return variance > 0 ? Math.sqrt(variance) : 1;
}

/** Minimises the summed cross-entropy plus |w|² / 2C over all weights but the intercepts. */
function solve(dataset: Dataset, design: readonly (readonly number[])[], c: number): number[][] {
  const inputs = design[0]?.length ?? 1;
  const classes = dataset.classes.length;
  const rowWeights = weightsOf(dataset);
  const table = Float64Array.from(design.flat());
  const scores = new Array<number>(classes).fill(0);
  const solution = minimize(
    (point, gradient) => {
      let loss = 0;
      gradient.fill(0);
      for (let index = 0; index < design.length; index++) {
        const row = index * inputs;
        for (let target = 0; target < classes; target++) {
          let score = 0;
          for (let column = 0; column < inputs; column++)
            score += table[row + column]! * point[target * inputs + column]!;
          scores[target] = score;
        }
        const probabilities = softmax(scores);
        loss -= rowWeights[index]! * Math.log(Math.max(1e-300, probabilities[dataset.labels[index]!]!));
        for (let target = 0; target < classes; target++) {
          const error =
            rowWeights[index]! * (probabilities[target]! - (dataset.labels[index] === target ? 1 : 0));
          for (let column = 0; column < inputs; column++)
            gradient[target * inputs + column]! += error * table[row + column]!;
        }
      }
      for (let target = 0; target < classes; target++) {
        for (let column = 0; column < inputs - 1; column++) {
          const weight = point[target * inputs + column]!;
          loss += (weight * weight) / (2 * c);
          gradient[target * inputs + column]! += weight / c;
        }
      }
      return loss;
    },
    new Float64Array(inputs * classes),
  );
  return dataset.classes.map((_, target) =>
    Array.from(solution.subarray(target * inputs, (target + 1) * inputs)),
  );
}
