// Scopes and symbols as CPython's `symtable` sees them, with every place where a name is bound, loaded or deleted.
import type { Node } from '../ast.js';

export type ScopeKind = 'module' | 'class' | 'function' | 'lambda' | 'comprehension' | 'type-parameters';

export type BindingKind =
  | 'assign'
  | 'augmented'
  | 'annotation'
  | 'for'
  | 'with'
  | 'import'
  | 'def'
  | 'class'
  | 'except'
  | 'walrus'
  | 'match'
  | 'parameter'
  | 'type-parameter'
  | 'type-alias';

export interface Binding {
  readonly name: string;
  readonly kind: BindingKind;
  readonly node: Node;
}

export interface NameUse {
  readonly name: string;
  readonly node: Node;
}

/** Where the value of a name lives, seen from one scope. */
export type Resolution = 'local' | 'free' | 'global';

export interface SymbolInfo {
  readonly name: string;
  readonly bindings: Binding[];
  readonly loads: NameUse[];
  readonly deletions: NameUse[];
  declared: 'global' | 'nonlocal' | null;
}

export class Scope {
  readonly symbols = new Map<string, SymbolInfo>();
  readonly children: Scope[] = [];
  /** Modules star-imported in this scope (only the module scope may do that). */
  readonly starImports: Node[] = [];

  constructor(
    readonly kind: ScopeKind,
    readonly name: string,
    readonly node: Node,
    readonly parent: Scope | null,
  ) {
    parent?.children.push(this);
  }

  symbol(name: string): SymbolInfo {
    let info = this.symbols.get(name);
    if (!info) {
      info = { name, bindings: [], loads: [], deletions: [], declared: null };
      this.symbols.set(name, info);
    }
    return info;
  }

  /** Bound here by any statement; a bare annotation and a `del` count too, as they do for Python. */
  binds(name: string): boolean {
    const info = this.symbols.get(name);
    return (
      info !== undefined && info.declared === null && (info.bindings.length > 0 || info.deletions.length > 0)
    );
  }

  get isFunctionLike(): boolean {
    return this.kind !== 'module' && this.kind !== 'class';
  }

  /** How Python resolves `name` when this scope's code mentions it. */
  resolve(name: string): Resolution {
    const info = this.symbols.get(name);
    if (this.kind === 'module' || info?.declared === 'global') return 'global';
    if (info?.declared !== 'nonlocal' && this.binds(name)) return 'local';
    for (let outer = this.parent; outer !== null && outer.kind !== 'module'; outer = outer.parent) {
      if (name === '__class__' && outer.kind === 'class' && this.isFunctionLike) return 'free';
      if (!outer.isFunctionLike) continue;
      if (outer.symbols.get(name)?.declared === 'global') return 'global';
      if (outer.binds(name)) return 'free';
    }
    return 'global';
  }

  /** The scope that holds the variable `name` means here; null when it is global. */
  owner(name: string): Scope | null {
    const resolution = this.resolve(name);
    if (resolution === 'local') return this;
    if (resolution === 'global') return null;
    for (let outer = this.parent; outer !== null; outer = outer.parent)
      if (outer.isFunctionLike && outer.binds(name)) return outer;
    return null;
  }

  /** This scope and all inside it. */
  *all(): Generator<Scope> {
    yield this;
    for (const child of this.children) yield* child.all();
  }
}

/** `__name` inside a class is stored as `_Class__name`. */
export function mangle(name: string, className: string | null): string {
  if (className === null || !name.startsWith('__') || name.endsWith('__') || name.includes('.')) return name;
  const stripped = className.replace(/^_+/, '');
  return stripped === '' ? name : `_${stripped}${name}`;
}
