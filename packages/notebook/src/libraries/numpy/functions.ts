// Functions of NumPy, and those of torch that make or join tensors in the same way.

import { argument, literalArgument } from '../../reasoning/arguments.js';
import type { ArrayLike, Dim, Fact, Ref, Shape } from '../../reasoning/facts.js';
import type { Interpreter } from '../../reasoning/interpreter/interpreter.js';
import type { CallSite, CallTransfer, Library } from '../../reasoning/library.js';
import { dimsGiven, reducedShape } from './arrays.js';
import { concatenated, matmul, reshaped, shapeOf } from './shapes.js';

type Kind = 'ndarray' | 'tensor';

function make(interpreter: Interpreter, kind: Kind, shape: Shape | undefined, dtype?: string): Ref {
  const fact: ArrayLike = {
    kind,
    class: kind === 'ndarray' ? 'numpy.ndarray' : 'torch.Tensor',
    ...(shape && { shape }),
    ...(dtype !== undefined && { dtype }),
  };
  return interpreter.put(fact);
}

/** Whether the dtype given may have fields: then the array takes their names, and a tuple of the data is one element. */
function mayHaveFields(interpreter: Interpreter, site: CallSite, position: number): boolean {
  const given = argument(site, position, 'dtype');
  if (!given) return !site.args.complete;
  const text = interpreter.literal(given.ref);
  if (typeof text === 'string') return !/^[<>|=]?[a-zA-Z]+\d*$/.test(text);
  const { fact } = given;
  if (fact.kind !== 'library' && fact.kind !== 'class') return fact.kind !== 'none';
  return !/^(builtins|numpy)\.(bool|u?int|float|complex|str|object)(\d+|_)?$/.test(fact.name);
}

const filled =
  (kind: Kind, spread: boolean, dtypeAt = 1): CallTransfer =>
  (site, interpreter) => {
    const size = argument(site, 0, kind === 'ndarray' ? 'shape' : 'size') ?? argument(site, 0, 'size');
    if (!size) return make(interpreter, kind, undefined);
    const dims = spread ? dimsGiven(interpreter, site, 0) : dimsOf(interpreter, size.fact, size.ref);
    if (kind === 'ndarray' && mayHaveFields(interpreter, site, dtypeAt))
      return interpreter.put({ kind, ...(dims && { shape: dims }) });
    return make(interpreter, kind, dims);
  };

function dimsOf(interpreter: Interpreter, fact: Fact, ref: Ref): Dim[] | undefined {
  if (fact.kind === 'tuple' || fact.kind === 'list')
    return fact.items?.map((item) => {
      const value = interpreter.literal(item);
      return typeof value === 'number' ? value : null;
    });
  const value = interpreter.literal(ref);
  return typeof value === 'number'
    ? [value]
    : fact.kind === 'scalar' && fact.type === 'int'
      ? [null]
      : undefined;
}

