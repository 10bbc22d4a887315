// Recorded series, arrays and tensors: what has a dtype, a shape or a length, and values.
import type { ObjectFact } from '@grus/kernel/snapshot';
import { asBoolean, asNumber, asString, get, type PyValue } from '../pprint/value.js';
import { kindOf } from './kinds.js';
import { shapeOf } from './shapes.js';
import { readValues } from './values.js';

export function describeArray(record: PyValue, className: string): ObjectFact {
  const kind = kindOf(className);
  const read = readValues(record);
  const length = asNumber(get(record, 'length'));
  const shape =
    shapeOf(get(record, 'shape')) ?? (kind === 'series' && length !== undefined ? [length] : undefined);
  const dtype = asString(get(record, 'dtype')) ?? read.dtype;
  const device = asString(get(record, 'device'));
  const requiresGrad = asBoolean(get(record, 'requires_grad'));
  const rank = kind === 'series' ? 1 : shape?.length;
  return {
    kind,
    class: className,
    representation: {
      ...(dtype !== undefined ? { dtype } : {}),
      ...(shape !== undefined ? { shape } : {}),
      ...(shape !== undefined && shape.length > 0 && shape[0] !== null ? { length: shape[0]! } : {}),
      ...(rank !== undefined ? { ndim: rank } : {}),
      ...(device !== undefined ? { device } : {}),
      ...(requiresGrad !== undefined ? { requires_grad: requiresGrad } : {}),
      callable: false,
      ...(rank !== undefined ? { iterable: rank > 0 } : {}),
      subscriptable: true,
    },
    values: read.values,
  };
}
