// Which facts survive when unknown code had an object in its hands, and which objects can be reached from one.
import type { Fact, Ref } from './facts.js';

/** What no ordinary code can change about an existing object: its class, and all of an immutable one. */
export function weaken(fact: Fact): Fact {
  switch (fact.kind) {
    case 'unknown':
      return fact.recipe === undefined ? fact : { kind: 'unknown', ...identity(fact) };
    case 'none':
    case 'scalar':
    case 'range':
    case 'slice':
    case 'function':
    case 'class':
    case 'library':
    case 'module':
    case 'method':
    case 'indexer':
    case 'tuple':
    case 'frozenset':
    case 'index':
      return fact;
    case 'ndarray':
    case 'tensor':
      return {
        kind: fact.kind,
        ...identity(fact),
        ...(fact.dtype !== undefined && { dtype: fact.dtype }),
        ...(fact.shape && { shape: fact.shape }),
      };
    case 'iterator':
      return { kind: fact.kind, ...identity(fact) };
    case 'instance':
      return { kind: 'instance', ...identity(fact), ...(fact.of !== undefined && { of: fact.of }) };
    case 'torch-module':
      return {
        kind: fact.kind,
        ...identity(fact),
        ...(fact.of !== undefined && { of: fact.of }),
        ...(fact.hooked && { hooked: true }),
      };
    default:
      return { kind: fact.kind, ...identity(fact) } as Fact;
  }
}

function identity(fact: Fact) {
  return {
    ...(fact.class !== undefined && { class: fact.class }),
    ...(fact.bases && { bases: fact.bases }),
    ...(fact.source !== undefined && { source: fact.source }),
    ...(fact.memory !== undefined && { memory: fact.memory }),
    ...(fact.callable !== undefined && { callable: fact.callable }),
    ...(fact.iterable !== undefined && { iterable: fact.iterable }),
    ...(fact.subscriptable !== undefined && { subscriptable: fact.subscriptable }),
    ...(fact.hashable !== undefined && { hashable: fact.hashable }),
  };
}

/** The objects that code holding this one can get at. */
export function* refsIn(fact: Fact): Generator<Ref> {
  if (fact.attributes) yield* fact.attributes.values();
  switch (fact.kind) {
    case 'list':
    case 'tuple':
    case 'set':
    case 'frozenset':
    case 'iterator':
      if (fact.items) yield* fact.items;
      if (fact.element !== undefined) yield fact.element;
      break;
    case 'dict':
      if (fact.entries) for (const entry of fact.entries.values()) yield entry.value;
      break;
    case 'method':
      yield fact.receiver;
      break;
    case 'index':
      if (fact.owner !== undefined) yield fact.owner;
      break;
    case 'indexer':
      yield fact.owner;
      break;
    case 'groupby':
      if (fact.frame !== undefined) yield fact.frame;
      break;
    case 'estimator':
      if (fact.parameters) yield* fact.parameters.values();
      break;
    case 'torch-module':
    case 'keras-model':
    case 'keras-layer':
      for (const layer of fact.layers ?? []) if (layer.object !== undefined) yield layer.object;
      break;
  }
}

/** The same object after its contents, but not its form, may have changed. */
export function withoutValues(fact: Fact): Fact {
  if (fact.kind === 'dataframe' && fact.columns)
    return { ...fact, columns: fact.columns.map(({ values: _, ...column }) => column) };
  if (fact.kind === 'series') {
    const { values: _, cells: __, ...rest } = fact;
    return rest;
  }
  if ('values' in fact && fact.values !== undefined) {
    const { values: _, ...rest } = fact;
    return rest as Fact;
  }
  return fact;
}
