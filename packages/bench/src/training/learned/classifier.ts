// What every learner gives: probabilities for a row, and a plain-data form that can be stored and read back.
import type { Dataset } from './dataset.js';

export interface Prediction {
  readonly label: string;
  readonly confidence: number;
  /** In the order of the classes. */
  readonly probabilities: readonly number[];
}

/** A fitted model. `Stored` is JSON: no functions, no typed arrays, no NaN. */
export interface Classifier<Stored = unknown> {
  readonly classes: readonly string[];
  readonly features: readonly string[];
  probabilities(row: ArrayLike<number>): number[];
  toJSON(): Stored;
}

export interface Learner<Options, Stored> {
  readonly name: string;
  fit(dataset: Dataset, options?: Partial<Options>): Classifier<Stored>;
  restore(stored: Stored): Classifier<Stored>;
}

export function predict(model: Classifier, row: ArrayLike<number>): Prediction {
  const probabilities = model.probabilities(row);
  let best = 0;
  for (let index = 1; index < probabilities.length; index++)
    if (probabilities[index]! > probabilities[best]!) best = index;
  return { label: model.classes[best]!, confidence: probabilities[best]!, probabilities };
}

export function softmax(scores: readonly number[]): number[] {
  const highest = Math.max(...scores);
  const exponentials = scores.map((score) => Math.exp(score - highest));
  const total = exponentials.reduce((sum, value) => sum + value, 0);
  return exponentials.map((value) => value / total);
}
