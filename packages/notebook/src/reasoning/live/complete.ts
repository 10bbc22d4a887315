// Two descriptions of one object: the live one counts, the one derived from executed cells fills gaps, and is not
// believed at all where the two contradict each other.
import type { Fact } from '../facts.js';
import { deepEqual, rulesOf } from '../kinds.js';

export function completeFact(live: Fact, derived: Fact): Fact {
  if (live.kind === 'unknown' || live.kind === 'library')
    return live.class === undefined && derived.kind !== 'unknown' ? derived : live;
  if (live.kind !== derived.kind) return live;
  for (const field of ['class', 'length', ...(rulesOf(live).compared ?? [])])
    if (contradicts(field, valueAt(live, field), valueAt(derived, field))) return live;
  const completed: Record<string, unknown> = { ...derived };
  for (const [field, value] of Object.entries(live)) {
    if (value === undefined) continue;
    const other = completed[field];
    completed[field] = merged(value, other);
  }
  return completed as unknown as Fact;
}

/** Tables are united, the live entries last. */
function merged(live: unknown, derived: unknown): unknown {
  if (live instanceof Map && derived instanceof Map) return new Map([...derived, ...live]);
  return isPlainObject(live) && isPlainObject(derived) ? { ...derived, ...live } : live;
}

function valueAt(fact: Fact, field: string): unknown {
  return (fact as unknown as Record<string, unknown>)[field];
}

function contradicts(field: string, live: unknown, derived: unknown): boolean {
  if (live === undefined || derived === undefined) return false;
  if (field === 'shape') {
    const a = live as readonly (number | null)[];
    const b = derived as readonly (number | null)[];
    return (
      a.length !== b.length || a.some((dim, axis) => dim !== null && b[axis] !== null && dim !== b[axis])
    );
  }
  if (Array.isArray(live) && Array.isArray(derived)) return live.length !== derived.length;
  return !deepEqual(live, derived);
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Map);
}
