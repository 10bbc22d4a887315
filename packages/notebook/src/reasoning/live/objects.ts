// One described live object as a fact: which kind it is, and the fields that kind can use.
import type { Literal, ObjectFact } from '@grus/kernel/snapshot';
import { type Fact, known } from '../facts.js';
import { factOfLiteral, keyOf } from '../literals.js';
import { allLibraries } from '../registry.js';
import { classFact, functionFact } from './code.js';
import { type CommonFields, commonOf, type ObjectContext, qualifiedName } from './context.js';
import { scalarFact, valueFacts } from './values.js';

const containers = new Set(['list', 'tuple', 'dict']);

/** An object of a class that was derived from the one which gives it its kind. */
function isDerived(object: ObjectFact, className: string): boolean {
  if (object.kind === 'set' || object.kind === 'frozenset') return !className.startsWith('builtins.');
  return (
    containers.has(object.kind) &&
    (object.structural?.related?.['class'] !== undefined || object.structural?.dynamic_keys === true)
  );
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
      return scalarFact(object, common, object.kind);
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
    case 'omitted':
      return omittedFact(object);
    default:
      return ofLibrary(object, common, context) ?? instanceFact(object, common, context);
  }
}

/** What the library that knows this kind of object reads from its description. */
function ofLibrary(object: ObjectFact, common: CommonFields, context: ObjectContext): Fact | undefined {
  for (const { live, liveOther } of allLibraries()) {
    const reader = live && Object.hasOwn(live, object.kind) ? live[object.kind] : undefined;
    if (reader)
      return reader.classes?.test(common.class) === false
        ? undefined
        : known(reader.read(object, common, context));
    const fact = liveOther?.(object, common, context);
    if (fact) return known(fact);
  }
  return undefined;
}

function instanceFact(object: ObjectFact, common: CommonFields, context: ObjectContext): Fact {
  const { structural = {}, values = {} } = object;
  const of = structural.related?.['class'];
  return {
    ...common,
    kind: 'instance',
    ...(of !== undefined && { of: context.refOf(of) }),
    ...(structural.members && { complete: true }),
    ...Object.assign({}, ...allLibraries().map((library) => library.liveInstance?.(object))),
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
  if (!keys) return { ...common, kind: 'dict' };
  return {
    ...common,
    kind: 'dict',
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
