// Options that only a function behind `**kwargs` knows, and words of a library's own: the library itself is asked.
import type { Kernel } from '@grus/kernel';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { check, notebookKernel, run } from './setup.js';

let kernel: Kernel;
beforeAll(async () => {
  kernel = await notebookKernel();
});
afterAll(() => kernel.close());

it.each([
  's.sum(level=0)',
  's.mean(level=0)',
  'plt.hist(X[:, 0], normed=True)',
  'plt.plot(X[:, 0], colour="red")',
  'plt.scatter(X[:, 0], X[:, 1], size=3)',
  'r = pd.date_range("2020", periods=3, freq="M")',
  'pd.date_range("2020", periods=3, freq="monthly")',
  'pd.Series([1, 2], dtype="strng")',
  'sklearn.datasets.fetch_mldata("MNIST original")',
  'df.iplot()',
])('a dead option or name is refused: %s', async (source) => {
  const verdict = await check(kernel, source);
  expect(verdict.outcome).toBe('crash');
  expect({ type: verdict.exception?.type, line: verdict.line }).toEqual(await run(kernel, source));
});

it.each([
  's.sum(axis=0)',
  's.groupby(level=0).sum()',
  'plt.hist(X[:, 0], density=True, color="red", label="x")',
  'plt.plot(X[:, 0], color="red", linewidth=2)',
  'plt.scatter(X[:, 0], X[:, 1], s=3, alpha=0.5)',
  'pd.date_range("2020", periods=3, freq="ME")',
  'pd.Series([1, 2], dtype="float64")',
  'df.plot(kind="bar", legend=False)',
  'plt.figure(figsize=(2, 2))\nplt.bar(["a"], [1], edgecolor="black")',
])('a living one is left alone: %s', async (source) => {
  expect((await check(kernel, source)).outcome).toBe('unknown');
  expect(await run(kernel, source)).toBeNull();
});
