// The measures of the training benchmark on small data, against values of scikit-learn, statsmodels and hand counts.

import { describe, expect, it } from 'vitest';
import { caseOf } from '../../src/training/data/label.js';
import { fitCalibration } from '../../src/training/learned/calibration.js';
import { calibrationOf } from '../../src/training/measures/calibration.js';
import { compareAll, holm, pairedD } from '../../src/training/measures/compare.js';
import { costOf, price } from '../../src/training/measures/cost.js';
import { multiclass } from '../../src/training/measures/multiclass.js';
import { selectiveOf } from '../../src/training/measures/selective.js';
import { groupedFolds } from '../../src/training/protocol/folds.js';
import { isRight, isRightSubcause } from '../../src/training/protocol/prediction.js';

const zip = (actual: string, predicted: string) =>
  [...actual].map((letter, index) => ({ actual: letter, predicted: predicted[index]! }));

describe('classification', () => {
  it("agrees with scikit-learn's precision_recall_fscore_support", () => {
    const found = multiclass(zip('aaabbbccca', 'aababbccab'), ['a', 'b', 'c']);
    expect(found.accuracy).toBe(0.6);
    expect(found.precision).toBeCloseTo(0.6666667, 6);
    expect(found.recall).toBeCloseTo(0.6111111, 6);
    expect(found.f1).toBeCloseTo(0.6238095, 6);
    expect(found.confusion).toEqual([
      [2, 2, 0],
      [1, 2, 0],
      [1, 0, 2],
    ]);
  });

  it('corrects for many comparisons as statsmodels does', () => {
    expect(holm([0.01, 0.04, 0.03, 0.005])).toEqual([0.03, 0.06, 0.06, 0.02]);
    const [pair] = compareAll({ one: [true, true, true, false], two: [false, true, false, false] });
    expect(pair).toMatchObject({ only_first: 2, only_second: 0, p: 0.5 });
    expect(pairedD([1, 0, 1, 0])).toBeCloseTo(0.8660254, 6);
    expect(pairedD([0, 0, 0])).toBeNull();
  });
});

describe('confidence', () => {
  const answers = [0.9, 0.8, 0.7, 0.6, 0.95, 0.55].map((confidence, index) => ({
    confidence,
    correct: index !== 2 && index !== 5,
    abstained: false,
  }));

  it('is scored by Brier and by bins', () => {
    const { brier, ece } = calibrationOf(answers);
    expect(brier).toBeCloseTo(0.1675, 6);
    expect(ece).toBeCloseTo((0.15 / 2) * (2 / 6) + (0.2 + 0.7 + 0.4 + 0.55) / 6, 6);
  });

  it('draws risk against coverage', () => {
    const found = selectiveOf([...answers, { confidence: 0.2, correct: false, abstained: true }]);
    expect(found.coverage).toBeCloseTo(6 / 7, 9);
    expect(found.accuracy).toBeCloseTo(4 / 6, 9);
    expect(found.curve[0]).toEqual({ coverage: 1 / 7, risk: 0 });
    expect(found.curve.at(-1)).toEqual({ coverage: 6 / 7, risk: 2 / 6 });
  });

  it('is lowered where a model claims too much', () => {
    const claims = Array.from({ length: 200 }, (_, index) => ({
      confidence: 0.95,
      correct: index % 2 === 0,
    }));
    const { slope, intercept } = fitCalibration(claims);
    const logit = Math.log(0.95 / 0.05);
    expect(1 / (1 + Math.exp(-(slope * logit + intercept)))).toBeCloseTo(0.5, 1);
  });

  it('costs a person where a method is silent, and more where it is wrong', () => {
    const cost = costOf([
      { abstained: true, correct: false, ms: 0 },
      { abstained: false, correct: true, ms: 0 },
    ]);
    expect(cost.by_person).toBe((price.hours_per_diagnosis * price.person_per_hour) / 2);
  });
});

describe('folds', () => {
  const cases = Array.from({ length: 100 }, (_, index) => ({
    group: `script-${Math.floor(index / 4)}`,
    category: ['a', 'b', 'c'][Math.floor(index / 4) % 3]!,
  }));

  it('keep scripts whole and categories spread', () => {
    const folds = groupedFolds(cases, 5, 1);
    for (const name of new Set(cases.map(({ group }) => group)))
      expect(new Set(folds.filter((_, index) => cases[index]!.group === name)).size).toBe(1);
    for (let fold = 0; fold < 5; fold++)
      for (const category of ['a', 'b', 'c'])
        expect(cases.some((entry, index) => folds[index] === fold && entry.category === category)).toBe(true);
    expect(groupedFolds(cases, 5, 1)).toEqual(folds);
  });
});

describe('labels', () => {
  it('may be a category, a sub-cause or an object, with alternatives', () => {
    expect(caseOf('a', '/a', 'healthy', 'labels.json')).toMatchObject({
      category: 'healthy',
      subcause: null,
    });
    expect(caseOf('b', '/b', 'gpu_leak', 'labels.json')).toMatchObject({ category: 'memory_hardware' });
    const entry = caseOf('c', '/c', { subcause: 'nan_in_data', alternatives: ['divergence'] }, 'labels.json');
    expect(entry.category).toBe('data_pipeline');
    expect([isRight(entry, 'optimization'), isRight(entry, 'model_software')]).toEqual([true, false]);
    expect([isRightSubcause(entry, 'divergence'), isRightSubcause(entry, null)]).toEqual([true, false]);
    expect(() => caseOf('d', '/d', { category: 'bad' }, 'labels.json')).toThrow(/bad/);
  });
});
