// Attributes, methods and operators of arrays: of NumPy and, with a style of their own, of other libraries.

import { argument, literalArgument } from '../../reasoning/arguments.js';
import { comparisons } from '../../reasoning/comparisons.js';
import type { Context } from '../../reasoning/context.js';
import type { Operand } from '../../reasoning/events.js';
import { type Dim, type Fact, known, type Ref, type Shape } from '../../reasoning/facts.js';
import { shapeOf } from '../../reasoning/kinds.js';
import type { AttributeTransfer, CallSite, CallTransfer, Transfers } from '../../reasoning/library.js';
import { changesForm, storeForm } from './in-place.js';
import { arrayItem, scalarItem } from './indexing.js';
import type { ArrayLike } from './kinds.js';
import { broadcast, matmul, reshaped, sizeOf, withoutAxis } from './shapes.js';
import { arrayStyles, styleOf } from './styles.js';

const arrayAt = (site: CallSite): ArrayLike => site.receiver!.fact as ArrayLike;

/** A new array of the same sort with another shape. */
export function derived(
  from: ArrayLike,
  shape: Shape | undefined,
  dtype: string | undefined = from.dtype,
): ArrayLike {
  return known({ kind: from.kind, class: styleOf(from).class, shape, dtype, device: from.device });
}

/** Dimensions given as `f(2, 3)`, `f((2, 3))` or `f(-1)`; null for a dimension that is not known. */
export function dimsGiven(context: Context, site: CallSite, from: number): Dim[] | undefined {
  const rest = site.args.positional.slice(from);
  return site.args.complete && rest.length > 0 ? dimsIn(context, rest) : undefined;
}

export function dimsIn(context: Pick<Context, 'literal'>, given: readonly Operand[]): Dim[] | undefined {
  const [first] = given;
  const refs =
    given.length === 1 && (first!.fact.kind === 'tuple' || first!.fact.kind === 'list')
      ? first!.fact.items
      : given.map((operand) => operand.ref);
  return refs?.map((ref) => {
    const value = context.literal(ref);
    return typeof value === 'number' && Number.isInteger(value) ? value : null;
  });
}

export const reshape: CallTransfer = (site, context) => {
  const array = arrayAt(site);
  const wanted = dimsGiven(context, site, 0);
  const shape =
    wanted && (array.shape ? reshaped(array.shape, wanted) : wanted.map((dim) => (dim === -1 ? null : dim)));
  return context.put({
    ...derived(array, shape ?? undefined),
    ...(array.values && { values: array.values }),
  });
};

const flatten: CallTransfer = (site, context) => {
  const array = arrayAt(site);
  if (styleOf(array).flattensAxes && site.args.positional.length > 0)
    return context.put(derived(array, undefined));
  return context.put({
    ...derived(array, [array.shape ? sizeOf(array.shape) : null]),
    ...(array.element !== undefined && { element: array.element }),
  });
};

export const transpose: CallTransfer = (site, context) => {
  const array = arrayAt(site);
  const order = dimsGiven(context, site, 0);
  if (!array.shape) return context.put(derived(array, undefined));
  if (!order && site.args.positional.length === 0 && !styleOf(array).swapsAxes)
    return context.put(derived(array, [...array.shape].reverse()));
  if (site.method === 'transpose' && styleOf(array).swapsAxes) {
    const [a, b] = order ?? [];
    if (typeof a !== 'number' || typeof b !== 'number')
      return context.put(
        derived(
          array,
          array.shape.map(() => null),
        ),
      );
    const swapped = [...array.shape];
    const at = (axis: number) => (axis < 0 ? axis + swapped.length : axis);
    [swapped[at(a)], swapped[at(b)]] = [swapped[at(b)]!, swapped[at(a)]!];
    return context.put(derived(array, swapped.length === array.shape.length ? swapped : undefined));
  }
  const valid =
    order?.length === array.shape.length &&
    order.every((axis) => axis !== null && axis < array.shape!.length && axis >= -array.shape!.length);
  return context.put(
    derived(array, valid ? order!.map((axis) => array.shape!.at(axis!)!) : array.shape.map(() => null)),
  );
};

