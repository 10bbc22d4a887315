// The abstract state at one point of the cell: which names are bound to which objects, and what is known of each object.
// It starts from live facts, is copied where paths part and joined where they meet.

import { type Fact, type FactKind, known, type Ref, unknown } from './facts.js';
import { deepEqual, joinFacts, refsIn, rulesOf, weaken, withoutValues } from './kinds.js';
import { LayeredMap } from './layers.js';

export type ScopeId = number;
export const globalScope: ScopeId = 0;

/** `unknown`: the snapshot does not say whether the name exists. */
export interface NameState {
  readonly status: 'bound' | 'unbound' | 'maybe' | 'unknown';
  readonly ref?: Ref;
  /** True when the cell itself deleted the name. */
  readonly deleted?: boolean;
}

/** What holds before the cell's first statement; read lazily, never changed. */
export interface Origin {
  binding(name: string): NameState;
  fact(ref: Ref): Fact | undefined;
  /** What the kernel said about an attribute of a live object, by dotted path. */
  member(path: string): OriginMember | undefined;
  /** Names that are bound to described objects. */
  names(): Iterable<string>;
}

export interface OriginMember {
  readonly status: 'present' | 'absent' | 'unknown';
  readonly ref?: Ref;
  readonly siblings?: readonly string[];
}

/** What the cell may have done to the world outside of Python objects. */
export interface Effects {
  names: boolean;
  files: boolean;
  directory: boolean;
  modules: boolean;
  /** What classes of libraries hold. */
  classes: boolean;
  /** What becomes of warnings, and of results that are not finite. */
  warnings: boolean;
}

const effectNames = ['names', 'files', 'directory', 'modules', 'classes', 'warnings'] as const;

function effectsAre(happened: boolean): Effects {
  return Object.fromEntries(effectNames.map((name) => [name, happened])) as unknown as Effects;
}

type LiveValues = 'all' | 'gone' | FactKind;

/** What still holds where either may be the case. */
function joinLive(a: LiveValues, b: LiveValues): LiveValues {
  if (a === b || b === 'all') return a;
  return a === 'all' ? b : 'gone';
}

let nextRef = 1;
/** A fresh object identity. */
export function newRef(): Ref {
  return nextRef++;
}

export class State {
  private scopes = new Map<ScopeId, Map<string, NameState>>([[globalScope, new Map()]]);
  private heap = new LayeredMap<Ref, Fact>();
  /** Objects that ever carried a memory token, on any path: a superset to look through when contents change. */
  private sharers = new Map<number, Set<Ref>>();
  /** Scope in which a scope's free names are looked up. */
  private parents = new Map<ScopeId, ScopeId>();
  private originVisible = true;
  /** Objects that may be the same as another because two paths met. */
  private aliases = new Map<Ref, readonly Ref[]>();
  /** Which live objects' value facts still hold: those of all, of one kind, or of none. */
  private liveValues: LiveValues = 'all';
  /** Names that functions of earlier cells captured and that code of this cell may have bound anew. */
  rebound = new Set<string>();
  /** The statement is reached whenever the cell runs without an earlier crash. */
  certain = true;
  /** False behind return, raise, break and continue. */
  alive = true;
  effects: Effects = effectsAre(false);

  constructor(private readonly origin: Origin) {}

  fork(): State {
    const copy = new State(this.origin);
    copy.scopes = new Map([...this.scopes].map(([id, names]) => [id, new Map(names)]));
    copy.heap = this.heap.fork();
    copy.sharers = this.sharers;
    copy.parents = new Map(this.parents);
    copy.originVisible = this.originVisible;
    copy.aliases = new Map(this.aliases);
    copy.liveValues = this.liveValues;
    copy.rebound = new Set(this.rebound);
    copy.certain = this.certain;
    copy.alive = this.alive;
    copy.effects = { ...this.effects };
    copy.watch = this.watch;
    return copy;
  }

  look(ref: Ref): Fact {
    return this.peek(ref) ?? unknown;
  }

  put(fact: Fact): Ref {
    const ref = newRef();
    if (fact !== unknown) this.write(ref, known(fact));
    return ref;
  }

  private write(ref: Ref, fact: Fact): void {
    this.heap.set(ref, fact);
    if (fact.memory === undefined) return;
    const sharers = this.sharers.get(fact.memory);
    if (sharers) sharers.add(ref);
    else this.sharers.set(fact.memory, new Set([ref]));
  }

  /** Told of every object that may have been changed; null: any of them. */
  watch: ((ref: Ref | null) => void) | undefined;

