// One described live object as a fact: which kind it is, and the fields that kind can use.
import type { Literal, ObjectFact } from '@grus/kernel/snapshot';
import type { Fact, ScalarType } from '../facts.js';
import { factOfLiteral, keyOf } from '../literals.js';
import { publicName } from '../names.js';
import { classFact, functionFact } from './code.js';
import { type CommonFields, commonOf, type ObjectContext, pick, qualifiedName } from './context.js';
import { arrayFact, frameFact, indexFact, loaderFact, seriesFact } from './data.js';
import { estimatorFact, modelFact } from './models.js';
import { valueFacts } from './values.js';

/** Classes that behave as their kind says. Others may index, combine and derive as they like: matrices, masked arrays, GeoDataFrames. */
const plainClasses: Readonly<Record<string, RegExp>> = {
  frame: /^pandas\./,
  series: /^pandas\./,
  index: /^pandas\./,
  ndarray: /^numpy\.(ndarray|memmap)$/,
  tensor: /^torch\.(Tensor|nn\.(parameter\.)?(Parameter|Buffer))$/,
};
const containers = new Set(['list', 'tuple', 'dict']);

/** An object of a class that was derived from the one which gives it its kind. */
function isDerived(object: ObjectFact, className: string): boolean {
  if (object.kind === 'set' || object.kind === 'frozenset') return !className.startsWith('builtins.');
  if (containers.has(object.kind))
    return object.structural?.related?.['class'] !== undefined || object.structural?.dynamic_keys === true;
  return plainClasses[object.kind]?.test(className) === false;
}

export function factOfObject(object: ObjectFact, context: ObjectContext): Fact {
  const common = commonOf(object, context);
  if (isDerived(object, common.class)) return instanceFact(object, common, context);
  const { values = {} } = object;
  switch (object.kind) {
    case 'none':
      return { ...common, kind: 'none' };
    case 'bool':
    case 'int':
    case 'float':
    case 'complex':
    case 'str':
    case 'bytes':
    case 'scalar':
      return scalarFact(object, common);
    case 'list':
    case 'tuple':
    case 'set':
    case 'frozenset':
      return sequenceFact(object, common, context, object.kind);
    case 'dict':
      return dictFact(object, common, context);
    case 'range': {
      const [start, stop, step] = values.range ?? [];
      return { ...common, kind: 'range', ...(step !== undefined && { start: start!, stop: stop!, step }) };
    }
    case 'module':
      return { ...common, kind: 'module', name: qualifiedName(object, context) };
    case 'function':
      return functionFact(object, common, context);
    case 'class':
      return classFact(object, common, context);
    case 'builtin':
    case 'method':
    case 'partial':
      return { ...common, kind: 'library', name: callableName(object, context) };
    case 'iterator':
    case 'generator':
      return { ...common, kind: 'iterator' };
    case 'frame':
      return frameFact(object, common);
    case 'series':
      return seriesFact(object, common);
    case 'index':
      return indexFact(object, common);
    case 'ndarray':
    case 'tensor':
      return arrayFact(object, common, context);
    case 'torch_loader':
    case 'tf_dataset':
    case 'torch_dataset':
      return loaderFact(object, common, context);
    case 'estimator':
      return estimatorFact(object, common, context);
    case 'torch_module':
      return modelFact(object, common, context, 'torch-module');
    case 'keras_model':
      return modelFact(object, common, context, 'keras-model');
    case 'keras_layer':
      return modelFact(object, common, context, 'keras-layer');
    case 'omitted':
      return omittedFact(object);
    default: {
      if (common.class === 'numpy._ArrayFunctionDispatcher' || common.class === 'numpy.ufunc')
        return { ...dispatcherFields(common), kind: 'library', name: dispatcherName(object, context) };
      return instanceFact(object, common, context);
    }
  }
}

