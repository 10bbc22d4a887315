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

describe('what earlier runs tell', () => {
  const ran = (source: string, ms: number) => ({
    number: 1,
    source,
    status: 'ok' as const,
    executionCount: 1,
    ms,
  });
  it.each([
    [
      'a cell that took long the last time',
      'show(df)',
      [ran('show(df)', 9_000)],
      'it took 9 s the last time',
    ],
    [
      'state that took long to make',
      'df["a"] = 1',
      [ran('df = build()', 4_000), ran('df = clean(df)', 2_000)],
      'it changes df, which took 6 s to make',
    ],
    ['changed by a keyword', 'df.dropna(inplace=True)', [ran('df = build()', 4_000)], /changes df/],
  ])('%s', (_name, source, cells, reason) => {
    expect(worthADryRun(parseCell(source), cells)).toMatch(reason);
  });
  it.each([
    ['state that is made again at once', 'df["a"] = 1', [ran('df = build()', 40)]],
    ['other state that took long', 'count += 1', [ran('df = build()', 9_000), ran('count = 0', 1)]],
  ])('not for %s', (_name, source, cells) => {
    expect(worthADryRun(parseCell(source), cells)).toBeNull();
  });
});
