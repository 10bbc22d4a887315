// Attributes, methods and operators of arrays and tensors.

import { argument, literalArgument } from '../../reasoning/arguments.js';
import { comparisons } from '../../reasoning/comparisons.js';
import type { ArrayLike, Dim, Fact, Ref, Shape } from '../../reasoning/facts.js';
import type { Interpreter } from '../../reasoning/interpreter/interpreter.js';
import type { AttributeTransfer, CallSite, CallTransfer, Library } from '../../reasoning/library.js';
import { arrayResizers, storeForm, tensorResizers } from './in-place.js';
import { arrayItem } from './indexing.js';
import { broadcast, matmul, reshaped, shapeOf, sizeOf, withoutAxis } from './shapes.js';

const arrayAt = (site: CallSite): ArrayLike => site.receiver!.fact as ArrayLike;

/** A new array of the same sort with another shape. */
export function derived(
  from: ArrayLike,
  shape: Shape | undefined,
  dtype: string | undefined = from.dtype,
): ArrayLike {
  return {
    kind: from.kind,
    class: from.kind === 'ndarray' ? 'numpy.ndarray' : 'torch.Tensor',
    ...(shape && { shape }),
    ...(dtype !== undefined && { dtype }),
    ...(from.device !== undefined && { device: from.device }),
  };
}

/** Dimensions given as `f(2, 3)`, `f((2, 3))` or `f(-1)`; null for a dimension that is not known. */
export function dimsGiven(interpreter: Interpreter, site: CallSite, from: number): Dim[] | undefined {
  const rest = site.args.positional.slice(from);
  if (!site.args.complete || rest.length === 0) return undefined;
  const [first] = rest;
  const refs =
    rest.length === 1 && (first!.fact.kind === 'tuple' || first!.fact.kind === 'list')
      ? first!.fact.items
      : rest.map((operand) => operand.ref);
  return refs?.map((ref) => {
    const value = interpreter.literal(ref);
    return typeof value === 'number' && Number.isInteger(value) ? value : null;
  });
}

const reshape: CallTransfer = (site, interpreter) => {
  const array = arrayAt(site);
  const wanted = dimsGiven(interpreter, site, 0);
  const shape =
    wanted && (array.shape ? reshaped(array.shape, wanted) : wanted.map((dim) => (dim === -1 ? null : dim)));
  return interpreter.put({
    ...derived(array, shape ?? undefined),
    ...(array.values && { values: array.values }),
  });
};

const flatten: CallTransfer = (site, interpreter) => {
  const array = arrayAt(site);
  if (array.kind === 'tensor' && site.args.positional.length > 0)
    return interpreter.put(derived(array, undefined));
  return interpreter.put({
    ...derived(array, [array.shape ? sizeOf(array.shape) : null]),
    ...(array.element !== undefined && { element: array.element }),
  });
};

const transpose: CallTransfer = (site, interpreter) => {
  const array = arrayAt(site);
  const order = dimsGiven(interpreter, site, 0);
  if (!array.shape) return interpreter.put(derived(array, undefined));
  if (!order && site.args.positional.length === 0 && array.kind === 'ndarray')
    return interpreter.put(derived(array, [...array.shape].reverse()));
  if (site.method === 'transpose' && array.kind === 'tensor') {
    const [a, b] = order ?? [];
    if (typeof a !== 'number' || typeof b !== 'number')
      return interpreter.put(
        derived(
          array,
          array.shape.map(() => null),
        ),
      );
    const swapped = [...array.shape];
    const at = (axis: number) => (axis < 0 ? axis + swapped.length : axis);
    [swapped[at(a)], swapped[at(b)]] = [swapped[at(b)]!, swapped[at(a)]!];
    return interpreter.put(derived(array, swapped.length === array.shape.length ? swapped : undefined));
  }
  const valid =
    order?.length === array.shape.length &&
    order.every((axis) => axis !== null && axis < array.shape!.length && axis >= -array.shape!.length);
  return interpreter.put(
    derived(array, valid ? order!.map((axis) => array.shape!.at(axis!)!) : array.shape.map(() => null)),
  );
};

/** Reductions: all axes, one axis, `keepdims`. */
export function reducedShape(
  interpreter: Interpreter,
  site: CallSite,
  shape: Shape | undefined,
  position: number,
): Shape | undefined {
  const axis = argument(site, position, 'axis') ?? argument(site, position, 'dim');
  if (!site.args.complete || argument(site, null, 'keepdims') || argument(site, null, 'keepdim'))
    return undefined;
  if (!axis) return [];
  const value = interpreter.literal(axis.ref);
  if (value === null) return [];
  return typeof value === 'number' && shape ? (withoutAxis(shape, value) ?? undefined) : undefined;
}

