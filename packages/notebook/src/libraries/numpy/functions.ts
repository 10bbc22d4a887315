// Functions of NumPy; those that make or join arrays serve other libraries too.

import { argument } from '../../reasoning/arguments.js';
import type { Context } from '../../reasoning/context.js';
import type { Dim, Fact, Ref, Shape } from '../../reasoning/facts.js';
import { shapeOf } from '../../reasoning/kinds.js';
import type { CallSite, CallTransfer, Transfers } from '../../reasoning/library.js';
import { dimsGiven, reducedShape } from './arrays.js';
import type { ArrayLike } from './kinds.js';
import { matmul, reshaped } from './shapes.js';
import { styleOf } from './styles.js';

type Kind = ArrayLike['kind'];

function make(context: Context, kind: Kind, shape: Shape | undefined, dtype?: string): Ref {
  const fact: ArrayLike = {
    kind,
    class: styleOf({ kind }).class,
    ...(shape && { shape }),
    ...(dtype !== undefined && { dtype }),
  };
  return context.put(fact);
}

/** Whether the dtype given may have fields: then the array takes their names, and a tuple of the data is one element. */
function mayHaveFields(context: Context, site: CallSite, position: number): boolean {
  const given = argument(site, position, 'dtype');
  if (!given) return !site.args.complete;
  const text = context.literal(given.ref);
  if (typeof text === 'string') return !/^[<>|=]?[a-zA-Z]+\d*$/.test(text);
  const { fact } = given;
  if (fact.kind !== 'library' && fact.kind !== 'class') return fact.kind !== 'none';
  return !/^(builtins|numpy)\.(bool|u?int|float|complex|str|object)(\d+|_)?$/.test(fact.name);
}

export const filled =
  (kind: Kind, spread: boolean, dtypeAt = 1): CallTransfer =>
  (site, context) => {
    const size = argument(site, 0, kind === 'ndarray' ? 'shape' : 'size') ?? argument(site, 0, 'size');
    if (!size) return make(context, kind, undefined);
    const dims = spread ? dimsGiven(context, site, 0) : dimsOf(context, size.fact, size.ref);
    if (kind === 'ndarray' && mayHaveFields(context, site, dtypeAt))
      return context.put({ kind, shape: dims });
    return make(context, kind, dims);
  };

function dimsOf(context: Context, fact: Fact, ref: Ref): Dim[] | undefined {
  if (fact.kind === 'tuple' || fact.kind === 'list')
    return fact.items?.map((item) => {
      const value = context.literal(item);
      return typeof value === 'number' ? value : null;
    });
  const value = context.literal(ref);
  return typeof value === 'number'
    ? [value]
    : fact.kind === 'scalar' && fact.type === 'int'
      ? [null]
      : undefined;
}

/** The shape and sort of nested lists; null when the rows have different lengths. */
export function nestedShape(
  context: { look: (ref: Ref) => Fact },
  fact: Fact,
): { shape: Shape; leaf?: Fact } | null | undefined {
  if (fact.kind === 'scalar') return { shape: [], leaf: fact };
  const own = shapeOf(fact);
  if (own && fact.kind !== 'series' && fact.kind !== 'dataframe') return { shape: own };
  if (fact.kind !== 'list' && fact.kind !== 'tuple') return undefined;
  if (!fact.items) return undefined;
  if (fact.items.length === 0) return { shape: [0] };
  let shape: Shape | undefined;
  let leaf: Fact | undefined;
  for (const ref of fact.items) {
    const inner = nestedShape(context, context.look(ref));
    if (!inner) return inner;
    if (shape && !sameShape(shape, inner.shape)) return null;
    shape ??= inner.shape;
    leaf ??= inner.leaf;
  }
  return { shape: [fact.items.length, ...shape!], ...(leaf && { leaf }) };
}

function sameShape(a: Shape, b: Shape): boolean {
  return (
    a.length === b.length && a.every((dim, index) => dim === null || b[index] === null || dim === b[index])
  );
}