/** The shape and sort of nested lists; null when the rows have different lengths. */
export function nestedShape(
  interpreter: { look: (ref: Ref) => Fact },
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
    const inner = nestedShape(interpreter, interpreter.look(ref));
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

const fromData =
  (kind: Kind): CallTransfer =>
  (site, interpreter) => {
    const data = argument(site, 0, kind === 'ndarray' ? 'object' : 'data');
    if (!data) return make(interpreter, kind, undefined);
    if (kind === 'ndarray' && mayHaveFields(interpreter, site, 1)) return interpreter.put({ kind });
    const { fact } = data;
    const own =
      fact.kind === 'series' || fact.kind === 'dataframe' || fact.kind === 'ndarray' || fact.kind === 'tensor'
        ? shapeOf(fact)
        : undefined;
    const hasDtype = argument(site, kind === 'ndarray' ? 1 : null, 'dtype') !== undefined;
    const dtype = !hasDtype && (fact.kind === 'ndarray' || fact.kind === 'series') ? fact.dtype : undefined;
    if (own) return make(interpreter, kind, own, dtype);
    const nested = nestedShape(interpreter, fact);
    if (nested?.leaf?.kind === 'scalar' && !hasDtype) {
      const types: Record<string, string> =
        kind === 'ndarray'
          ? { int: 'int64', float: 'float64', bool: 'bool' }
          : { int: 'int64', float: 'float32', bool: 'bool' };
      return make(
        interpreter,
        kind,
        nested.shape,
        isUniform(interpreter, fact, nested.leaf.type) ? types[nested.leaf.type] : undefined,
      );
    }
    const length = fact.kind === 'list' ? (fact.items?.length ?? fact.length) : undefined;
    if (nested) return make(interpreter, kind, nested.shape);
    const element =
      fact.kind === 'list' && fact.element !== undefined
        ? shapeOf(interpreter.look(fact.element))
        : undefined;
    return element && !element.includes(null) && length !== undefined
      ? make(interpreter, kind, [length, ...element])
      : make(interpreter, kind, undefined);
  };

function isUniform(interpreter: Interpreter, fact: Fact, type: string): boolean {
  if (fact.kind === 'scalar') return fact.type === type;
  return (
    (fact.kind === 'list' || fact.kind === 'tuple') &&
    (fact.items?.every((ref) => isUniform(interpreter, interpreter.look(ref), type)) ?? false)
  );
}

const arange =
  (kind: Kind): CallTransfer =>
  (site, interpreter) => {
    const numbers = site.args.positional.map((operand) => interpreter.literal(operand.ref));
    const isPositional = [...site.args.keywords.keys()].every(
      (name) => name === 'dtype' || name === 'device',
    );
    if (
      !site.args.complete ||
      !isPositional ||
      !numbers.every((value): value is number => typeof value === 'number') ||
      numbers.length === 0
    )
      return make(interpreter, kind, [null]);
    const [a, b, step = 1] = numbers;
    const start = b === undefined ? 0 : a!;
    const stop = b === undefined ? a! : b;
    const count = Math.max(0, Math.ceil((stop - start) / step));
    return make(
      interpreter,
      kind,
      [Number.isFinite(count) ? count : null],
      numbers.every(Number.isInteger) && site.args.keywords.size === 0 ? 'int64' : undefined,
    );
  };

const linspace: CallTransfer = (site, interpreter) => {
  const given = argument(site, 2, 'num');
  const count = given ? interpreter.literal(given.ref) : 50;
  return make(interpreter, 'ndarray', [typeof count === 'number' ? count : null], 'float64');
};

const concatenate =
  (kind: Kind, fixed?: number): CallTransfer =>
  (site, interpreter) => {
    const sequence = argument(site, 0, kind === 'ndarray' ? 'arrays' : 'tensors');
    const axis =
      fixed ??
      (argument(site, 1, 'axis') || argument(site, 1, 'dim')
        ? (literalArgument(interpreter, site, 1, 'axis') ?? literalArgument(interpreter, site, 1, 'dim'))
        : 0);
    const shapes = sequence && shapesIn(interpreter, sequence.fact, sequence.ref);
    if (!shapes || typeof axis !== 'number') return make(interpreter, kind, undefined);
    return make(interpreter, kind, concatenated(shapes, axis) ?? undefined);
  };

/** Shapes of all arrays in a sequence; undefined when one is not known. */
export function shapesIn(
  interpreter: { look: (ref: Ref) => Fact },
  fact: Fact,
  _ref: Ref,
): Shape[] | undefined {
  if ((fact.kind !== 'list' && fact.kind !== 'tuple') || !fact.items) return undefined;
  const shapes: Shape[] = [];
  for (const item of fact.items) {
    const shape = nestedShape(interpreter, interpreter.look(item))?.shape ?? shapeOf(interpreter.look(item));
    if (!shape) return undefined;
    shapes.push(shape);
  }
  return shapes;
}

const stack =
  (kind: Kind): CallTransfer =>
  (site, interpreter) => {
    const sequence = argument(site, 0, kind === 'ndarray' ? 'arrays' : 'tensors');
    const shapes = sequence && shapesIn(interpreter, sequence.fact, sequence.ref);
    const isPlain = !argument(site, 1, 'axis') && !argument(site, 1, 'dim');
    if (!shapes?.[0] || !isPlain || !shapes.every((shape) => sameShape(shape, shapes[0]!)))
      return make(interpreter, kind, undefined);
    return make(interpreter, kind, [shapes.length, ...shapes[0]]);
  };

const dot =
  (kind: Kind): CallTransfer =>
  (site, interpreter) => {
    const [a, b] = site.args.positional.map((operand) => shapeOf(operand.fact));
    if (!a || !b || a.length === 0 || b.length === 0) return interpreter.unknown();
    const shape = matmul(a, b);
    return shape && shape.length > 0 ? make(interpreter, kind, shape) : interpreter.unknown();
  };

const reduction =
  (dtype?: string): CallTransfer =>
  (site, interpreter) => {
    const array = argument(site, 0, 'a');
    const shape = array && reducedShape(interpreter, site, shapeOf(array.fact), 1);
    if (!shape || shape.length === 0 || array.fact.kind === 'series' || array.fact.kind === 'dataframe')
      return interpreter.unknown();
    return make(interpreter, 'ndarray', shape, dtype);
  };

/** Element-wise functions keep the shape of an array. */
const elementwise: CallTransfer = (site, interpreter) => {
  const fact = site.args.positional[0]?.fact;
  if (fact?.kind === 'ndarray') return make(interpreter, 'ndarray', fact.shape);
  return interpreter.unknown();
};

const reshape: CallTransfer = (site, interpreter) => {
  const fact = argument(site, 0, 'a')?.fact;
  const wanted = argument(site, 1, 'newshape') ?? argument(site, 1, 'shape');
  const dims = wanted && dimsOf(interpreter, wanted.fact, wanted.ref);
  const shape = fact && shapeOf(fact);
  return make(
    interpreter,
    'ndarray',
    dims && (shape ? (reshaped(shape, dims) ?? undefined) : dims.map((dim) => (dim === -1 ? null : dim))),
  );
};

const expandDims: CallTransfer = (site, interpreter) => {
  const fact = argument(site, 0, 'a')?.fact;
  const axis = literalArgument(interpreter, site, 1, 'axis');
  const shape = fact && shapeOf(fact);
  if (!shape || typeof axis !== 'number') return make(interpreter, 'ndarray', undefined);
  const position = axis < 0 ? axis + shape.length + 1 : axis;
  return make(interpreter, 'ndarray', [...shape.slice(0, position), 1, ...shape.slice(position)]);
};

const random =
  (sizePosition: number, spread: boolean): CallTransfer =>
  (site, interpreter) => {
    if (spread)
      return site.args.positional.length === 0
        ? interpreter.unknown()
        : make(interpreter, 'ndarray', dimsGiven(interpreter, site, 0));
    const size = argument(site, sizePosition, 'size');
    if (!size) return interpreter.unknown();
    return make(interpreter, 'ndarray', dimsOf(interpreter, size.fact, size.ref));
  };

const pureUnknown: CallTransfer = (site: CallSite, interpreter) => {
  const operands = [...site.args.positional, ...site.args.keywords.values()];
  return operands.some(({ fact }) => fact.kind === 'function' || fact.kind === 'method')
    ? undefined
    : interpreter.unknown();
};

const unary = [
  'exp',
  'log',
  'log1p',
  'sqrt',
  'abs',
  'absolute',
  'sin',
  'cos',
  'tanh',
  'round',
  'floor',
  'ceil',
  'square',
  'isnan',
  'nan_to_num',
  'sign',
  'clip',
  'cumsum',
  'sort',
  'flip',
];
const reductions = [
  'sum',
  'mean',
  'std',
  'max',
  'min',
  'amax',
  'amin',
  'median',
  'prod',
  'var',
  'any',
  'all',
];

export const numpyFunctions: Library = {
  functions: {
    'numpy.array': fromData('ndarray'),
    'numpy.asarray': fromData('ndarray'),
    'numpy.zeros': filled('ndarray', false),
    'numpy.ones': filled('ndarray', false),
    'numpy.empty': filled('ndarray', false),
    'numpy.full': filled('ndarray', false, 2),
    'numpy.arange': arange('ndarray'),
    'numpy.linspace': linspace,
    'numpy.concatenate': concatenate('ndarray'),
    'numpy.stack': stack('ndarray'),
    'numpy.dot': dot('ndarray'),
    'numpy.matmul': dot('ndarray'),
    'numpy.reshape': reshape,
    'numpy.expand_dims': expandDims,
    'numpy.argmax': reduction('int64'),
    'numpy.argmin': reduction('int64'),
    ...Object.fromEntries(unary.map((name) => [`numpy.${name}`, elementwise])),
    ...Object.fromEntries(reductions.map((name) => [`numpy.${name}`, reduction()])),
    'numpy.random.rand': random(0, true),
    'numpy.random.randn': random(0, true),
    'numpy.random.randint': random(2, false),
    'numpy.random.normal': random(2, false),
    'numpy.random.uniform': random(2, false),
    'numpy.random.random': random(0, false),
    'numpy.unique': pureUnknown,
    'numpy.where': pureUnknown,
    'numpy.random.seed': pureUnknown,
    'numpy.random.default_rng': (_site, interpreter) =>
      interpreter.put({ kind: 'instance', class: 'numpy.random._generator.Generator' }),
    'torch.tensor': fromData('tensor'),
    'torch.from_numpy': fromData('tensor'),
    'torch.zeros': filled('tensor', true),
    'torch.ones': filled('tensor', true),
    'torch.randn': filled('tensor', true),
    'torch.rand': filled('tensor', true),
    'torch.empty': filled('tensor', true),
    'torch.arange': arange('tensor'),
    'torch.cat': concatenate('tensor'),
    'torch.concat': concatenate('tensor'),
    'torch.stack': stack('tensor'),
    'torch.matmul': dot('tensor'),
    'torch.mm': dot('tensor'),
    'torch.manual_seed': pureUnknown,
  },
};
