// Two paths meet: what both agree on stays known, everything else is dropped.
import type { Fact } from './facts.js';
import { unknown } from './facts.js';

/** The strongest fact that holds whichever of the two holds. */
export function joinFacts(a: Fact, b: Fact): Fact {
  if (a === b) return a;
  if (a.kind !== b.kind)
    return a.class !== undefined && a.class === b.class ? { kind: 'unknown', class: a.class } : unknown;
  if (required.has(a.kind) && !sameRequired(a, b)) return unknown;
  const joined: Record<string, unknown> = {};
  for (const [field, value] of Object.entries(a)) {
    const other = (b as unknown as Record<string, unknown>)[field];
    if (field === 'shape') joined[field] = joinShapes(value, other);
    else if (deepEqual(value, other)) joined[field] = value;
  }
  return joined as unknown as Fact;
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
    return a.node === b.node && a.scope === b.scope && deepEqual(a.defaults, b.defaults);
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
