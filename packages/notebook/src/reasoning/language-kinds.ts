// How facts of Python's own kinds behave.
import { type Ref, type Sequence, unknown } from './facts.js';
import type { KindRules, KindTable } from './kinds.js';

const never = () => false;

function* held({ items, element }: { readonly items?: readonly Ref[]; readonly element?: Ref }) {
  if (items) yield* items;
  if (element !== undefined) yield element;
}

const collection: KindRules<Sequence> = {
  reaches: held,
  claims: { complete: ['attributes', 'items'] },
  length: (fact) => fact.length,
};
const sequence: KindRules<Sequence> = {
  ...collection,
  length: (fact) => fact.items?.length ?? fact.length,
  hasPlainAttributes: true,
};
const leavesRefs = ['items', 'element', 'samples'] as const;

export const languageKinds: KindTable = {
  unknown: { lasting: 'all', summary: true, keepsAttributes: true, mayCallBack: true },
  none: { lasting: 'all', summary: true, isChangedBy: never, hasPlainAttributes: true },
  scalar: {
    lasting: 'all',
    mandatory: ['type'],
    summary: true,
    compared: ['value'],
    isChangedBy: never,
    hasPlainAttributes: true,
    length: ({ value, type }) =>
      typeof value === 'string' && type === 'str' ? [...value].length : undefined,
    shape: ({ type }) => (type === 'str' || type === 'bytes' ? undefined : []),
  },
  list: { ...sequence, summary: true },
  tuple: { ...sequence, lasting: 'all', summary: leavesRefs, isChangedBy: never },
  set: { ...collection, summary: true, hasPlainAttributes: true },
  frozenset: { ...collection, lasting: 'all', summary: leavesRefs },
  dict: {
    reaches: function* ({ entries }) {
      for (const entry of entries?.values() ?? []) yield entry.value;
    },
    partial: ['entries'],
    claims: { complete: ['attributes', 'entries'] },
    summary: true,
    hasPlainAttributes: true,
    length: ({ complete, entries, length }) => (complete ? entries?.size : length),
  },
  range: {
    lasting: 'all',
    summary: true,
    isChangedBy: never,
    length: ({ start, stop, step }) =>
      start === undefined || stop === undefined || !step
        ? undefined
        : Math.max(0, Math.ceil((stop - start) / step)),
  },
  slice: { lasting: 'all', joinsTo: unknown },
  function: {
    lasting: 'all',
    mandatory: ['node', 'scope', 'defaults', 'closure'],
    keepsAttributes: true,
  },
  class: { lasting: 'all', mandatory: ['name'], joinsTo: unknown, keepsAttributes: true },
  library: { lasting: 'all', mandatory: ['name'], summary: true, keepsAttributes: true },
  module: { lasting: 'all', mandatory: ['name'], summary: true, keepsAttributes: true },
  method: {
    lasting: 'all',
    mandatory: ['receiver', 'name'],
    reaches: ({ receiver }) => [receiver],
  },
  super: { lasting: 'all', joinsTo: unknown, reaches: ({ receiver }) => [receiver] },
  instance: {
    lasting: ['of'],
    isObject: true,
    keepsAttributes: true,
    mayCallBack: true,
    length: (fact) => fact.length,
  },
  iterator: {
    reaches: held,
    claims: { complete: ['attributes', 'items'] },
    length: (fact) => fact.length,
  },
};
