// Recorded lists, tuples, sets and dicts. The distinct values of a list are recorded without their positions, so they
// are examples, never items; a dict's preview gives keys, and the values that are short enough to be whole.
import type { Literal, ObjectFact } from '@grus/kernel/snapshot';
import { readPprint } from '../pprint/read.js';
import { asNumber, asString, get, isCall, isSequence, type PyValue } from '../pprint/value.js';
import { classNameOf, kindOf } from './kinds.js';
import { literalOf } from './literals.js';
import type { ObjectRegistry } from './registry.js';
import { shapeOf } from './shapes.js';
import { readValues } from './values.js';

export function describeSequence(record: PyValue, className: string): ObjectFact {
  const length = asNumber(get(record, 'length'));
  return {
    kind: kindOf(className),
    class: className,
    representation: {
      ...(length !== undefined ? { length } : {}),
      callable: false,
      iterable: true,
      subscriptable: className !== 'set',
    },
    values: readValues(record).values,
  };
}

export function describeDict(record: PyValue, className: string, registry: ObjectRegistry): ObjectFact {
  const length = asNumber(get(record, 'length'));
  const { keys, entries } = keysOf(record, registry);
  return {
    kind: 'dict',
    class: className,
    ...(keys.length > 0 || length === 0
      ? {
          structural: {
            keys,
            complete: keys.length === length,
            ...(entries.length === keys.length ? { entries } : {}),
          },
        }
      : {}),
    representation: {
      ...(length !== undefined ? { length } : {}),
      callable: false,
      iterable: true,
      subscriptable: true,
      hashable: false,
    },
  };
}

function keysOf(record: PyValue, registry: ObjectRegistry): { keys: Literal[]; entries: string[] } {
  const preview = get(record, 'preview');
  const metrics = get(record, 'metrics');
  const keys: Literal[] = [];
  const entries: string[] = [];
  for (const item of isSequence(preview) ? preview.items : []) {
    const key = literalOf(get(item, 'key'));
    if (key === undefined) continue;
    keys.push(key);
    entries.push(registry.add(describeEntry(item)));
  }
  for (const item of isSequence(metrics) ? metrics.items : []) {
    const key = literalOf(item);
    if (key !== undefined) keys.push(key);
  }
  return { keys, entries };
}

function describeEntry(item: PyValue): ObjectFact {
  const className = classNameOf(asString(get(item, 'value_type')) ?? 'unknown');
  const written = asString(get(item, 'value_repr')) ?? '';
  const fact = { kind: kindOf(className), class: className };
  const tensor = /^<tf\.Tensor: shape=(\([^)]*\)), dtype=(\w+)/.exec(written);
  if (tensor !== null) {
    const shape = shapeOf(readPprint(tensor[1]!));
    return { ...fact, representation: { ...(shape ? { shape } : {}), dtype: tensor[2]! } };
  }
  if (written === '' || written.endsWith('...')) return fact;
  const value = readPprint(written);
  const literal = isCall(value) ? undefined : literalOf(value);
  return literal === undefined ? fact : { ...fact, values: { literal } };
}