/** Reductions: all axes, one axis, `keepdims`. */
export function reducedShape(
  context: Context,
  site: CallSite,
  shape: Shape | undefined,
  position: number,
): Shape | undefined {
  const axis = argument(site, position, 'axis') ?? argument(site, position, 'dim');
  if (!site.args.complete || argument(site, null, 'keepdims') || argument(site, null, 'keepdim'))
    return undefined;
  if (!axis) return [];
  const value = context.literal(axis.ref);
  if (value === null) return [];
  return typeof value === 'number' && shape ? (withoutAxis(shape, value) ?? undefined) : undefined;
}

const reduce =
  (dtype: 'float64' | 'int64' | 'bool' | undefined): CallTransfer =>
  (site, context) => {
    const array = arrayAt(site);
    const shape = reducedShape(context, site, array.shape, 0);
    if (!shape || styleOf(array).givesPairs?.includes(site.method!)) return context.unknown();
    if (shape.length === 0 && !styleOf(array).hasZeroDimensions) return context.unknown();
    return context.put(
      derived(array, shape, styleOf(array).keepsPrecision && dtype !== 'int64' ? undefined : dtype),
    );
  };

const sameShape =
  (dtype?: string): CallTransfer =>
  (site, context) => {
    const array = arrayAt(site);
    return context.put({
      ...derived(array, array.shape, dtype ?? array.dtype),
      ...(array.values && { values: array.values }),
    });
  };

/** Element by element another value: the form stays, the contents do not. */
const changedValues: CallTransfer = (site, context) =>
  context.put(derived(arrayAt(site), arrayAt(site).shape));

const astype: CallTransfer = (site, context) => {
  const array = arrayAt(site);
  const dtype = literalArgument(context, site, 0, 'dtype');
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
  return context.put({
    kind: 'ndarray',
    ...(isPlain && { class: 'numpy.ndarray' }),
    shape: array.shape,
    dtype: known,
  });
};

const squeeze: CallTransfer = (site, context) => {
  const array = arrayAt(site);
  const axis = literalArgument(context, site, 0, 'axis') ?? literalArgument(context, site, 0, 'dim');
  if (!array.shape) return context.put(derived(array, undefined));
  if (site.args.positional.length + site.args.keywords.size === 0)
    return context.put(
      derived(array, array.shape.includes(null) ? undefined : array.shape.filter((dim) => dim !== 1)),
    );
  if (typeof axis !== 'number') return context.put(derived(array, undefined));
  const dim = array.shape.at(axis);
  return context.put(
    derived(
      array,
      dim === 1 ? (withoutAxis(array.shape, axis) ?? undefined) : dim === null ? undefined : array.shape,
    ),
  );
};

export function int(context: Context, value: Dim | undefined): Ref {
  return context.put({
    kind: 'scalar',
    type: 'int',
    class: 'builtins.int',
    ...(typeof value === 'number' && { value }),
  });
}

export const shape: AttributeTransfer = (receiver, context) => {
  const array = receiver.fact as ArrayLike;
  const className = styleOf(array).shapeClass;
  if (!array.shape) return context.put({ kind: 'tuple', class: className });
  const items = array.shape.map((dim) => int(context, dim));
  return context.put({ kind: 'tuple', class: className, items, length: items.length });
};

