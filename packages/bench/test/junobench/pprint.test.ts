// The pprint reader on every notation that recorded runtime information uses, and on damaged text.
import { describe, expect, it } from 'vitest';
import { readPprint } from '../../src/junobench/pprint/read.js';
import { asNumber, get, isCall, isDict, isSequence } from '../../src/junobench/pprint/value.js';

describe('readPprint', () => {
  it('keeps integers and floats apart', () => {
    expect(readPprint('(0, 0.0)')).toEqual({
      type: 'tuple',
      items: [
        { type: 'int', value: 0, digits: '0' },
        { type: 'float', value: 0 },
      ],
      cut: false,
    });
    expect(readPprint('-1.5e-3')).toEqual({ type: 'float', value: -0.0015 });
    expect(readPprint('nan')).toEqual({ type: 'float', value: Number.NaN });
    expect(readPprint('-inf')).toEqual({ type: 'float', value: Number.NEGATIVE_INFINITY });
  });

  it('joins the pieces into which pprint breaks long strings', () => {
    const value = readPprint(`{'type': '<class '\n         "'pandas.core.series.Series'>"}`);
    expect(get(value, 'type')).toBe("<class 'pandas.core.series.Series'>");
  });

  it('reads escapes and quotes', () => {
    expect(readPprint(String.raw`'it\'s\n\x41\u00e9'`)).toBe("it's\nAé");
    expect(readPprint(`"they can't"`)).toBe("they can't");
  });

  it('reads calls, angle-bracket reprs and bare names', () => {
    const value = readPprint(
      "{'a': torch.Size([3, 4]), 'b': [<Layer name=x, built=True>, dtype('O')], 'c': torch.float64}",
    );
    const size = get(value, 'a');
    expect(isCall(size) && size.name).toBe('torch.Size');
    expect(get(value, 'b')).toEqual({
      type: 'list',
      items: [
        { type: 'opaque', text: '<Layer name=x, built=True>' },
        { type: 'call', name: 'dtype', args: ['O'], keywords: {} },
      ],
      cut: false,
    });
    expect(get(value, 'c')).toEqual({ type: 'opaque', text: 'torch.float64' });
  });

  it('reads sets, empty sets, defaultdicts and keywords', () => {
    const value = readPprint("defaultdict(<class 'set'>, {'x': {1, 2}, 'y': set()})");
    expect(isCall(value)).toBe(true);
    const inner = isCall(value) ? value.args[1] : null;
    const x = get(inner!, 'x');
    expect(isSequence(x) && x.type).toBe('set');
    expect(get(inner!, 'y')).toEqual({ type: 'set', items: [], cut: false });
    const spec = readPprint('TensorSpec(shape=(None, 8), dtype=tf.float32, name=None)');
    expect(isCall(spec) && Object.keys(spec.keywords)).toEqual(['shape', 'dtype', 'name']);
  });

  it('marks an ellipsis as a cut', () => {
    const value = readPprint('[1, 2, ...]');
    expect(isSequence(value) && value.cut && value.items.length).toBe(2);
  });

  it('keeps what stands before an unexpected end, and never throws', () => {
    const value = readPprint("{'a': {'n': 3}, 'b': [1, 2, {'c': 'unfin");
    expect(isDict(value) && value.cut).toBe(true);
    expect(asNumber(get(get(value, 'a'), 'n'))).toBe(3);
    for (const text of ['', '{', ')', "'", '<', '{:}', '[,]', 'f(', '{1: }', '...', '}{', '@!%'])
      readPprint(text);
  });

  it('takes what no literal looks like as one opaque value', () => {
    const value = readPprint("{'a': 2020-01-01 00:00, 'b': 1}");
    expect(get(value, 'a')).toEqual({ type: 'opaque', text: '2020-01-01 00:00' });
    expect(asNumber(get(value, 'b'))).toBe(1);
  });
});
