// Code that a cell changes while it runs: what functions take, what classes and modules hold. What the kernel said of them
// before, and what a copy of it says, no longer holds.
import { type Expression, walk } from '@grus/python';
import { type Fact, type Ref, type UserFunction, unknown } from '../../facts.js';
import { topPackage } from '../../names.js';
import { everyHook, isKnownPackage, someManners } from '../../registry.js';
import type { Interpreter } from '../interpreter.js';
import { classMayChange } from './implicit.js';

/** Attributes of a function that decide what a call of it takes and does. */
export const isDecisive = (name: string): boolean => /^__(defaults|kwdefaults|code)__$/.test(name);

/** The function takes or does something else from now on. Of one that is not known, so may any. */
export function codeChanged(interpreter: Interpreter, ref: Ref): void {
  const fact = interpreter.look(ref);
  if (fact.kind === 'method' && fact.function !== undefined) codeChanged(interpreter, fact.function);
  else if (fact.kind === 'function')
    interpreter.state.update(ref, { kind: 'unknown', class: 'builtins.function', callable: true });
  else interpreter.state.forgetEverything();
}

/** What live objects of a class do is no longer what they did when the cell began. */
export function classChanged(interpreter: Interpreter): void {
  everyHook((hooks) => hooks.afterClassChange?.(interpreter));
  interpreter.state.watch?.(null);
}

/** So are those of classes of libraries: by code of the cell's, or by code that is not in sight. */
export function librariesChanged(interpreter: Interpreter): void {
  interpreter.state.effects.classes = true;
  classChanged(interpreter);
}

/** Any attribute of a class, a module or a function may have been set. */
export function attributesMayBeSet(interpreter: Interpreter, ref: Ref): void {
  const fact = interpreter.look(ref);
  if (fact.kind === 'function') codeChanged(interpreter, ref);
  else if (fact.kind === 'module') interpreter.state.effects.modules = true;
  else if (fact.kind === 'class' && fact.namespace) {
    classMayChange(interpreter, ref);
    const { namespace = new Map() } = interpreter.look(ref) as Extract<Fact, { kind: 'class' }>;
    const unknown = [...namespace.keys()].map((name) => [name, interpreter.unknown()] as const);
    interpreter.state.update(ref, { ...fact, namespace: new Map(unknown), open: true });
    classChanged(interpreter);
  } else if (fact.kind === 'class' || fact.kind === 'library') librariesChanged(interpreter);
}

/** Functions that load modules again, or replace what they hold for a while. */
const loading = /^(importlib|imp|runpy|zipimport|pkgutil|unittest\.mock|IPython\.lib\.deepreload)\b/;

/** Names that say that a library takes something in: accessors, methods, types, ways to show things. */
const registering = /(^|[._])(un)?register(_|$)/;

/**
 * A decorator hands what it decorates to a library, which may make it a part of its classes. Functions of the user's are
 * walked, or what they may change is forgotten.
 */
export function decoratorsMayRegister(interpreter: Interpreter, decorators: readonly Expression[]): void {
  for (const decorator of decorators) {
    const fact = calledBy(interpreter, decorator);
    if (fact.kind === 'function' || (fact.kind === 'class' && fact.namespace)) continue;
    const name = fact.kind === 'library' || fact.kind === 'class' ? fact.name : '?';
    if (standard.has(topPackage(name)) || (isKnownPackage(name) && !registering.test(name))) continue;
    librariesChanged(interpreter);
    return;
  }
}

const standard = new Set('abc asyncio atexit contextlib numbers threading types unittest'.split(' '));

function calledBy(interpreter: Interpreter, decorator: Expression): Fact {
  const called = decorator.nodeType === 'Call' ? decorator.func : decorator;
  let fact: Fact = unknown;
  interpreter.silently(() => {
    fact = interpreter.look(interpreter.evaluate(called));
  });
  return fact;
}

/** Whether the body sets attributes of what the name leads to: of the module, or of classes in it. */
export function setsAttributesOf({ node: body }: UserFunction, name: string): boolean {
  for (const node of walk(body)) {
    if (node.nodeType === 'Attribute' && node.ctx.nodeType === 'Store' && rootName(node) === name)
      return true;
    if (node.nodeType !== 'Call' || node.func.nodeType !== 'Name' || node.func.id !== 'setattr') continue;
    if (node.args[0] && rootName(node.args[0]) === name) return true;
  }
  return false;
}

/** The name that a chain of attributes and subscripts begins with. */
export function rootName(node: { nodeType: string }): string | null {
  let current = node as { nodeType: string; value?: { nodeType: string }; id?: string };
  while (
    current.nodeType === 'Attribute' ||
    current.nodeType === 'Subscript' ||
    current.nodeType === 'Starred'
  )
    current = current.value as typeof current;
  return current.nodeType === 'Name' ? current.id! : null;
}

/** What a call of a library's function does to modules, classes and settings. */
export function librariesMayChange(interpreter: Interpreter, target: string): void {
  if (loading.test(target)) interpreter.state.effects.modules = true;
  if (registering.test(target)) librariesChanged(interpreter);
  if (!isKnownPackage(target) || someManners(({ decidesWarnings }) => decidesWarnings?.test(target)))
    interpreter.state.effects.warnings = true;
}
