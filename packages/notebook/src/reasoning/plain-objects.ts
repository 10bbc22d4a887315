// Objects of Python's own classes that a call gives.
import type { Context } from './context.js';
import type { Ref, Scalar } from './facts.js';

type Heap = Pick<Context, 'put'>;

export function putNone(heap: Heap): Ref {
  return heap.put({ kind: 'none', class: 'builtins.NoneType' });
}

export function putTuple(heap: Heap, items: readonly Ref[]): Ref {
  return heap.put({ kind: 'tuple', class: 'builtins.tuple', items, length: items.length });
}

export function putList(heap: Heap, items: readonly Ref[]): Ref {
  return heap.put({ kind: 'list', class: 'builtins.list', items, length: items.length });
}

/** Without a value, only its type is known. */
export function putScalar(heap: Heap, type: Scalar['type'], value?: Scalar['value']): Ref {
  return heap.put({ kind: 'scalar', type, class: `builtins.${type}`, value });
}
