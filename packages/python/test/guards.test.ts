// Guards around a use: the marked name `X` must carry exactly the guards that Python's flow of control puts on it.
import { describe, expect, it } from 'vitest';
import { guardsBetween, handlerStops, managerStops, type Node, parseCell, walk } from '../src/index.js';
import { askOracle } from './oracle/python.js';

function guardsOfX(source: string): string {
  const { module } = parseCell(source);
  const target = [...walk(module)].find((node: Node) => node.nodeType === 'Name' && node.id === 'X')!;
  return guardsBetween(module, target)!
    .map((guard) => guard.kind)
    .join(' ');
}

describe('guards', () => {
  it.each([
    ['X', ''],
    ['f(a, b=X)', ''],
    ['if X: pass', ''],
    ['if a: X', 'branch'],
    ['if a: pass\nelse: X', 'branch'],
    ['X if a else b', 'branch'],
    ['a if X else b', ''],
    ['a and X', 'short-circuit'],
    ['X or a', ''],
    ['a < X', ''],
    ['a < b < X', 'short-circuit'],
    ['while X: pass', ''],
    ['while a: X', 'loop'],
    ['for i in X: pass', ''],
    ['for i in a: X', 'loop'],
    ['for i in a: pass\nelse: X', 'handler'],
    ['[X for i in a]', 'loop'],
    ['[i for i in X]', ''],
    ['[i for i in a if X]', 'loop'],
    ['(i for i in X)', ''],
    ['(X for i in a)', 'deferred loop'],
    ['try: X\nexcept E: pass', 'try'],
    ['try: X\nfinally: pass', ''],
    ['try: a\nexcept E: X', 'handler'],
    ['try: a\nfinally: X', ''],
    ['with a: X', 'with'],
    ['with X: pass', ''],
    ['def f(): X', 'deferred'],
    ['def f(a=X): pass', ''],
    ['@X\ndef f(): pass', ''],
    ['lambda: X', 'deferred'],
    ['class A: X', ''],
    ['assert X, a', ''],
    ['assert a, X', 'branch'],
    ['match a:\n  case 1: X', 'branch'],
    ['if a: raise E\nX', 'exit'],
    ['for i in a:\n  if i: continue\n  X', 'loop exit'],
    ['if a: sys.exit()\nX', 'exit'],
    ['def f(): return 1\nX', ''],
    ['if a:\n  for b in c:\n    X', 'branch loop'],
  ])('%j: %s', (source, guards) => {
    expect(guardsOfX(source)).toBe(guards);
  });
});

const exceptions = [
  'NameError',
  'UnboundLocalError',
  'ModuleNotFoundError',
  'FileNotFoundError',
  'KeyError',
  'TypeError',
  'SystemExit',
];
const clauses = [
  'Exception',
  'BaseException',
  'NameError',
  'ImportError',
  'OSError',
  'IOError',
  'LookupError',
  '(KeyError, OSError)',
  'ValueError',
];

describe('handlers', () => {
  it('stop what Python says they stop', () => {
    const pairs = clauses.flatMap((clause) => exceptions.map((exception) => [clause, exception] as const));
    const answers = askOracle(
      'evaluate.py',
      pairs.map(([clause, exception]) => JSON.stringify(`issubclass(${exception}, ${clause})`)),
    ) as [string, boolean][];
    for (const [index, [clause, exception]] of pairs.entries()) {
      const [statement] = parseCell(`try: pass\nexcept ${clause}: pass`).body;
      const handler = statement?.nodeType === 'Try' ? statement.handlers[0]! : null;
      expect(handlerStops(handler!, exception), `${clause} ${exception}`).toBe(
        answers[index]![1] ? 'yes' : 'no',
      );
    }
  });

  it('leave other classes open', () => {
    const [statement] = parseCell('try: pass\nexcept zlib.error: pass\nexcept: pass').body;
    const handlers = statement?.nodeType === 'Try' ? statement.handlers : [];
    expect(handlers.map((handler) => handlerStops(handler, 'KeyError'))).toEqual(['maybe', 'yes']);
  });

  it.each([
    ['suppress(NameError)', 'yes'],
    ['contextlib.suppress(OSError, ValueError)', 'no'],
    ['open("x")', 'no'],
    ['torch.no_grad()', 'no'],
    ['my_manager()', 'maybe'],
    ['manager', 'maybe'],
  ])('with %s: %s', (source, answer) => {
    const [statement] = parseCell(source).body;
    expect(statement?.nodeType === 'Expr' && managerStops(statement.value, 'UnboundLocalError')).toBe(answer);
  });
});
