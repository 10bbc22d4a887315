// One described live object as a fact: which kind it is, and the fields that kind can use.
import type { Literal, ObjectFact } from '@grus/kernel/snapshot';
import { parseCell } from '@grus/python';
import type { Class, Column, Fact, IndexFacts, Layer, Ref, UserFunction, ValueFacts } from './facts.js';
import { factOfLiteral, keyOf } from './literals.js';
import { publicName } from './names.js';
import { globalScope, liveMemory } from './state.js';

export interface ObjectContext {
  /** Dotted path at which the kernel holds the object. */
  readonly path: string | undefined;
  refOf(key: string): Ref;
  put(fact: Fact): Ref;
  object(key: string): ObjectFact | undefined;
}

export function factOfObject(object: ObjectFact, context: ObjectContext): Fact {
  const common = commonOf(object, context);
  const className = common.class;
  const { structural = {}, representation = {}, values = {} } = object;
  if (className === 'builtins.NoneType') return { ...common, kind: 'none' };
  if (className === 'builtins.module' || object.kind === 'module')
    return { ...common, kind: 'module', name: qualifiedName(object, context) };
  if (values.literal !== undefined && !values.cut) {
    const plain = plainFact(object, common, values.literal, context);
    if (plain) return plain;
  }
  const scalar = scalarTypes[className];
  if (scalar) return { ...common, kind: 'scalar', type: scalar };
  switch (className) {
    case 'builtins.list':
    case 'builtins.tuple':
    case 'builtins.set':
    case 'builtins.frozenset':
      return {
        ...common,
        kind: className.slice(9) as 'list',
        ...(structural.items &&
          structural.complete && { items: structural.items.map((key) => context.refOf(key)) }),
      };
    case 'builtins.dict':
    case 'collections.OrderedDict':
      return dictFact(object, common, context);
    case 'builtins.range':
      return { ...common, kind: 'range' };
    case 'pandas.DataFrame':
      return frameFact(object, common);
    case 'pandas.Series':
      return {
        ...common,
        kind: 'series',
        ...pick(representation, 'dtype', 'name'),
        ...(rowsOf(representation) !== undefined && { rows: rowsOf(representation)! }),
        index: indexFacts(representation),
        values: valueFacts(values),
      };
    case 'numpy.ndarray':
    case 'torch.Tensor':
    case 'torch.nn.Parameter':
      return {
        ...common,
        kind: className === 'numpy.ndarray' ? 'ndarray' : 'tensor',
        ...pick(representation, 'dtype', 'shape', 'device'),
        ...(representation.requires_grad !== undefined && { requiresGrad: representation.requires_grad }),
        values: valueFacts(values),
        ...(structural.items?.[0] !== undefined && { element: context.refOf(structural.items[0]) }),
      };
  }
  if (className.startsWith('pandas.') && /Index$/.test(className))
    return {
      ...common,
      kind: 'index',
      ...pick(representation, 'dtype'),
      ...(representation.index_labels_complete && { labels: representation.index_labels }),
    };
  if (object.kind === 'function') return functionFact(object, common, context);
  if (object.kind === 'class') return classFact(object, common, context);
  if (object.kind === 'builtin' || object.kind === 'method')
    return { ...common, kind: 'library', name: qualifiedName(object, context) };
  if (isEstimator(object)) return estimatorFact(object, common, context);
  const model = modelKind(object);
  if (model) return modelFact(object, common, context, model);
  const of = structural.related?.class;
  return {
    ...common,
    kind: 'instance',
    ...(of !== undefined && { of: context.refOf(of) }),
    ...(structural.members && { complete: true }),
    values: valueFacts(values),
  };
}

/** Public name of a module, class or function; a decorated function goes by the name of what it wraps. */
function qualifiedName(object: ObjectFact, context: ObjectContext): string {
  const wrapped = object.structural?.related?.['wrapped'];
  const inner = wrapped === undefined ? undefined : context.object(wrapped);
  if (inner) return qualifiedName(inner, context);
  const name = object.representation?.name;
  if (typeof name !== 'string') return publicName(context.path ?? '?');
  const module = object.structural?.module;
  return publicName(
    module === undefined || object.kind === 'class' || object.kind === 'module' ? name : `${module}.${name}`,
  );
}

const scalarTypes: Record<string, 'int' | 'float' | 'str' | 'bool' | 'bytes' | 'complex'> = {
  'builtins.int': 'int',
  'builtins.float': 'float',
  'builtins.str': 'str',
  'builtins.bool': 'bool',
  'builtins.bytes': 'bytes',
  'builtins.complex': 'complex',
};

type CommonFields = ReturnType<typeof commonOf>;