function instanceFact(object: ObjectFact, common: CommonFields, context: ObjectContext): Fact {
  const { structural = {}, representation = {}, values = {} } = object;
  const of = structural.related?.['class'];
  return {
    ...common,
    kind: 'instance',
    ...(of !== undefined && { of: context.refOf(of) }),
    ...(structural.members && { complete: true }),
    ...(values.history && { history: new Map(Object.entries(values.history)) }),
    ...pick(representation, 'grid'),
    ...(object.kind === 'device' && typeof values.literal === 'string' && { text: values.literal }),
    ...((object.kind === 'keras_tensor' || object.kind === 'tf_tensor') && pick(representation, 'shape')),
    values: valueFacts(values),
  };
}

/** Not described: known by class, or by the name under which it was imported. */
function omittedFact(object: ObjectFact): Fact {
  const name = object.representation?.name;
  if (object.class === 'unknown')
    return typeof name === 'string' ? { kind: 'library', name } : { kind: 'unknown' };
  return { kind: 'unknown' };
}

/** NumPy's functions are instances; what matters of them is their name. */
function dispatcherName(object: ObjectFact, context: ObjectContext): string {
  const text = (attribute: string): unknown => {
    const key = object.structural?.attributes?.[attribute];
    return key === undefined ? undefined : context.object(key)?.values?.literal;
  };
  const module = text('__module__');
  const name = text('__name__');
  return typeof module === 'string' && typeof name === 'string'
    ? publicName(`${module}.${name}`)
    : publicName(context.path ?? '?');
}

function dispatcherFields(common: CommonFields) {
  const { attributes: _, members: __, ...rest } = common;
  return rest;
}

function callableName(object: ObjectFact, context: ObjectContext): string {
  const { name } = object.representation ?? {};
  const { module } = object.structural ?? {};
  if (
    typeof name === 'string' &&
    module === undefined &&
    context.path !== undefined &&
    !context.path.includes('.')
  )
    return `?.${name}`;
  return qualifiedName(object, context);
}

function scalarFact(object: ObjectFact, common: CommonFields): Fact {
  const literal = object.values?.cut ? undefined : object.values?.literal;
  const type = object.kind === 'scalar' ? numpyScalar(common.class) : (object.kind as ScalarType);
  if (type === undefined) return { ...common, kind: 'instance' };
  const isPlain = literal !== undefined && literal !== null && typeof literal !== 'object';
  return { ...common, kind: 'scalar', type, ...(isPlain && { value: literal }) };
}

function numpyScalar(className: string): ScalarType | undefined {
  if (/^numpy\.u?int\d*$/.test(className)) return 'int';
  if (/^numpy\.float(16|32|64)$/.test(className)) return 'float';
  if (className === 'numpy.str_') return 'str';
  if (className === 'numpy.bool' || className === 'numpy.bool_') return 'bool';
  return undefined;
}

function sequenceFact(
  object: ObjectFact,
  common: CommonFields,
  context: ObjectContext,
  kind: 'list' | 'tuple' | 'set' | 'frozenset',
): Fact {
  const { structural = {}, values = {} } = object;
  const literal: Literal | undefined = values.cut ? undefined : values.literal;
  const items =
    structural.items && structural.complete
      ? structural.items.map((key) => context.refOf(key))
      : Array.isArray(literal)
        ? literal.map((item) => context.put(factOfLiteral(item, context.put)))
        : undefined;
  const samples =
    structural.items && !structural.complete ? structural.items.map((key) => context.refOf(key)) : undefined;
  return {
    ...common,
    kind,
    ...(items && { items, length: items.length }),
    ...(samples && { samples }),
    values: valueFacts(values),
  };
}

function dictFact(object: ObjectFact, common: CommonFields, context: ObjectContext): Fact {
  const { keys, entries, complete, default: makesUp, dynamic_keys: dynamic } = object.structural ?? {};
  const history = object.values?.history;
  const extra = history ? { history: new Map(Object.entries(history)) } : {};
  if (!keys) return { ...common, kind: 'dict', ...extra };
  return {
    ...common,
    kind: 'dict',
    ...extra,
    complete: complete === true && !makesUp && !dynamic,
    entries: new Map(
      keys.map((key, index) => {
        const value = entries?.[index];
        return [
          keyOf(key),
          { key, value: value === undefined ? context.put({ kind: 'unknown' }) : context.refOf(value) },
        ];
      }),
    ),
  };
}