const attributes: Record<string, AttributeTransfer> = {
  shape,
  ndim: (receiver, context) => int(context, (receiver.fact as ArrayLike).shape?.length),
  T: (receiver, context) => {
    const array = receiver.fact as ArrayLike;
    return context.put(derived(array, array.shape && [...array.shape].reverse()));
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
  const dtype = comparisons.has(operator) ? 'bool' : resultType(operator, a, b);
  if (!left || !right) return derived({ kind: array.kind }, undefined, dtype);
  const shape = operator === 'MatMult' ? matmul(left, right) : broadcast(left, right);
  if (shape === null || shape === undefined) return undefined;
  return shape.length === 0 && !styleOf(array).hasZeroDimensions
    ? undefined
    : derived({ kind: array.kind }, shape, dtype);
}

/** The type of the elements; undefined where it is not plain to see. */
function resultType(operator: string, a: Fact, b: Fact): string | undefined {
  const [one, other] = isArray(a) ? [a, b] : [b, a];
  if (!isArray(one) || one.dtype === undefined) return undefined;
  const isFloat = one.dtype.startsWith('float');
  if (isArray(other))
    return one.dtype === other.dtype && (isFloat || operator !== 'Div') ? one.dtype : undefined;
  if (other.kind !== 'scalar' || (other.type !== 'int' && other.type !== 'float')) return undefined;
  // A number of Python's takes the type of the array, unless it has fractions and the array has none.
  if (!other.class?.startsWith('builtins.')) return undefined;
  return isFloat ||
    (one.dtype === 'int64' && other.type === 'int' && operator !== 'Div' && operator !== 'Pow')
    ? one.dtype
    : undefined;
}

/** Whether the result is of the array's sort: series, matrices and objects that overload operators make their own of it. */
function leavesResultTo(array: ArrayLike, other: Fact): boolean {
  if (other.kind === 'scalar' || other.kind === 'list' || other.kind === 'tuple') return true;
  return other.kind === array.kind || (styleOf(array).ownsResults === true && other.kind === 'unknown');
}

function isArray(fact: Fact): fact is ArrayLike {
  return Object.hasOwn(arrayStyles, fact.kind);
}

/** Methods that arrays of all libraries have. */
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

/** What arrays of one kind do: subscripts, shape, operators, iteration, and the methods that all have. */
export function arrayTransfers(kind: ArrayLike['kind'], methods: Record<string, CallTransfer>): Transfers {
  const isOwn = (fact: Fact): fact is ArrayLike => fact.kind === kind;
  return {
    loadItem: { [kind]: arrayItem },
    storeItem: {
      [kind]: (container: Operand, _key: Operand, _value: Operand, context: Context) => {
        context.state.valuesChanged(container.ref);
        return true;
      },
    },
    storeAttribute: { [kind]: storeForm },
    attributes: { [kind]: attributes },
    methods: { [kind]: { ...shared, ...methods } },
    binary(operator, left, right, context) {
      if (!isOwn(left.fact) && !isOwn(right.fact)) return undefined;
      if (!arithmetic.has(operator) && !comparisons.has(operator) && operator !== 'MatMult') return undefined;
      const fact = elementwise(operator, left.fact, right.fact);
      return fact && context.put(fact);
    },
    unary: (_operator, { fact }, context) =>
      isOwn(fact) ? context.put(derived(fact, fact.shape)) : undefined,
    iterate: { [kind]: (iterable: Operand, context: Context) => rowsOf(iterable.fact as ArrayLike, context) },
  };
}

export const arrays = arrayTransfers('ndarray', {
  resize: changesForm,
  astype,
  copy: sameShape(),
  round: changedValues,
  clip: changedValues,
  tolist: (site, context) => {
    const { shape } = arrayAt(site);
    // Without dimensions it is the element itself.
    if (!shape || shape.length === 0) return context.unknown();
    const [length] = shape;
    return context.put({
      kind: 'list',
      class: 'builtins.list',
      ...(typeof length === 'number' && { length }),
    });
  },
});

function rowsOf(array: ArrayLike, context: Context) {
  const [count] = array.shape ?? [];
  const rest = array.shape?.slice(1);
  const element =
    rest && (rest.length > 0 || styleOf(array).hasZeroDimensions)
      ? context.put(derived(array, rest))
      : rest?.length === 0 && array.element === undefined
        ? scalarItem(context, array)
        : array.element;
  return { ...(element !== undefined && { element }), ...(typeof count === 'number' && { count }) };
}