  /** The object itself changed in a known way; what another name may hold in its place is weakened. */
  update(ref: Ref, fact: Fact): void {
    this.watch?.(ref);
    this.write(ref, known(fact));
    for (const other of this.aliases.get(ref) ?? []) this.heap.set(other, weaken(this.look(other)));
  }

  enterScope(id: ScopeId, parent: ScopeId): void {
    this.scopes.set(id, new Map());
    this.parents.set(id, parent);
  }

  leaveScope(id: ScopeId): void {
    this.scopes.delete(id);
  }

  /** Whether the scope is over, and what it held is gone. */
  isLeft(id: ScopeId): boolean {
    return !this.scopes.has(id);
  }

  parentOf(id: ScopeId): ScopeId | undefined {
    return this.parents.get(id);
  }

  /** The binding in this scope alone. */
  own(scope: ScopeId, name: string): NameState | undefined {
    const binding = this.scopes.get(scope)?.get(name);
    if (binding || scope !== globalScope) return binding;
    return this.originVisible && !this.effects.names ? this.origin.binding(name) : { status: 'unknown' };
  }

  bind(scope: ScopeId, name: string, binding: NameState): void {
    this.scopes.get(scope)?.set(name, binding);
  }

  names(scope: ScopeId): ReadonlyMap<string, NameState> {
    return this.scopes.get(scope) ?? new Map();
  }

  /** Something unknown may have changed the object and all it reaches; only what mutation cannot change stays. */
  mayMutate(ref: Ref, seen = new Set<Ref>()): void {
    if (seen.has(ref)) return;
    seen.add(ref);
    this.watch?.(ref);
    const fact = this.look(ref);
    for (const inner of refsIn(fact)) this.mayMutate(inner, seen);
    const weaker = weaken(fact);
    if (weaker === fact) return;
    this.update(ref, weaker);
    if (fact.memory !== undefined) this.valuesChanged(ref);
  }

  /** The contents of the object changed: value facts of everything that may share its memory are gone. */
  valuesChanged(ref: Ref): void {
    this.watch?.(ref);
    const changed = this.look(ref);
    this.heap.set(ref, withoutValues(changed));
    if (changed.memory === undefined) return;
    for (const other of this.sharers.get(changed.memory) ?? []) {
      const fact = this.heap.get(other);
      const isApart = rulesOf(changed).isApart && fact?.kind === changed.kind;
      if (fact && fact.memory === changed.memory && !isApart) this.heap.set(other, withoutValues(fact));
    }
    if (changed.memory === liveMemory)
      this.liveValues = joinLive(this.liveValues, rulesOf(changed).isApart ? changed.kind : 'gone');
  }

  /** Any global name may have been bound, rebound or deleted. */
  openNames(): void {
    this.effects.names = true;
    const names = this.scopes.get(globalScope);
    for (const name of names?.keys() ?? []) names!.set(name, { status: 'unknown' });
  }

  /** The objects that global names lead to. */
  *globals(): Generator<Ref> {
    const names = new Set([...(this.scopes.get(globalScope)?.keys() ?? []), ...this.origin.names()]);
    for (const name of names) {
      const ref = this.own(globalScope, name)?.ref;
      if (ref !== undefined) yield ref;
    }
  }

  /** Code that is not in sight ran: it may have changed any object that a name of the notebook leads to. */
  objectsMayHaveChanged(): void {
    const seen = new Set<Ref>();
    for (const ref of this.globals()) this.mayMutate(ref, seen);
  }

  /** Anything may have happened to any object and any name. */
  forgetEverything(): void {
    this.watch?.(null);
    this.heap.clear();
    this.originVisible = false;
    this.effects = effectsAre(true);
    for (const names of this.scopes.values())
      for (const name of names.keys()) names.set(name, { status: 'unknown' });
  }

  /** What another path may have done to the world may have been done here too. */
  absorbEffects(other: State): void {
    if (!other.originVisible) this.forgetEverything();
    for (const field of effectNames) this.effects[field] ||= other.effects[field];
    this.liveValues = joinLive(this.liveValues, other.liveValues);
    for (const name of other.rebound) this.rebound.add(name);
  }