export const fromData =
  (kind: Kind): CallTransfer =>
  (site, context) => {
    const data = argument(site, 0, kind === 'ndarray' ? 'object' : 'data');
    if (!data) return make(context, kind, undefined);
    if (kind === 'ndarray' && mayHaveFields(context, site, 1)) return context.put({ kind });
    const { fact } = data;
    const own = fact.kind === 'scalar' ? undefined : shapeOf(fact);
    const hasDtype = argument(site, kind === 'ndarray' ? 1 : null, 'dtype') !== undefined;
    const dtype = !hasDtype && (fact.kind === 'ndarray' || fact.kind === 'series') ? fact.dtype : undefined;
    if (own) return make(context, kind, own, dtype);
    const nested = nestedShape(context, fact);
    if (nested?.leaf?.kind === 'scalar' && !hasDtype) {
      const types = styleOf({ kind }).dtypes;
      return make(
        context,
        kind,
        nested.shape,
        isUniform(context, fact, nested.leaf.type) ? types[nested.leaf.type] : undefined,
      );
    }
    const length = fact.kind === 'list' ? (fact.items?.length ?? fact.length) : undefined;
    if (nested) return make(context, kind, nested.shape);
    const element =
      fact.kind === 'list' && fact.element !== undefined ? shapeOf(context.look(fact.element)) : undefined;
    return element && !element.includes(null) && length !== undefined
      ? make(context, kind, [length, ...element])
      : make(context, kind, undefined);
  };

function isUniform(context: Context, fact: Fact, type: string): boolean {
  if (fact.kind === 'scalar') return fact.type === type;
  return (
    (fact.kind === 'list' || fact.kind === 'tuple') &&
    (fact.items?.every((ref) => isUniform(context, context.look(ref), type)) ?? false)
  );
}

const arange: CallTransfer = (site, context) => {
  const numbers = site.args.positional.map((operand) => context.literal(operand.ref));
  const isPlain = site.args.complete && [...site.args.keywords.keys()].every((name) => name === 'dtype');
  if (
    !isPlain ||
    numbers.length === 0 ||
    !numbers.every((value): value is number => typeof value === 'number')
  )
    return make(context, 'ndarray', [null]);
  const [a, b, step = 1] = numbers;
  const [start, stop] = b === undefined ? [0, a!] : [a!, b];
  const count = Math.max(0, Math.ceil((stop - start) / step));
  const isWhole = numbers.every(Number.isInteger) && site.args.keywords.size === 0;
  return make(context, 'ndarray', [Number.isFinite(count) ? count : null], isWhole ? 'int64' : undefined);
};

/** `eye(n)` is square; `eye(n, m)` is not followed. */
const identity: CallTransfer = (site, context) => {
  const [size, ...others] = site.args.positional;
  const side = size && context.literal(size.ref);
  const isSquare = typeof side === 'number' && others.length === 0 && !argument(site, null, 'M');
  return make(context, 'ndarray', isSquare ? [side, side] : [null, null]);
};

/** Shapes of all arrays in a sequence; undefined when one is not known. */
export function shapesIn(context: { look: (ref: Ref) => Fact }, fact: Fact): Shape[] | undefined {
  if ((fact.kind !== 'list' && fact.kind !== 'tuple') || !fact.items) return undefined;
  const shapes: Shape[] = [];
  for (const item of fact.items) {
    const shape = nestedShape(context, context.look(item))?.shape ?? shapeOf(context.look(item));
    if (!shape) return undefined;
    shapes.push(shape);
  }
  return shapes;
}

const dot: CallTransfer = (site, context) => {
  const [a, b] = site.args.positional.map((operand) => shapeOf(operand.fact));
  const shape = a && b && a.length > 0 && b.length > 0 ? matmul(a, b) : undefined;
  return shape && shape.length > 0 ? make(context, 'ndarray', shape) : context.unknown();
};

const reduction =
  (dtype?: string, given?: 'float64'): CallTransfer =>
  (site, context) => {
    const array = argument(site, 0, 'a');
    const shape = array && reducedShape(context, site, shapeOf(array.fact), 1);
    const isPlain = site.args.complete && site.args.positional.length + site.args.keywords.size === 1;
    if (isPlain && array && given !== undefined && isFlatNumbers(context, array.fact))
      return context.put({ kind: 'scalar', type: 'float', class: 'numpy.float64' });
    if (!shape || shape.length === 0 || array!.fact.kind === 'series' || array!.fact.kind === 'dataframe')
      return context.unknown();
    return make(context, 'ndarray', shape, dtype);
  };