function commonOf(object: ObjectFact, context: ObjectContext) {
  const { structural = {}, representation = {} } = object;
  return {
    class: publicName(object.class),
    ...(object.bases && { bases: object.bases.map(publicName) }),
    memory: liveMemory,
    ...(context.path !== undefined && { source: `kernel: ${context.path}`, path: context.path }),
    ...(structural.attributes && {
      attributes: new Map(
        Object.entries(structural.attributes).map(([name, key]) => [name, context.refOf(key)]),
      ),
    }),
    ...(structural.members && { members: structural.members }),
    ...(structural.dynamic_attributes !== undefined && { dynamic: structural.dynamic_attributes }),
    ...pick(representation, 'callable', 'iterable', 'subscriptable', 'hashable', 'length'),
    ...(representation.signature && { signature: representation.signature }),
  };
}

function pick<T extends object, K extends keyof T>(from: T, ...keys: K[]): Partial<Pick<T, K>> {
  const picked: Partial<Pick<T, K>> = {};
  for (const key of keys) if (from[key] !== undefined) picked[key] = from[key];
  return picked;
}

function plainFact(
  object: ObjectFact,
  common: CommonFields,
  literal: Literal,
  context: ObjectContext,
): Fact | undefined {
  const scalar = scalarTypes[common.class];
  if (scalar && (typeof literal !== 'object' || literal === null)) {
    if (literal === null) return undefined;
    return { ...common, kind: 'scalar', type: scalar, value: literal };
  }
  if (
    Array.isArray(literal) &&
    (common.class === 'builtins.list' || common.class === 'builtins.tuple') &&
    !object.structural?.items
  ) {
    const items = literal.map((item) => context.put(factOfLiteral(item, context.put)));
    return {
      ...common,
      kind: common.class === 'builtins.list' ? 'list' : 'tuple',
      items,
      length: items.length,
    };
  }
  return undefined;
}