  /** Makes this the state after either path. Dead paths contribute nothing. */
  static join(a: State, b: State): State {
    if (!a.alive) return b;
    if (!b.alive) return a;
    const joined = a.fork();
    joined.certain = a.certain && b.certain;
    joined.originVisible = a.originVisible && b.originVisible;
    joined.liveValues = joinLive(a.liveValues, b.liveValues);
    for (const name of b.rebound) joined.rebound.add(name);
    for (const [ref, others] of b.aliases)
      joined.aliases.set(ref, [...new Set([...(joined.aliases.get(ref) ?? []), ...others])]);
    for (const field of effectNames) joined.effects[field] = a.effects[field] || b.effects[field];
    const { keys, shared } = LayeredMap.compare(a.heap, b.heap);
    joined.heap = shared;
    for (const ref of keys) {
      const left = a.peek(ref);
      const right = b.peek(ref);
      joined.write(ref, left && right ? joinFacts(left, right) : (left ?? right ?? unknown));
    }
    for (const [id, parent] of b.parents) joined.parents.set(id, parent);
    for (const id of new Set([...a.scopes.keys(), ...b.scopes.keys()])) joined.joinScope(id, a, b);
    return joined;
  }

  /** What is known of an object; undefined for one that this state never met. */
  peek(ref: Ref): Fact | undefined {
    const changed = this.heap.get(ref);
    if (changed) return changed;
    if (!this.originVisible) return unknown;
    const live = this.origin.fact(ref);
    if (!live || this.liveValues === 'all') return live;
    return this.liveValues === live.kind ? live : withoutValues(live);
  }

  /** Whether the object is still as it was when the cell began. */
  isUntouched(ref: Ref): boolean {
    return this.originVisible && this.heap.get(ref) === undefined;
  }

  private joinScope(id: ScopeId, a: State, b: State): void {
    const names = new Map<string, NameState>();
    this.scopes.set(id, names);
    const inA = a.scopes.get(id);
    const inB = b.scopes.get(id);
    for (const name of new Set([...(inA?.keys() ?? []), ...(inB?.keys() ?? [])])) {
      const left = a.own(id, name) ?? unbound;
      const right = b.own(id, name) ?? unbound;
      names.set(name, this.joinNames(left, right, a, b));
    }
  }

  private joinNames(left: NameState, right: NameState, a: State, b: State): NameState {
    if (deepEqual(left, right)) return left;
    const status =
      left.status === right.status
        ? left.status
        : left.status === 'unknown' || right.status === 'unknown'
          ? 'unknown'
          : 'maybe';
    if (left.ref === undefined || right.ref === undefined) return { status, ref: left.ref ?? right.ref };
    if (left.ref === right.ref) return { status, ref: left.ref };
    const ref = this.put(joinFacts(a.look(left.ref), b.look(right.ref)));
    this.alias(ref, left.ref);
    this.alias(ref, right.ref);
    return { status, ref };
  }

  /** An object that is one of two; changing it, or one of the two, weakens the others. */
  either(a: Ref, b: Ref): Ref {
    if (a === b) return a;
    const ref = this.put(joinFacts(this.look(a), this.look(b)));
    this.alias(ref, a);
    this.alias(ref, b);
    return ref;
  }

  private alias(a: Ref, b: Ref): void {
    this.aliases.set(a, [...(this.aliases.get(a) ?? []), b]);
    this.aliases.set(b, [...(this.aliases.get(b) ?? []), a]);
  }

  /** Names and objects that differ from an earlier state of the same path. */
  changesSince(before: State): { names: [ScopeId, string][]; refs: Ref[] } {
    const names: [ScopeId, string][] = [];
    for (const [id, own] of this.scopes)
      if (before.scopes.has(id))
        for (const [name, binding] of own)
          if (!deepEqual(binding, before.own(id, name) ?? unbound)) names.push([id, name]);
    const refs: Ref[] = [];
    for (const ref of LayeredMap.compare(this.heap, before.heap).keys) {
      const fact = this.peek(ref);
      const earlier = before.peek(ref);
      if (fact && earlier && earlier !== fact && !deepEqual(earlier, fact)) refs.push(ref);
    }
    return { names, refs };
  }

  /** Drops what is known of the names and objects, for a loop body that may change them in any iteration. */
  widen(changes: { names: readonly [ScopeId, string][]; refs: readonly Ref[] }): void {
    for (const ref of changes.refs) this.update(ref, weaken(this.look(ref)));
    for (const [scope, name] of changes.names) {
      const { status } = this.own(scope, name) ?? unbound;
      this.bind(scope, name, { status: status === 'bound' ? 'bound' : 'unknown', ref: this.put(unknown) });
    }
  }

  /** What the kernel said about a path, unless anything may have happened since. */
  member(path: string): OriginMember | undefined {
    return this.originVisible ? this.origin.member(path) : undefined;
  }
}

const unbound: NameState = { status: 'unbound' };

/** Token shared by all live objects: which of them are views of each other is not known. */
export const liveMemory = 0;