/** Numbers whose mean is one of float64. */
function isFlatNumbers(context: Context, fact: Fact): boolean {
  if (fact.kind === 'ndarray') return /^(u?int\d+|float64)$/.test(fact.dtype ?? '');
  if (fact.kind !== 'list' && fact.kind !== 'tuple') return false;
  if (fact.items)
    return fact.items.every((ref) => {
      const item = context.look(ref);
      return item.kind === 'scalar' && (item.type === 'int' || item.type === 'float');
    });
  const { elementTypes, exhaustive } = fact.values ?? {};
  return exhaustive === true && (elementTypes?.every((name) => name === 'int' || name === 'float') ?? false);
}

/** `unique(a)`: as many as there are different values. */
const unique: CallTransfer = (site, context) => {
  const fact = argument(site, 0, 'ar')?.fact;
  const isPlain = site.args.complete && site.args.positional.length + site.args.keywords.size === 1;
  if (!isPlain || (fact?.kind !== 'ndarray' && fact?.kind !== 'series')) return undefined;
  const { hasNan, unique: count } = fact.values ?? {};
  return make(context, 'ndarray', [(hasNan === false && count) || null], fact.dtype);
};

/** Element-wise functions keep the shape of an array. */
const elementwise: CallTransfer = (site, context) => {
  const fact = site.args.positional[0]?.fact;
  if (fact?.kind === 'ndarray') return make(context, 'ndarray', fact.shape);
  return context.unknown();
};

const reshape: CallTransfer = (site, context) => {
  const fact = argument(site, 0, 'a')?.fact;
  const wanted = argument(site, 1, 'newshape') ?? argument(site, 1, 'shape');
  const dims = wanted && dimsOf(context, wanted.fact, wanted.ref);
  const shape = fact && shapeOf(fact);
  return make(
    context,
    'ndarray',
    dims && (shape ? (reshaped(shape, dims) ?? undefined) : dims.map((dim) => (dim === -1 ? null : dim))),
  );
};

const random =
  (sizePosition: number, spread: boolean): CallTransfer =>
  (site, context) => {
    if (spread)
      return site.args.positional.length === 0
        ? context.unknown()
        : make(context, 'ndarray', dimsGiven(context, site, 0));
    const size = argument(site, sizePosition, 'size');
    if (!size) return context.unknown();
    return make(context, 'ndarray', dimsOf(context, size.fact, size.ref));
  };

const unary =
  'exp log log1p sqrt abs absolute sin cos tanh round floor ceil square isnan nan_to_num sign clip cumsum sort flip'.split(
    ' ',
  );
const reductions = 'sum max min amax amin prod any all'.split(' ');
const averages = 'mean median std var'.split(' ');

export const numpyFunctions: Transfers = {
  functions: {
    'numpy.array': fromData('ndarray'),
    'numpy.asarray': fromData('ndarray'),
    'numpy.zeros': filled('ndarray', false),
    'numpy.ones': filled('ndarray', false),
    'numpy.empty': filled('ndarray', false),
    'numpy.full': filled('ndarray', false, 2),
    'numpy.arange': arange,
    'numpy.eye': identity,
    'numpy.identity': identity,
    'numpy.dot': dot,
    'numpy.matmul': dot,
    'numpy.reshape': reshape,
    'numpy.argmax': reduction('int64'),
    'numpy.argmin': reduction('int64'),
    ...Object.fromEntries(unary.map((name) => [`numpy.${name}`, elementwise])),
    ...Object.fromEntries(reductions.map((name) => [`numpy.${name}`, reduction()])),
    ...Object.fromEntries(averages.map((name) => [`numpy.${name}`, reduction(undefined, 'float64')])),
    'numpy.unique': unique,
    'numpy.random.rand': random(0, true),
    'numpy.random.randn': random(0, true),
    'numpy.random.randint': random(2, false),
    'numpy.random.normal': random(2, false),
    'numpy.random.uniform': random(2, false),
    'numpy.random.random': random(0, false),
    'numpy.random.default_rng': (_site, context) =>
      context.put({ kind: 'instance', class: 'numpy.random._generator.Generator' }),
  },
};
