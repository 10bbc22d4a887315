// Every learner beside its Python original (scikit-learn, LightGBM, interpret), fitted on the same rows of public data.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  type Dataset,
  type LearnerName,
  learners,
  predict,
  restoreModel,
  type StoredModel,
  subset,
} from '../../../src/training/learned/index.js';

interface Original {
  features: string[];
  rows: number[][];
  labels: number[];
  classes: string[];
  train: number[];
  test: number[];
  root: { feature: number; threshold: number };
  answers: Record<LearnerName, { accuracy: number; probabilities: number[][] }>;
}

const root = join(import.meta.dirname, '..', '..', '..', '..', '..');
const python = process.env['GRUS_PYTHON'] ?? join(root, '.venv', 'bin', 'python');
const names = ['load_iris', 'load_wine', 'load_breast_cancer'] as const;
const learnerNames = Object.keys(learners) as LearnerName[];
let originals: Record<(typeof names)[number], Original>;

beforeAll(() => {
  const output = execFileSync(python, [join(import.meta.dirname, 'originals.py')], {
    maxBuffer: 1 << 26,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  originals = JSON.parse(output.toString());
});

function datasets(original: Original): { train: Dataset; test: Dataset } {
  const all = { ...original, rows: original.rows.map((row) => Float64Array.from(row)) };
  return { train: subset(all, original.train), test: subset(all, original.test) };
}

function accuracy(model: ReturnType<(typeof learners)['cart']['fit']>, test: Dataset): number {
  const right = test.rows.filter(
    (row, index) => predict(model, row).label === test.classes[test.labels[index]!],
  ).length;
  return right / test.rows.length;
}

describe.each(names)('%s', (name) => {
  it.each(learnerNames)('%s is as accurate as its original', (learner) => {
    const { train, test } = datasets(originals[name]);
    const model = learners[learner].fit(train) as ReturnType<(typeof learners)['cart']['fit']>;
    // A few test rows of slack: ties between equally good splits and random draws are settled differently.
    expect(accuracy(model, test)).toBeGreaterThanOrEqual(
      originals[name].answers[learner].accuracy - 4.5 / test.rows.length,
    );
  });

  it('logistic regression gives the probabilities of scikit-learn', () => {
    const { train, test } = datasets(originals[name]);
    // With two classes scikit-learn penalises one weight vector, the softmax two that mirror each other: half the C.
    const model = learners.logistic.fit(train, { c: train.classes.length === 2 ? 0.5 : 1 });
    const theirs = originals[name].answers.logistic.probabilities;
    test.rows.forEach((row, index) => {
      model.probabilities(row).forEach((probability, target) => {
        expect(Math.abs(probability - theirs[index]![target]!)).toBeLessThan(1e-3);
      });
    });
  });

  it('the tree starts with the same split as scikit-learn, or an equally good one', () => {
    const { train } = datasets(originals[name]);
    const stored = learners.cart.fit(train).toJSON();
    const { feature, threshold } = originals[name].root;
    const ours = stored.root as { feature: number; threshold: number };
    expect(impurity(train, ours.feature, ours.threshold)).toBeLessThanOrEqual(
      impurity(train, feature, threshold) + 1e-9,
    );
  });
});

function impurity(train: Dataset, feature: number, threshold: number): number {
  const gini = (rows: number[]) => {
    const counts = train.classes.map(
      (_, target) => rows.filter((row) => train.labels[row] === target).length,
    );
    return rows.length - counts.reduce((sum, count) => sum + count * count, 0) / Math.max(1, rows.length);
  };
  const all = train.rows.map((_, index) => index);
  return (
    gini(all.filter((row) => train.rows[row]![feature]! <= threshold)) +
    gini(all.filter((row) => train.rows[row]![feature]! > threshold))
  );
}

describe('every learner', () => {
  it.each(learnerNames)('%s copes with missing values, is deterministic and survives storage', (learner) => {
    const { train, test } = datasets(originals.load_wine);
    const holes = train.rows.map((row, index) =>
      row.map((value, column) => ((index * 7 + column * 3) % 11 === 0 ? Number.NaN : value)),
    );
    const first = learners[learner].fit({ ...train, rows: holes });
    const second = learners[learner].fit({ ...train, rows: holes });
    const stored = JSON.parse(JSON.stringify(first)) as StoredModel;
    const restored = restoreModel(stored);
    const blank = new Float64Array(train.features.length).fill(Number.NaN);
    for (const row of [...test.rows, blank]) {
      const probabilities = first.probabilities(row);
      expect(probabilities.reduce((sum, value) => sum + value, 0)).toBeCloseTo(1, 9);
      expect(second.probabilities(row)).toEqual(probabilities);
      expect(restored.probabilities(row)).toEqual(probabilities);
    }
    expect(accuracy(first as ReturnType<(typeof learners)['cart']['fit']>, test)).toBeGreaterThan(0.8);
  });

  it('an explainable boosting machine adds up to its score exactly', () => {
    const { train, test } = datasets(originals.load_iris);
    const model = learners.ebm.restore(learners.ebm.fit(train).toJSON());
    const { intercept } = model.toJSON();
    for (const row of test.rows) {
      const scores = intercept.map((start, target) =>
        model.contributions(row).reduce((sum, values) => sum + values[target]!, start),
      );
      const highest = Math.max(...scores);
      const total = scores.reduce((sum, score) => sum + Math.exp(score - highest), 0);
      model.probabilities(row).forEach((probability, target) => {
        expect(probability).toBeCloseTo(Math.exp(scores[target]! - highest) / total, 9);
      });
    }
  });

  it('a decision list has at most 25 rules and prints each on a line', () => {
    const { train } = datasets(originals.load_breast_cancer);
    const stored = learners['decision-list'].fit(train).toJSON();
    expect(stored.rules.length).toBeGreaterThan(1);
    expect(stored.rules.length).toBeLessThanOrEqual(25);
  });
});
