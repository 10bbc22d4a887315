// Which cells need no judging: none in which a rung could have found something.
import { expect, it } from 'vitest';
import { LightCells } from '../src/light/light.js';

const light: readonly string[] = [
  'x = 1',
  'x = 1\ny = x * 2 + 3\nprint(x, y)',
  'print("step", 3)',
  'name = "a" + "b"\nname.upper()',
  'n = 4\nlabel = f"run {n:03d}"\nlabel',
  'squares = {k: k * k for k in range(5) if k > 2}\nlen(squares)',
  'def double(x, by=2):\n    return x * by',
  'kind = "even" if 3 % 2 == 0 else "odd"',
  'sum([1, 2, 3])',
  'print(df)',
  'pair = (df, 1)\ntable = {"a": df}',
  '# only a note',
];

const heavy: readonly string[] = [
  'print(missing)',
  'df + 1',
  'df.shape',
  'df["a"]',
  'x = "a" + 1',
  'x = 1\nx / 0',
  'x = 1\ny = 0\nx / y',
  'sum(["a", "b"])',
  'len(5)',
  '{[1]: 2}',
  'range("a")',
  'n = "a"\nf"{n:03d}"',
  'def f(a, a):\n    pass',
  'def f():\n    break',
  '@missing\ndef f():\n    pass',
  'def f(x=missing):\n    pass',
  'def f(x: missing):\n    pass',
  'import json',
  'del x',
  '%matplotlib inline',
  'x = (',
  'return 3',
  'for i in range(3):\n    i + "a"',
  'shadowed(1)',
  'len("a", "b")',
  'print(1, sep=2)',
  '"a".upper(1)',
  'f"{"a"}"',
  'max([])',
  'df == 1',
];

it('passes what can only run', () => {
  for (const source of light) expect(new LightCells(['df']).passes(source), source).toBe(true);
});

it('leaves everything else to the rungs', () => {
  for (const source of heavy) expect(new LightCells(['df', 'x']).passes(source), source).toBe(false);
});

it('knows what the cells before have bound, and what they may have taken away', () => {
  const after = (...cells: readonly string[]) => {
    const known = new LightCells(['df']);
    for (const source of cells.slice(0, -1)) if (!known.passes(source)) known.follow(source);
    return known.passes(cells.at(-1)!);
  };
  expect(after('x = 1', 'y = x + 1')).toBe(true);
  expect(after('x = "a"', 'y = x + 1')).toBe(false);
  expect(after('x = load()', 'print(x)')).toBe(true);
  expect(after('x = load()', 'x + 1')).toBe(false);
  // What a call may have bound anew.
  expect(after('x = 1', 'change()', 'x + 1')).toBe(false);
  expect(after('x = 1', 'del x', 'print(x)')).toBe(false);
  expect(after('x = 1', 'exec("del x")', 'print(x)')).toBe(false);
  expect(after('x = 1', '%reset -f', 'print(x)')).toBe(false);
  expect(after('if df is None:\n    x = 1', 'print(x)')).toBe(false);
  // The notebook's own `print`.
  expect(after('def print(a):\n    return a + 1', 'print("a")')).toBe(false);
  // It may have brought a `print` of its own.
  expect(after('from tools import *', 'print("a")')).toBe(false);
});
