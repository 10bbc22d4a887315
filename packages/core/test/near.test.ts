import { editDistance, nearest } from '@grus/core';
import { describe, expect, it } from 'vitest';

describe('nearest', () => {
  it('finds a transposition, a case difference and a missing letter', () => {
    expect(nearest('lenght', ['length', 'depth', 'weights'])).toEqual(['length']);
    expect(nearest('Age', ['age', 'Fare'])).toEqual(['age']);
    expect(nearest('X_trian', ['y_train', 'X_test', 'X_train'])[0]).toBe('X_train');
  });

  it('finds a name that contains the word', () => {
    expect(nearest('tenure', ['tenure_months', 'plan'])).toEqual(['tenure_months']);
    expect(nearest('depth', ['max_depth', 'max_features'])).toEqual(['max_depth']);
    expect(nearest('n_estimator', ['n_estimators', 'max_depth'])).toEqual(['n_estimators']);
  });

  it('offers nothing beside the same word in another case', () => {
    expect(nearest('Fare', ['age', 'fare', 'far'])).toEqual(['fare']);
  });

  it('stays silent when nothing is near', () => {
    expect(nearest('model', ['tokenizer', 'optimizer'])).toEqual([]);
    expect(nearest('pytz', ['plt', 'pd', 'np'])).toEqual([]);
    expect(nearest('Session', ['version', 'summary'])).toEqual([]);
  });

  it('counts edits with transpositions as one', () => {
    expect(editDistance('ab', 'ba', 3)).toBe(1);
    expect(editDistance('kitten', 'sitting', 3)).toBe(3);
    expect(editDistance('abc', 'uvwxyz', 2)).toBe(Number.POSITIVE_INFINITY);
  });
});
