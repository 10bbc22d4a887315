// Which names are local to a function body, and how a name is looked up and bound through nested scopes.
import {
  childrenOf,
  type FunctionNode,
  isComprehension,
  isFunction,
  type Node,
  type NodeOf,
  parametersOf,
  walk,
} from '@grus/python';
import type { NameScope } from '../events.js';
import type { Ref } from '../facts.js';
import { globalScope, type NameState, type ScopeId } from '../state.js';
import type { Interpreter } from './interpreter.js';

interface ScopeNames {
  readonly locals: ReadonlySet<string>;
  readonly globals: ReadonlySet<string>;
  readonly nonlocals: ReadonlySet<string>;
  readonly generator: boolean;
}

const cache = new WeakMap<Node, ScopeNames>();

/** The names that the body of a function or lambda binds. */
export function scopeNames(node: FunctionNode | NodeOf<'Lambda'>): ScopeNames {
  const cached = cache.get(node);
  if (cached) return cached;
  const locals = new Set(parametersOf(node.args).map((parameter) => parameter.arg));
  const globals = new Set<string>();
  const nonlocals = new Set<string>();
  let generator = false;
  const visit = (inner: Node): void => {
    switch (inner.nodeType) {
      case 'Name':
        if (inner.ctx.nodeType !== 'Load') locals.add(inner.id);
        return;
      case 'Global':
        for (const name of inner.names) globals.add(name);
        return;
      case 'Nonlocal':
        for (const name of inner.names) nonlocals.add(name);
        return;
      case 'Yield':
      case 'YieldFrom':
        generator = true;
        break;
      case 'ExceptHandler':
        if (inner.name) locals.add(inner.name);
        break;
      case 'Alias':
        if (inner.name !== '*') locals.add((inner.asname ?? inner.name).split('.')[0]!);
        return;
      case 'MatchAs':
      case 'MatchStar':
        if (inner.name) locals.add(inner.name);
        break;
      case 'MatchMapping':
        if (inner.rest) locals.add(inner.rest);
        break;
    }
    if (isFunction(inner) || inner.nodeType === 'ClassDef') {
      locals.add(inner.name);
      for (const decorator of inner.decorator_list) visit(decorator);
      return;
    }
    if (inner.nodeType === 'Lambda') return;
    if (isComprehension(inner)) {
      visitComprehension(inner, visit);
      return;
    }
    for (const child of childrenOf(inner)) visit(child);
  };
  if (node.nodeType === 'Lambda') visit(node.body);
  else for (const statement of node.body) visit(statement);
  for (const name of [...globals, ...nonlocals]) locals.delete(name);
  const names = { locals, globals, nonlocals, generator };
  cache.set(node, names);
  return names;
}

/** Only a walrus inside a comprehension binds in the function. */
function visitComprehension(node: Node, visit: (inner: Node) => void): void {
  for (const child of childrenOf(node)) {
    if (child.nodeType === 'NamedExpr') visit(child.target);
    visitComprehension(child, visit);
  }
}

/** Scopes of running functions: the names that their code declares. */
const declared = new WeakMap<Interpreter, Map<ScopeId, ScopeNames>>();

export function declareScope(interpreter: Interpreter, scope: ScopeId, names: ScopeNames): void {
  const scopes = declared.get(interpreter) ?? new Map<ScopeId, ScopeNames>();
  scopes.set(scope, names);
  declared.set(interpreter, scopes);
}

function namesOf(interpreter: Interpreter, scope: ScopeId): ScopeNames | undefined {
  return declared.get(interpreter)?.get(scope);
}

/** The scope in which a name of code in that scope lives; undefined where it may be one that is over. */
function homeOf(interpreter: Interpreter, name: string, from: ScopeId): ScopeId | undefined {
  let scope: ScopeId | undefined = from;
  let skipLocals = false;
  while (scope !== undefined && scope !== globalScope) {
    const names = namesOf(interpreter, scope);
    if (names?.globals.has(name)) return globalScope;
    // A function that was made in it still sees what it held. Methods do not see what the body of their class held.
    if (interpreter.state.isLeft(scope) && (names || interpreter.comprehensions.has(scope))) return undefined;
    const local = names ? names.locals.has(name) : interpreter.state.names(scope).has(name);
    if (local && !skipLocals) return scope;
    if (names?.nonlocals.has(name)) skipLocals = false;
    if (interpreter.state.names(scope).has(name)) return scope;
    scope = interpreter.state.parentOf(scope);
  }
  return globalScope;
}

export function lookUp(
  interpreter: Interpreter,
  name: string,
  from: ScopeId = interpreter.scope,
): { binding: NameState; scope: NameScope } {
  const home = homeOf(interpreter, name, from);
  if (home === undefined) return { binding: { status: 'unknown' }, scope: 'enclosing' };
  const binding = interpreter.state.own(home, name);
  if (home === globalScope) return { binding: binding ?? { status: 'unknown' }, scope: 'global' };
  return {
    binding: binding ?? { status: 'unbound' },
    scope: home === interpreter.scope ? 'local' : 'enclosing',
  };
}

/** The scope that a binding or `del` of a name in the running code changes; undefined where it may be one that is over. */
function boundIn(interpreter: Interpreter, name: string): ScopeId | undefined {
  const names = namesOf(interpreter, interpreter.scope);
  if (names?.globals.has(name)) return globalScope;
  return names?.nonlocals.has(name) ? homeOf(interpreter, name, interpreter.scope) : interpreter.scope;
}

export function bindName(interpreter: Interpreter, name: string, ref: Ref): void {
  const scope = boundIn(interpreter, name);
  if (scope !== undefined) interpreter.state.bind(scope, name, { status: 'bound', ref });
}

export function unbindName(interpreter: Interpreter, name: string): void {
  const scope = boundIn(interpreter, name);
  if (scope !== undefined) interpreter.state.bind(scope, name, { status: 'unbound', deleted: true });
}

/** A function is made here: it may use the scopes around it when they are over. */
export function capture({ captured, state, scope }: Interpreter): void {
  for (let around: ScopeId | undefined = scope; around !== undefined; around = state.parentOf(around))
    captured.add(around);
}

/** Names of enclosing functions that the function, or one inside it, may bind anew. */
export function rebinds(node: Node): ReadonlySet<string> {
  const names = new Set<string>();
  for (const inner of walk(node))
    if (inner.nodeType === 'Nonlocal') for (const name of inner.names) names.add(name);
  return names;
}

/** Code out of sight may have bound the name of an enclosing function anew. */
export function mayRebind(interpreter: Interpreter, name: string, from: ScopeId): void {
  interpreter.state.rebound.add(name);
  const home = homeOf(interpreter, name, from);
  if (home !== undefined && home !== globalScope)
    interpreter.state.bind(home, name, { status: 'unknown', ref: interpreter.unknown() });
}
