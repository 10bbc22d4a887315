// Which cells Python refuses: compared with CPython's compiler on broken cells and on real files.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type CertainSyntaxError, certainSyntaxError, parseCell } from '../src/index.js';
import { askOracle, realFiles } from './oracle/python.js';

interface Answer {
  readonly type: string;
  readonly message: string;
  readonly line: number;
}

/** Cells that Python refuses after parsing: the error must be found in full. */
const symbolErrors = [
  'return 1',
  'x = 1\nclass A:\n    return x',
  'yield 1',
  'class A:\n    x = yield',
  'break',
  'if x:\n    continue',
  'for i in x:\n    def f():\n        break',
  'for i in x: pass\nelse:\n    break',
  'while 1:\n    class A:\n        continue',
  'nonlocal x',
  'def f():\n    nonlocal x',
  'def f(a, a): pass',
  'lambda a, *a: 0',
  'def f(a, *, b, **a): pass',
  'def f(x):\n    global x',
  'def f():\n    x = 1\n    global x',
  'def f():\n    print(x)\n    global x',
  'x = 1\nglobal x',
  'def f():\n    from os import *',
  'def f():\n    await g()',
  'def f():\n    async with g(): pass',
  'def f():\n    async for x in g(): pass',
  'f(a=1, b=2, a=3)',
  'try: pass\nexcept: pass\nexcept ValueError: pass',
  '__debug__ = 1',
  'lambda: await f()',
];

/** Cells whose grammar is broken. */
const grammarErrors = [
  'x = (1,\n',
  'x = [1, 2\ny = 3',
  'print "hello"',
  'if x\n    y = 1',
  'def f(:\n    pass',
  'for i in range(3)\n    print(i)',
  'x = = 1',
  'x = 1 +',
  'if x:\ny = 1',
  '  x = 1\n y = 2',
  'x = 1\n  y = 2',
  'else:\n    pass',
  'f(a=1, 2)',
  '1 = x',
  'f() = 1',
  'x + 1 = 2',
  'None = 1',
  'True = 1',
  'def None(): pass',
  'class = 3',
  'import',
  'from x import',
  'x = "abc',
  "x = 'it's'",
  'x = """abc',
  'x = {1: 2, 3}',
  'x = )',
  'x = (1]',
  'del f()',
  'lambda x: = 1',
  'a b',
  'df.head() df.tail()',
  'while True print(1)',
  'try:\n    pass',
  'x = 5 if y',
  'print("a"',
  'print(f"{x")',
  'f"{}"',
  'async x = 1',
  'x ++',
  'raise ValueError, "x"',
  'exec "x"',
  'except ValueError: pass',
  'for x in y: z w',
  'def f():\n',
  'class A:\n',
  'with open("x") as f\n    pass',
  '@decorator\nx = 1',
];

const valid = [
  'await f()',
  'async with a as b: pass',
  'async for x in y: pass',
  '[x async for x in y]',
  'def f():\n    return (await x for x in y)',
  'for i in x:\n    if i: break\n    else: continue',
  'def f():\n    global x\n    x = 1',
  'def f():\n    x = 1\n    def g():\n        nonlocal x\n        x = 2',
  'f(a=1, **{"a": 2})',
  'x: int = 1',
  'print(*a, sep="")',
  'a, *b = c',
  'x = (yield_ := 3)',
  'match = 1\nmatch.case = 2',
  'while 1:\n    try:\n        pass\n    finally:\n        break',
  'class A:\n    __slots__ = ()\n    def f(self): return __class__',
  'x = lambda: (yield)',
  'def f(a, b=1, *c, d, e=2, **g): return a',
  'global x\nx = 1',
  'del a, b[0], c.d, (e, f)',
];

describe('syntax errors', () => {
  const oracle = (sources: readonly string[]) =>
    askOracle(
      'compile.py',
      sources.map((source) => JSON.stringify(source)),
    ) as (Answer | null)[];

  it('of the symbol table and the compiler are found with message and line', () => {
    const answers = oracle(symbolErrors);
    for (const [index, source] of symbolErrors.entries()) {
      const error = certainSyntaxError(parseCell(source), null);
      expect({ source, type: error?.type, message: error?.message, line: error?.place.line }).toEqual({
        source,
        ...answers[index]!,
      });
    }
  });

  it('of the grammar are suspected in all, and certain where a rule of Python is named', () => {
    const answers = oracle(grammarErrors);
    let certain = 0;
    for (const [index, source] of grammarErrors.entries()) {
      expect(answers[index], source).not.toBeNull();
      const cell = parseCell(source);
      const error = certainSyntaxError(cell, null);
      expect(error ?? cell.problem ?? null, source).not.toBeNull();
      if (!error) continue;
      certain++;
      expect(error.type, source).toBe(answers[index]!.type);
    }
    expect(certain).toBeGreaterThan(grammarErrors.length / 4);
  });

  it('are not found in valid cells', () => {
    const answers = oracle(valid);
    for (const [index, source] of valid.entries()) {
      expect(answers[index], source).toBeNull();
      expect(certainSyntaxError(parseCell(source), null), source).toBeNull();
    }
  });

  it('are not found in real files', () => {
    const files = realFiles(400);
    const sources = files.map((file) => readFileSync(file, 'utf8'));
    const answers = oracle(sources);
    let unread = 0;
    let compared = 0;
    for (const [index, source] of sources.entries()) {
      if (answers[index] !== null) continue;
      compared++;
      const cell = parseCell(source);
      if (cell.problem) unread++;
      expect(certainSyntaxError(cell, null), files[index]).toBeNull();
    }
    expect(compared).toBeGreaterThan(350);
    expect(unread / compared).toBeLessThan(0.01);
  });

  it('are decided by a kernel when one can be asked', () => {
    const error: CertainSyntaxError = {
      type: 'SyntaxError',
      message: 'invalid syntax',
      place: { line: 1, column: 4, endLine: 1, endColumn: 5 },
    };
    expect(certainSyntaxError(parseCell('x = = 1'), { verdict: 'valid' })).toBeNull();
    expect(certainSyntaxError(parseCell('x = = 1'), { verdict: 'invalid', error })).toEqual(error);
    expect(certainSyntaxError(parseCell('return'), { verdict: 'valid' })).toBeNull();
  });
});