const reduce =
  (dtype: 'float64' | 'int64' | 'bool' | undefined): CallTransfer =>
  (site, interpreter) => {
    const array = arrayAt(site);
    const shape = reducedShape(interpreter, site, array.shape, 0);
    if (!shape || (array.kind === 'tensor' && ['max', 'min', 'median', 'mode'].includes(site.method!)))
      return interpreter.unknown();
    if (shape.length === 0 && array.kind === 'ndarray') return interpreter.unknown();
    return interpreter.put(
      derived(
        array,
        shape,
        array.kind === 'tensor'
          ? site.method === 'argmax' || site.method === 'argmin'
            ? 'int64'
            : undefined
          : dtype,
      ),
    );
  };

const sameShape =
  (dtype?: string): CallTransfer =>
  (site, interpreter) => {
    const array = arrayAt(site);
    return interpreter.put({
      ...derived(array, array.shape, dtype ?? array.dtype),
      ...(array.values && { values: array.values }),
    });
  };

/** Element by element another value: the form stays, the contents do not. */
const changedValues: CallTransfer = (site, interpreter) =>
  interpreter.put(derived(arrayAt(site), arrayAt(site).shape));

const astype: CallTransfer = (site, interpreter) => {
  const array = arrayAt(site);
  const dtype = literalArgument(interpreter, site, 0, 'dtype');
  const named = argument(site, 0, 'dtype')?.fact;
  const text =
    typeof dtype === 'string' ? dtype : named?.kind === 'library' ? named.name.split('.').at(-1)! : undefined;
  const known =
    text === undefined
      ? undefined
      : ({ int: 'int64', float: 'float64', bool: 'bool' }[text] ??
        (/^(u?int|float)\d+$/.test(text) ? text : undefined));
  // Fields may come with a dtype that is not known, and then their names are valid keys.
  const isPlain = text !== undefined && /^\w+$/.test(text);
  return interpreter.put({
    kind: 'ndarray',
    ...(isPlain && { class: 'numpy.ndarray' }),
    ...(array.shape && { shape: array.shape }),
    ...(known !== undefined && { dtype: known }),
  });
};

const squeeze: CallTransfer = (site, interpreter) => {
  const array = arrayAt(site);
  const axis = literalArgument(interpreter, site, 0, 'axis') ?? literalArgument(interpreter, site, 0, 'dim');
  if (!array.shape) return interpreter.put(derived(array, undefined));
  if (site.args.positional.length + site.args.keywords.size === 0)
    return interpreter.put(
      derived(array, array.shape.includes(null) ? undefined : array.shape.filter((dim) => dim !== 1)),
    );
  if (typeof axis !== 'number') return interpreter.put(derived(array, undefined));
  const dim = array.shape.at(axis);
  return interpreter.put(
    derived(
      array,
      dim === 1 ? (withoutAxis(array.shape, axis) ?? undefined) : dim === null ? undefined : array.shape,
    ),
  );
};

const unsqueeze: CallTransfer = (site, interpreter) => {
  const array = arrayAt(site);
  const axis = literalArgument(interpreter, site, 0, 'dim');
  if (!array.shape || typeof axis !== 'number') return interpreter.put(derived(array, undefined));
  const position = axis < 0 ? axis + array.shape.length + 1 : axis;
  return interpreter.put(
    derived(array, [...array.shape.slice(0, position), 1, ...array.shape.slice(position)]),
  );
};

function int(interpreter: Interpreter, value: Dim | undefined): Ref {
  return interpreter.put({
    kind: 'scalar',
    type: 'int',
    class: 'builtins.int',
    ...(typeof value === 'number' && { value }),
  });
}

const shape: AttributeTransfer = (receiver, interpreter) => {
  const array = receiver.fact as ArrayLike;
  const className = array.kind === 'ndarray' ? 'builtins.tuple' : 'torch.Size';
  if (!array.shape) return interpreter.put({ kind: 'tuple', class: className });
  const items = array.shape.map((dim) => int(interpreter, dim));
  return interpreter.put({ kind: 'tuple', class: className, items, length: items.length });
};

const size: CallTransfer = (site, interpreter) => {
  const array = arrayAt(site);
  const axis = literalArgument(interpreter, site, 0, 'dim');
  if (typeof axis === 'number') return int(interpreter, array.shape?.at(axis));
  return shape(site.receiver!, interpreter);
};

const attributes: Record<string, AttributeTransfer> = {
  shape,
  ndim: (receiver, interpreter) => int(interpreter, (receiver.fact as ArrayLike).shape?.length),
  T: (receiver, interpreter) => {
    const array = receiver.fact as ArrayLike;
    return interpreter.put(derived(array, array.shape && [...array.shape].reverse()));
  },
};

const arithmetic = new Set([
  'Add',
  'Sub',
  'Mult',
  'Div',
  'FloorDiv',
  'Mod',
  'Pow',
  'BitAnd',
  'BitOr',
  'BitXor',
]);

function elementwise(operator: string, a: Fact, b: Fact): Fact | undefined {
  const array = isArray(a) ? a : isArray(b) ? b : undefined;
  if (!array || !leavesResultTo(array, a) || !leavesResultTo(array, b)) return undefined;
  const left = shapeOf(a);
  const right = shapeOf(b);
  const dtype = comparisons.has(operator)
    ? 'bool'
    : operator !== 'Div' && isArray(a) && isArray(b) && a.dtype === b.dtype
      ? a.dtype
      : undefined;
  if (!left || !right) return derived({ kind: array.kind }, undefined, dtype);
  const shape = operator === 'MatMult' ? matmul(left, right) : broadcast(left, right);
  if (shape === null || shape === undefined) return undefined;
  return shape.length === 0 && array.kind === 'ndarray'
    ? undefined
    : derived({ kind: array.kind }, shape, dtype);
}

