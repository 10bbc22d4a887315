// Two paths meet: what both agree on stays known, everything else is dropped.
import type { Fact } from './facts.js';
import { unknown } from './facts.js';

/** The strongest fact that holds whichever of the two holds. */
export function joinFacts(a: Fact, b: Fact): Fact {
  if (a === b) return a;
  if (a.kind !== b.kind)
    return a.class !== undefined && a.class === b.class ? { kind: 'unknown', class: a.class } : unknown;
  if (required.has(a.kind) && !sameRequired(a, b)) return unknown;
  if (meaningful.has(a.kind) && !deepEqual(a, b)) return a.kind === 'groupby' ? { kind: 'groupby' } : unknown;
  const left = a as unknown as Record<string, unknown>;
  const right = b as unknown as Record<string, unknown>;
  const joined: Record<string, unknown> = {};
  for (const [field, value] of Object.entries(left)) {
    const other = right[field];
    if (field === 'shape') joined[field] = joinShapes(value, other);
    else if (deepEqual(value, other)) joined[field] = value;
    else if (partial.has(field) && value instanceof Map && other instanceof Map)
      joined[field] = common(value, other);
  }
  for (const [claim, contents] of claims)
    if (contents.some((field) => !deepEqual(left[field], right[field]))) delete joined[claim];
  for (const doubt of doubts) if (left[doubt] || right[doubt]) joined[doubt] = true;
  return joined as unknown as Fact;
}

/** Kinds in which a missing field means something of its own: no bound, no selection, a class without a known body. */
const meaningful = new Set<Fact['kind']>(['slice', 'groupby', 'class']);

/** Fields of which a part is worth having. */
const partial = new Set(['entries', 'attributes', 'parameters']);

/** What is said of the contents as a whole, and holds only while these are the same. */
const claims: readonly (readonly [string, readonly string[]])[] = [
  ['complete', ['entries', 'attributes', 'layers', 'items']],
  ['fresh', ['parameters']],
];

/** What makes less certain, and does so if it holds on one path. */
const doubts = ['dynamic', 'hooked', 'unordered'];

/** Entries that both have. */
function common(a: ReadonlyMap<unknown, unknown>, b: ReadonlyMap<unknown, unknown>): Map<unknown, unknown> {
  return new Map([...a].filter(([key, value]) => b.has(key) && deepEqual(value, b.get(key))));
}

/** Kinds whose mandatory fields cannot be dropped: when they differ, nothing is known. */
const required = new Set<Fact['kind']>([
  'scalar',
  'function',
  'class',
  'library',
  'module',
  'method',
  'indexer',
]);

function sameRequired(a: Fact, b: Fact): boolean {
  if (a.kind === 'scalar' && b.kind === 'scalar') return a.type === b.type;
  if (a.kind === 'function' && b.kind === 'function')
    return (
      a.node === b.node &&
      a.scope === b.scope &&
      deepEqual(a.defaults, b.defaults) &&
      deepEqual(a.closure, b.closure)
    );
  if (a.kind === 'method' && b.kind === 'method') return a.receiver === b.receiver && a.name === b.name;
  if (a.kind === 'indexer' && b.kind === 'indexer') return a.owner === b.owner && a.accessor === b.accessor;
  return (a as { name?: string }).name === (b as { name?: string }).name;
}

function joinShapes(a: unknown, b: unknown): unknown {
  if (!Array.isArray(a) || !Array.isArray(b) || a.length !== b.length) return undefined;
  return a.map((dim, axis) => (dim === b[axis] ? dim : null));
}

export function deepEqual(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if ('nodeType' in a || 'nodeType' in b) return false;
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((item, index) => deepEqual(item, b[index]));
  if (a instanceof Map && b instanceof Map) {
    if (a.size !== b.size) return false;
    for (const [key, value] of a) if (!b.has(key) || !deepEqual(value, b.get(key))) return false;
    return true;
  }
  if (Array.isArray(a) !== Array.isArray(b) || a instanceof Map !== b instanceof Map) return false;
  const keys = Object.keys(a);
  return (
    keys.length === Object.keys(b).length &&
    keys.every((key) => deepEqual((a as Record<string, unknown>)[key], (b as Record<string, unknown>)[key]))
  );
}
