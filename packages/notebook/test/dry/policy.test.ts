// Which cells the policy `auto` finds worth a dry run.
import { parseCell } from '@grus/python';
import { describe, expect, it } from 'vitest';
import { worthADryRun } from '../../src/dry/policy.js';

describe('cells that look long or change what is dear to rebuild', () => {
  it.each([
    'for epoch in range(10):\n    step(epoch)',
    'for batch in train_loader:\n    pass',
    'while not done:\n    pass',
    'model.fit(X, y)',
    'scores = cross_val_score(model, X, y)',
    'df["ratio"] = df["a"] / df["b"]',
    'counts[word] += 1',
    'model.weight = None',
  ])('%s', (source) => {
    expect(worthADryRun(parseCell(source), [])).not.toBeNull();
  });
});

describe('short cells that only look', () => {
  it.each([
    'df.head()',
    'x = 1',
    'print(total)',
    'for name in names:\n    print(name)',
    'import numpy as np',
  ])('%s', (source) => {
    expect(worthADryRun(parseCell(source), [])).toBeNull();
  });
});

it('a cell that was run before', () => {
  const cells = [{ number: 1, source: 'show(df)', status: 'ok' as const, executionCount: 1 }];
  expect(worthADryRun(parseCell('show(df)'), cells)).toBe('it has been run before on other state');
});
