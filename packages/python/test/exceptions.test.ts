// Which handlers stop which exceptions: compared with Python's own classes.
import { describe, expect, it } from 'vitest';
import { handlerStops, managerStops, parseCell } from '../src/index.js';
import { askOracle } from './oracle/python.js';

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