function dictFact(object: ObjectFact, common: CommonFields, context: ObjectContext): Fact {
  const { keys, entries, complete } = object.structural ?? {};
  if (!keys) return { ...common, kind: 'dict' };
  return {
    ...common,
    kind: 'dict',
    complete: complete === true,
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

function frameFact(object: ObjectFact, common: CommonFields): Fact {
  const { representation = {}, values = {} } = object;
  const columns: Column[] | undefined =
    representation.columns && representation.columns_complete !== false
      ? representation.columns.map(({ label, dtype }, position) => ({
          label,
          ...(dtype !== '' && { dtype }),
          ...(values.columns?.[position] && {
            values: valueFacts(values.columns[position] as NonNullable<ObjectFact['values']>),
          }),
        }))
      : undefined;
  const rows = rowsOf(representation);
  return {
    ...common,
    kind: 'dataframe',
    ...(columns && { columns }),
    ...(rows !== undefined && { rows }),
    index: indexFacts(representation),
  };
}

type Representation = NonNullable<ObjectFact['representation']>;

function rowsOf(representation: Representation): number | undefined {
  return representation.shape?.[0] ?? representation.length ?? undefined;
}

function indexFacts(representation: Representation): IndexFacts {
  return {
    ...(representation.index_names && { names: representation.index_names }),
    ...(representation.index_dtype !== undefined && { dtype: representation.index_dtype }),
    ...(representation.index_unique !== undefined && { unique: representation.index_unique }),
    ...(representation.index_labels &&
      representation.index_labels_complete && { labels: representation.index_labels }),
    ...(representation.index_range && { range: representation.index_range }),
  };
}

function valueFacts(values: NonNullable<ObjectFact['values']>): ValueFacts {
  return {
    ...(typeof values.min === 'number' && { min: values.min }),
    ...(typeof values.max === 'number' && { max: values.max }),
    ...(values.has_nan !== undefined && { hasNan: values.has_nan }),
    ...(values.has_inf !== undefined && { hasInf: values.has_inf }),
    ...(values.unique !== undefined && { unique: values.unique }),
    ...(values.examples && { examples: values.examples }),
    ...(values.examples_complete !== undefined && { examplesComplete: values.examples_complete }),
    ...(values.element_types && { elementTypes: values.element_types }),
    ...(values.exhaustive !== undefined && { exhaustive: values.exhaustive }),
  };
}

function functionFact(object: ObjectFact, common: CommonFields, context: ObjectContext): Fact {
  const { source, closure, defined_in: cell } = object.structural ?? {};
  const node = source === undefined ? undefined : parseCell(dedent(source)).body[0];
  if (
    !node ||
    (node.nodeType !== 'FunctionDef' && node.nodeType !== 'AsyncFunctionDef') ||
    node.decorator_list.length > 0
  )
    return { ...common, kind: 'library', name: qualifiedName(object, context) };
  const fact: UserFunction = {
    ...common,
    kind: 'function',
    name: node.name,
    node,
    scope: globalScope,
    defaults: unknownDefaults(node, context),
    home: cell === undefined ? 'an earlier cell' : `cell [${cell}]`,
    ...(closure && {
      closure: new Map(Object.entries(closure).map(([free, key]) => [free, context.refOf(key)])),
    }),
  };
  return fact;
}

/** Defaults of a live function: which parameters have one is in the source, the plain values too. */
function unknownDefaults(node: UserFunction['node'], context: ObjectContext): ReadonlyMap<string, Ref> {
  const { args } = node;
  const positional = [...args.posonlyargs, ...args.args];
  const defaults = new Map<string, Ref>();
  args.defaults.forEach((value, index) => {
    defaults.set(
      positional[positional.length - args.defaults.length + index]!.arg,
      context.put(plainDefault(value)),
    );
  });
  args.kw_defaults.forEach((value, index) => {
    if (value) defaults.set(args.kwonlyargs[index]!.arg, context.put(plainDefault(value)));
  });
  return defaults;
}

function plainDefault(node: { nodeType: string; value?: unknown; kind?: string }): Fact {
  if (node.nodeType !== 'Constant') return { kind: 'unknown' };
  if (node.value === null) return { kind: 'none', class: 'builtins.NoneType' };
  const type = node.kind as 'int' | undefined;
  if (type === undefined || !(`builtins.${type}` in scalarTypes) || (type as string) === 'complex')
    return { kind: 'unknown' };
  return { kind: 'scalar', type, value: node.value as number, class: `builtins.${type}` };
}

function dedent(source: string): string {
  const indent = /^[ \t]*/.exec(source)![0];
  return indent === ''
    ? source
    : source
        .split('\n')
        .map((line) => (line.startsWith(indent) ? line.slice(indent.length) : line))
        .join('\n');
}

function classFact(object: ObjectFact, common: CommonFields, context: ObjectContext): Class {
  const { source, defined_in: cell } = object.structural ?? {};
  const name = qualifiedName(object, context);
  const node = source === undefined ? undefined : parseCell(dedent(source)).body[0];
  if (node?.nodeType !== 'ClassDef') return { ...common, kind: 'class', name };
  const namespace = new Map<string, Ref>();
  for (const statement of node.body) {
    if (statement.nodeType === 'FunctionDef' || statement.nodeType === 'AsyncFunctionDef')
      namespace.set(
        statement.name,
        context.put({
          kind: 'function',
          class: 'builtins.function',
          name: statement.name,
          node: statement,
          scope: globalScope,
          defaults: unknownDefaults(statement, context),
          home: cell === undefined ? 'an earlier cell' : `cell [${cell}]`,
          callable: true,
        }),
      );
    else if (statement.nodeType === 'Assign')
      for (const target of statement.targets)
        if (target.nodeType === 'Name') namespace.set(target.id, context.put({ kind: 'unknown' }));
    if (statement.nodeType === 'AnnAssign' && statement.target.nodeType === 'Name')
      namespace.set(statement.target.id, context.put({ kind: 'unknown' }));
  }
  const parents = (object.structural?.base_classes ?? []).map((base) =>
    context.put({ kind: 'library', name: publicName(base) }),
  );
  return {
    ...common,
    kind: 'class',
    name,
    namespace,
    parents,
    ...(node.decorator_list.length > 0 && { dynamic: true }),
  };
}

function isEstimator(object: ObjectFact): boolean {
  return (
    object.kind === 'estimator' ||
    (object.bases ?? []).some((base) => publicName(base) === 'sklearn.base.BaseEstimator')
  );
}

function estimatorFact(object: ObjectFact, common: CommonFields, context: ObjectContext): Fact {
  const { structural = {}, representation = {}, values = {} } = object;
  return {
    ...common,
    kind: 'estimator',
    ...(structural.fitted !== undefined && { fitted: structural.fitted }),
    ...(representation.n_features_in !== undefined && { features: representation.n_features_in }),
    ...(representation.feature_names_in && { featureNames: representation.feature_names_in }),
    ...(values.classes && { classes: values.classes }),
    ...(structural.parameters && {
      parameters: new Map(
        Object.entries(structural.parameters).map(([name, key]) => [name, context.refOf(key)]),
      ),
    }),
  };
}

function modelKind(object: ObjectFact): 'torch-module' | 'keras-model' | 'keras-layer' | null {
  const names = [object.class, ...(object.bases ?? [])].map(publicName);
  if (names.includes('torch.nn.Module')) return 'torch-module';
  if (names.some((name) => /^keras\.(models\.)?(Model|Sequential|Functional)$/.test(name)))
    return 'keras-model';
  if (names.some((name) => /^keras\.layers\.Layer$/.test(name))) return 'keras-layer';
  return null;
}

function modelFact(
  object: ObjectFact,
  common: CommonFields,
  context: ObjectContext,
  kind: 'torch-module' | 'keras-model' | 'keras-layer',
): Fact {
  const { structural = {}, representation = {} } = object;
  const layers: Layer[] | undefined = structural.layers?.map((layer) => ({
    name: layer.name,
    class: publicName(layer.class),
    ...(layer.object !== undefined && { object: context.refOf(layer.object) }),
  }));
  const of = structural.related?.class;
  return {
    ...common,
    kind,
    ...(layers && { layers }),
    ...(representation.input_shape && { inputs: representation.input_shape }),
    ...(representation.output_shape && { outputs: representation.output_shape }),
    ...(structural.compiled !== undefined && { compiled: structural.compiled }),
    ...(representation.loss !== undefined && { loss: representation.loss }),
    ...(of !== undefined && { of: context.refOf(of) }),
  };
}
