// A kernel with the libraries of an ordinary notebook, and what really happens when a cell is run in it.
import { fileURLToPath } from 'node:url';
import type { Verdict } from '@grus/core';
import { type Kernel, startKernel } from '@grus/kernel';
import { type CheckOptions, checkCell } from '../../src/ladder/check-cell.js';

export const python =
  process.env['GRUS_PYTHON'] ?? fileURLToPath(new URL('../../../../.venv/bin/python', import.meta.url));

const libraries = `import numpy as np, pandas as pd, matplotlib, sklearn.datasets
matplotlib.use("agg")
import matplotlib.pyplot as plt
from sklearn.linear_model import LogisticRegression
df = pd.DataFrame({"a": [1, 2, 3], "b": ["x", "y", "z"]})
s = pd.Series([1, 2, 3, 4], index=pd.MultiIndex.from_product([["u", "v"], [1, 2]]))
X, y = np.arange(8.0).reshape(4, 2), np.array([0, 1, 0, 1])
def bad(n):
    return n.missing_attribute
def good(n):
    return n.real`;

export async function notebookKernel(env: Record<string, string> = {}): Promise<Kernel> {
  const kernel = await startKernel({ python, env });
  const { error } = await kernel.execute(libraries);
  if (error) throw new Error(`${error.ename}: ${error.evalue}`);
  return kernel;
}

/** Budgets that no test machine exhausts. */
const unhurried = { budgetMs: 60_000, busyBudgetMs: 60_000, inquiryMs: 60_000 };

export function check(kernel: Kernel, source: string, options: CheckOptions = {}): Promise<Verdict> {
  return checkCell({ kernel, source, metadata: {}, number: null, cells: [] }, { ...unhurried, ...options });
}

/** What the cell raises when it is run, and in which of its lines. */
export async function run(kernel: Kernel, source: string): Promise<{ type: string; line: number } | null> {
  const { error } = await kernel.execute(source);
  if (!error) return null;
  const text = error.traceback.join('\n').replace(/\u001b\[[\d;]*m/g, '');
  return { type: error.ename, line: Number(/Cell In\[\d+\], line (\d+)/.exec(text)?.[1] ?? 0) };
}