/** Whether the result is of the array's sort: series, matrices and objects that overload operators make their own of it. */
function leavesResultTo(array: ArrayLike, other: Fact): boolean {
  if (other.kind === 'scalar' || other.kind === 'list' || other.kind === 'tuple') return true;
  return other.kind === array.kind || (array.kind === 'tensor' && other.kind === 'unknown');
}

function isArray(fact: Fact): fact is ArrayLike {
  return fact.kind === 'ndarray' || fact.kind === 'tensor';
}

const shared = {
  reshape,
  flatten,
  ravel: flatten,
  transpose,
  squeeze,
  argmax: reduce('int64'),
  argmin: reduce('int64'),
  sum: reduce(undefined),
  mean: reduce('float64'),
  std: reduce('float64'),
  max: reduce(undefined),
  min: reduce(undefined),
  all: reduce('bool'),
  any: reduce('bool'),
};

const sameTensor = Object.fromEntries(
  ['cpu', 'cuda', 'to', 'detach', 'clone', 'contiguous', 'requires_grad_'].map((name) => [name, sameShape()]),
);

export const arrays: Library = {
  loadItem: { ndarray: arrayItem, tensor: arrayItem },
  storeItem: {
    ndarray: (container, _key, _value, interpreter) => {
      interpreter.state.valuesChanged(container.ref);
      return true;
    },
    tensor: (container, _key, _value, interpreter) => {
      interpreter.state.valuesChanged(container.ref);
      return true;
    },
  },
  storeAttribute: { ndarray: storeForm, tensor: storeForm },
  attributes: { ndarray: attributes, tensor: attributes },
  methods: {
    ndarray: {
      ...shared,
      ...arrayResizers,
      astype,
      copy: sameShape(),
      round: changedValues,
      clip: changedValues,
      tolist: (site, interpreter) => {
        const { shape } = arrayAt(site);
        // Without dimensions it is the element itself.
        if (!shape || shape.length === 0) return interpreter.unknown();
        const [length] = shape;
        return interpreter.put({
          kind: 'list',
          class: 'builtins.list',
          ...(typeof length === 'number' && { length }),
        });
      },
    },
    tensor: {
      ...shared,
      ...sameTensor,
      ...tensorResizers,
      view: reshape,
      permute: transpose,
      unsqueeze,
      size,
      float: sameShape('float32'),
      double: sameShape('float64'),
      long: sameShape('int64'),
      int: sameShape('int32'),
      half: sameShape('float16'),
      numpy: (site, interpreter) => {
        const array = arrayAt(site);
        return interpreter.put({
          kind: 'ndarray',
          class: 'numpy.ndarray',
          ...(array.shape && { shape: array.shape }),
          ...(array.dtype !== undefined && { dtype: array.dtype }),
        });
      },
    },
  },
  binary(operator, left, right, interpreter) {
    if (!arithmetic.has(operator) && !comparisons.has(operator) && operator !== 'MatMult') return undefined;
    const fact = elementwise(operator, left.fact, right.fact);
    return fact && interpreter.put(fact);
  },
  unary(_operator, operand, interpreter) {
    return isArray(operand.fact) ? interpreter.put(derived(operand.fact, operand.fact.shape)) : undefined;
  },
  iterate: {
    ndarray: (iterable, interpreter) => rowsOf(iterable.fact as ArrayLike, interpreter),
    tensor: (iterable, interpreter) => rowsOf(iterable.fact as ArrayLike, interpreter),
    loader: (iterable, interpreter) => {
      const { fact } = iterable;
      if (fact.kind !== 'loader') return undefined;
      const isTorch = fact.class?.startsWith('torch.') ?? false;
      const parts = fact.spec?.map((part) =>
        isTorch ? interpreter.put({ kind: 'tensor', class: 'torch.Tensor', ...part }) : interpreter.unknown(),
      );
      const element =
        parts && parts.length > 1
          ? interpreter.put({
              kind: isTorch ? 'list' : 'tuple',
              class: isTorch ? 'builtins.list' : 'builtins.tuple',
              items: parts,
              length: parts.length,
            })
          : undefined;
      return {
        ...(element !== undefined && { element }),
        ...(fact.length !== undefined && { count: fact.length }),
      };
    },
  },
};

function rowsOf(array: ArrayLike, interpreter: Interpreter) {
  const [count] = array.shape ?? [];
  const rest = array.shape?.slice(1);
  const element =
    rest && (rest.length > 0 || array.kind === 'tensor')
      ? interpreter.put(derived(array, rest))
      : array.element;
  return { ...(element !== undefined && { element }), ...(typeof count === 'number' && { count }) };
}
