// How facts of each kind behave: what stays known when two paths meet, when unknown code had the object in its hands, and
// when it is summed up with others. Python's own kinds are told in language-kinds.ts; each library registers its kinds.
import type { Fact, FactKind, FactKinds, Ref, Shape } from './facts.js';
import { unknown } from './facts.js';

export interface KindRules<F extends Fact = Fact> {
  /** What no code can change of an existing object beside its class: all of it, or these fields. Default: nothing. */
  readonly lasting?: 'all' | readonly (keyof F & string)[];
  /** Objects that code holding this one can get at, beside its attributes. */
  readonly reaches?: (fact: F) => Iterable<Ref>;
  /** The same object after its contents, but not its form, may have changed. Default: without `values`. */
  readonly withoutValues?: (fact: F) => F;
  /** Two objects of this kind never share their contents. */
  readonly isApart?: boolean;
  /** Fields without which nothing can be said: where they differ, the paths agree on nothing. */
  readonly mandatory?: readonly (keyof F & string)[];
  /** A missing field means something of its own: facts that differ join to this one. */
  readonly joinsTo?: Fact;
  /** Tables of which a part is worth having. */
  readonly partial?: readonly (keyof F & string)[];
  /** Fields that speak of others as a whole, and hold only while those are the same on both paths. */
  readonly claims?: { readonly [claim: string]: readonly (keyof F & string)[] };
  /** Flags that make less certain, and do so if they hold on one path. */
  readonly doubts?: readonly (keyof F & string)[];
  /** It can be summed up with others: as it is, or without fields that lead to other objects. */
  readonly summary?: true | readonly (keyof F & string)[];
  /** Fields in which a derived description must agree with a live one to be believed. */
  readonly compared?: readonly (keyof F & string)[];
  /** What `len` gives. */
  readonly length?: (fact: F) => number | undefined;
  /** The shape of the array that it is or converts to. */
  readonly shape?: (fact: F) => Shape | undefined;
  /** Objects of classes of the user's own are of this kind: their methods are looked up there. */
  readonly isObject?: boolean;
  /** Setting an attribute leaves all others as they were. */
  readonly keepsAttributes?: boolean;
  /** Looking up an attribute runs nobody's code. */
  readonly hasPlainAttributes?: boolean;
  /** Its methods may run functions of the user's that it was given before. */
  readonly mayCallBack?: boolean;
  /** Methods give new objects, except those for which this is true. Without it any method may change the object. */
  readonly isChangedBy?: (method: string) => boolean;
}

export type KindTable = { readonly [Kind in FactKind]?: KindRules<FactKinds[Kind]> };

const registered = new Map<FactKind, KindRules>();
const none: KindRules = {};

export function registerKinds(table: KindTable): void {
  for (const [kind, rules] of Object.entries(table)) registered.set(kind as FactKind, rules as KindRules);
}

export function rulesOf({ kind }: Pick<Fact, 'kind'>): KindRules {
  return registered.get(kind) ?? none;
}

type Fields = Record<string, unknown>;
const fieldsOf = (fact: Fact): Fields => fact as unknown as Fields;

/** The strongest fact that holds whichever of the two holds. */
export function joinFacts(a: Fact, b: Fact): Fact {
  if (a === b) return a;
  if (a.kind !== b.kind)
    return a.class !== undefined && a.class === b.class ? { kind: 'unknown', class: a.class } : unknown;
  const { mandatory = [], joinsTo, partial = [], claims = {}, doubts = [] } = rulesOf(a);
  const left = fieldsOf(a);
  const right = fieldsOf(b);
  const differ = (field: string) => !deepEqual(left[field], right[field]);
  if (mandatory.some(differ)) return unknown;
  if (joinsTo && !deepEqual(a, b)) return joinsTo;
  const joined: Fields = {};
  for (const [field, value] of Object.entries(left)) {
    const other = right[field];
    if (field === 'shape') joined[field] = joinShapes(value, other);
    else if (deepEqual(value, other)) joined[field] = value;
    else if (isPartial(partial, field) && value instanceof Map && other instanceof Map)
      joined[field] = common(value, other);
  }
  for (const [claim, contents] of Object.entries({ complete: ['attributes'], ...claims }))
    if (contents.some(differ)) delete joined[claim];
  for (const doubt of ['dynamic', ...doubts]) if (left[doubt] || right[doubt]) joined[doubt] = true;
  return joined as unknown as Fact;
}

function isPartial(partial: readonly string[], field: string): boolean {
  return field === 'attributes' || field === 'options' || partial.includes(field);
}

/** Entries that both have. */
function common(a: ReadonlyMap<unknown, unknown>, b: ReadonlyMap<unknown, unknown>): Map<unknown, unknown> {
  return new Map([...a].filter(([key, value]) => b.has(key) && deepEqual(value, b.get(key))));
}

function joinShapes(a: unknown, b: unknown): unknown {
  if (!Array.isArray(a) || !Array.isArray(b) || a.length !== b.length) return undefined;
  return a.map((dim, axis) => (dim === b[axis] ? dim : null));
}

/** What no ordinary code can change about an existing object: its class, and what its kind says. */
export function weaken(fact: Fact): Fact {
  const { lasting = [] } = rulesOf(fact);
  if (lasting === 'all' && !(fact.kind === 'unknown' && fact.recipe !== undefined)) return fact;
  return { kind: fact.kind, ...pickDefined(fact, [...identity, ...lasting]) } as unknown as Fact;
}

/** What belongs to the class of an object, and where it comes from. */
const identity = [
  'class',
  'bases',
  'source',
  'memory',
  'callable',
  'iterable',
  'subscriptable',
  'hashable',
] as const;

function pickDefined(fact: Fact, fields: readonly string[]): Fields {
  const all = fieldsOf(fact);
  return Object.fromEntries(
    fields.flatMap((field) => (all[field] === undefined ? [] : [[field, all[field]]])),
  );
}

/** The objects that code holding this one can get at. */
export function* refsIn(fact: Fact): Generator<Ref> {
  if (fact.attributes) yield* fact.attributes.values();
  yield* rulesOf(fact).reaches?.(fact) ?? [];
}

/** The same object after its contents, but not its form, may have changed. */
export function withoutValues(fact: Fact): Fact {
  const own = rulesOf(fact).withoutValues;
  if (own) return own(fact);
  if (!('values' in fact) || fact.values === undefined) return fact;
  const { values: _, ...rest } = fact;
  return rest as Fact;
}

/** A collection of a class of the user's: its methods may do something else than those of its base. */
export function mayOverride({ kind, class: name }: Fact): boolean {
  return (kind === 'list' || kind === 'dict' || kind === 'set') && name?.startsWith('__main__.') === true;
}

export function lengthOf(fact: Fact): number | undefined {
  return rulesOf(fact).length?.(fact);
}

/** The array shape of a value, where it has one: arrays, frames, plain numbers. */
export function shapeOf(fact: Fact): Shape | undefined {
  return rulesOf(fact).shape?.(fact);
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
    keys.every((key) => deepEqual((a as Fields)[key], (b as Fields)[key]))
  );
}
