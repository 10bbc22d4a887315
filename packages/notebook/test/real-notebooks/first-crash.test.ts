// The crash that is told is the one that a run meets, and the same whatever the order of Python's sets.
import type { Kernel } from '@grus/kernel';
import { takeSnapshot } from '@grus/kernel';
import { emptyRequest } from '@grus/kernel/snapshot';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { check, notebookKernel, run } from './setup.js';

const dry = { policy: 'auto', budgetMs: 60_000 } as const;

describe('of two crashes', () => {
  let kernel: Kernel;
  beforeAll(async () => {
    kernel = await notebookKernel();
  });
  afterAll(() => kernel.close());

  it.each([
    ['clf = LogisticRegression(multi_class="ovr")\nclf.fit(X, undefined_y)', 'TypeError'],
    ['pd.date_range("2020", periods=3, freq="M")\nprint(undefined_y)', 'ValueError'],
    ['rows = [good(v) for v in (1, None)]\nprint(undefined_y)', 'AttributeError'],
    ['total = sum(len(v) for v in zip(*[iter(df["b"])] * 0))\nint("1" * 5000)\nundefined_y', 'ValueError'],
  ])('the first is told: %j', async (source, type) => {
    const really = await run(kernel, source);
    expect(really).toMatchObject({ type });
    const verdict = await check(kernel, source, { dry });
    expect({ type: verdict.exception?.type, line: verdict.line }).toEqual(really);
  });

  it('a later one is told when what comes before it runs', async () => {
    const source = 'clf = LogisticRegression()\nclf.fit(X, y)\nprint(undefined_y)';
    const verdict = await check(kernel, source, { dry });
    expect(verdict).toMatchObject({ outcome: 'crash', rung: 'names', line: 3 });
    expect(await run(kernel, source)).toEqual({ type: 'NameError', line: 3 });
  });
});

const cells = [
  'df["a"].str.upper()\ndf["missing"]',
  'df.groupby("b").agg({"missing": "sum"})\ndf["nope"]',
  'pd.concat([df, s], axis=1, keys=["a"])\nundefined_y',
  'df["a"] = df["a"].map(good)\ndf.drop(columns=["a", "zz"])',
];

it('the same state gives the same verdict under every hash seed', async () => {
  const told: string[] = [];
  for (const seed of ['0', '1', '2', '3']) {
    const kernel = await notebookKernel({ PYTHONHASHSEED: seed });
    try {
      const names = ['df', 's', 'X', 'bad', 'good', 'LogisticRegression', 'plt', 'pd', 'np'];
      const { snapshot } = await takeSnapshot(kernel, {
        ...emptyRequest,
        names,
        budget: { ms: 60_000, bytes: 20_000_000 },
      });
      const verdicts = [];
      for (const source of cells) {
        const { outcome, rung, exception, line, evidence, explanation } = await check(kernel, source);
        verdicts.push({ outcome, rung, exception, line, evidence, explanation });
      }
      told.push(JSON.stringify({ snapshot, verdicts }, null, 1));
    } finally {
      await kernel.close();
    }
  }
  for (const other of told) expect(other).toBe(told[0]);
});
