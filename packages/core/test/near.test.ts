import { editDistance, nearest } from '@grus/core';
import { describe, expect, it } from 'vitest';

describe('nearest', () => {
  it('finds a transposition, a case difference and a missing letter', () => {
    expect(nearest('lenght', ['length', 'depth', 'weights'])).toEqual(['length']);
    expect(nearest('Age', ['age', 'Fare'])).toEqual(['age']);
    expect(nearest('X_trian', ['y_train', 'X_test', 'X_train'])[0]).toBe('X_train');
  });

  it('stays silent when nothing is near', () => {
    expect(nearest('model', ['tokenizer', 'optimizer'])).toEqual([]);
  });

  it('counts edits with transpositions as one', () => {
    expect(editDistance('ab', 'ba', 3)).toBe(1);
    expect(editDistance('kitten', 'sitting', 3)).toBe(3);
    expect(editDistance('abc', 'uvwxyz', 2)).toBe(Number.POSITIVE_INFINITY);
  });
});
