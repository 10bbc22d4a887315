// A dump is data from anywhere: plain values are read as Python wrote them, and anything that would build or call is refused.
import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { type Dictionary, Key, PickleError, readPickle } from '../../src/ranks/dumps/pickle.js';

const python = process.env['GRUS_PYTHON'] ?? 'python3';

/** The pickle that Python makes of an expression. */
function pickled(expression: string, protocol: number): Buffer {
  const program = `import collections, datetime, pickle, sys; sys.stdout.buffer.write(pickle.dumps(${expression}, protocol=${protocol}))`;
  const done = spawnSync(python, ['-c', program], { maxBuffer: 1 << 26 });
  if (done.status !== 0) throw new Error(done.stderr.toString());
  return done.stdout;
}

describe('plain values', () => {
  it.each([2, 3, 4, 5])('are read as protocol %s writes them', (protocol) => {
    const bytes = pickled(
      `{"entries": [{"a": 1, "b": -2, "c": 70000, "d": 1794784118095220260, "e": None, "f": 1.5}], "t": (1, "ä"), "y": True, "s": [[8, 4], []], "deep": ((), (1,), (1, 2, 3, 4))}`,
      protocol,
    );
    const value = readPickle(bytes) as Dictionary;
    const [entry] = value.get(new Key('entries')) as [Dictionary];
    expect(['a', 'b', 'c', 'd', 'e', 'f'].map((key) => entry.get(new Key(key)))).toEqual([
      1,
      -2,
      70000,
      Number('1794784118095220260'),
      null,
      1.5,
    ]);
    expect(value.get(new Key('t'))).toEqual([1, 'ä']);
    expect(value.get(new Key('y'))).toBe(true);
    expect(value.get(new Key('s'))).toEqual([[8, 4], []]);
    expect(value.get(new Key('deep'))).toEqual([[], [1], [1, 2, 3, 4]]);
    expect(value.get(new Key('toString'))).toBeUndefined();
  });

  it('share what Python shared', () => {
    const value = readPickle(pickled('(lambda shared: [shared, shared])([1])', 2)) as unknown[];
    expect(value[0]).toBe(value[1]);
  });
});

describe('what could run something', () => {
  it.each(['datetime.date(2020, 1, 1)', 'collections.OrderedDict(a=1)', 'print', 'object()'])(
    'is refused: %s',
    (expression) => {
      for (const protocol of [0, 2, 4])
        expect(() => readPickle(pickled(expression, protocol))).toThrow(PickleError);
    },
  );
});

describe('a damaged file', () => {
  const whole = pickled('{"entries": [{"n": i, "name": "all_reduce" * 3} for i in range(50)]}', 2);

  it('is refused wherever it is cut', () => {
    for (let end = 0; end < whole.length; end += 7)
      expect(() => readPickle(whole.subarray(0, end))).toThrow(PickleError);
  });

  it('gives a value or is refused, whichever byte is changed', () => {
    const count = Number(process.env['GRUS_MUTATIONS'] ?? 3000);
    let seed = 1;
    const next = (below: number): number => {
      seed = (seed * 1103515245 + 12345) % 2147483648;
      return seed % below;
    };
    for (let turn = 0; turn < count; turn++) {
      const bytes = Buffer.from(whole);
      for (let change = 0; change <= next(4); change++) bytes[next(bytes.length)] = next(256);
      try {
        readPickle(bytes);
      } catch (error) {
        expect(error).toBeInstanceOf(PickleError);
      }
    }
  });
});
