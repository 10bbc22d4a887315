// What a call may do to objects when nothing more precise is known of it. Unknown code may change everything it can
// reach; what the functions of a library leave alone, its model says.
import { bindsUnseen, walk as walkTree } from '@grus/python';
import type { Operand } from '../../events.js';
import type { Fact, Ref, UserFunction } from '../../facts.js';
import { functionPurity } from '../../inquiry/rules.js';
import { refsIn, rulesOf } from '../../kinds.js';
import type { CallSite } from '../../library.js';
import { topPackage } from '../../names.js';
import { everyHook, someManners } from '../../registry.js';
import { globalScope } from '../../state.js';
import type { Interpreter } from '../interpreter.js';
import { lookUp, mayRebind, rebinds, scopeNames } from '../scopes.js';
import { classMayChange, userCodeMayRun } from './implicit.js';
import {
  attributesMayBeSet,
  librariesChanged,
  librariesMayChange,
  rootName,
  setsAttributesOf,
} from './patched.js';

/** Functions after which nothing is known: they run code that is not in sight. */
const opaque = new Set(['builtins.exec', 'builtins.eval', 'builtins.execfile', 'runpy.run_path']);

/** Names of functions that may create or remove files, in whatever package. */
const fileWriters =
  /(^|\.)(save\w*|to_\w+|dump\w*|write\w*|open|mkdir|makedirs|exec|eval|memmap|__import__|unzip|extract\w*|download\w*)$/;

/** Names of functions that look at the file they are given. */
const fileReaders = /(^|\.)(read|load|imread|open|get|exists|is|list|from)\w*$/;

/** A text that names a file: it begins like a path, or ends like a file's name. */
const nameOfFile = /^(~|\.{0,2}[\\/])\S*$|^\S+\.[A-Za-z]\w{0,7}$/;

export function applyDefaultEffects(interpreter: Interpreter, site: CallSite, callee: Operand): void {
  const { state } = interpreter;
  const target = site.target ?? nameOfReceiver(site);
  if (site.target !== null && opaque.has(site.target)) {
    state.forgetEverything();
    return;
  }
  if (
    site.target === 'builtins.globals' ||
    site.target === 'builtins.locals' ||
    site.target === 'builtins.vars'
  )
    state.openNames();
  if (
    site.method === '__enter__' ||
    site.method === '__exit__' ||
    someManners(({ changesSettings }) => changesSettings?.(site, interpreter))
  )
    interpreter.mutedInquiry++;
  if (!writesNoFiles(target, site.method) || maySaveTo(interpreter, site)) state.effects.files = true;
  if (mayCallBack(site, callee)) userCodeMayRun(interpreter);
  if (isOutOfSight(site, callee)) state.objectsMayHaveChanged();
  const operands = [...site.args.positional, ...site.args.keywords.values()];
  if (site.target === null && target !== null) librariesMayChange(interpreter, target);
  if (target === null) state.effects.warnings = true;
  if (target === null && callee.fact.kind === 'unknown' && operands.some(({ fact }) => isCode(fact)))
    librariesChanged(interpreter);
  if (
    site.target === 'builtins.setattr' ||
    site.target === 'builtins.delattr' ||
    site.target === 'builtins.vars'
  )
    for (const operand of operands.slice(0, 1)) attributesMayBeSet(interpreter, operand.ref);
  for (const operand of operands) callbackMayRun(interpreter, operand.ref);
  for (const operand of operands)
    if (!keepsArgument(site, target, operand.fact)) {
      state.mayMutate(operand.ref);
      classMayChange(interpreter, operand.ref);
      if (operand.fact.kind === 'module') state.effects.modules = true;
    }
  if (someManners(({ holders }) => holders?.test(target ?? '')))
    for (const operand of operands) state.mayMutate(operand.ref);
  if (
    someManners(({ pickers }) => pickers?.test(target ?? '')) ||
    operands.some(({ fact }) => changesWhatItIsGiven(fact))
  )
    for (const { fact } of operands) for (const element of refsIn(fact)) state.mayMutate(element);
  if (site.receiver) everyHook((hooks) => hooks.afterUnknownMethod?.(site.receiver!, interpreter));
  if (site.receiver && !leavesReceiverAlone(interpreter, site)) state.mayMutate(site.receiver.ref);
  else if (target === null) state.mayMutate(callee.ref);
}

/** A function or class of the user's, which something else may be made of. */
function isCode({ kind }: Fact): boolean {
  return kind === 'function' || kind === 'class';
}

/** Whether the call leaves the argument as it is: unless that is known, it may change it. */
function keepsArgument(site: CallSite, target: string | null, fact: Fact): boolean {
  if (target === null) return false;
  if (someManners(({ writers }) => site.target !== null && writers?.includes(site.target))) return false;
  // A method that is called through its class works on its first argument: `object.__setattr__`, `list.append`.
  if (/^builtins\.\w+\.\w+$/.test(target)) return false;
  const home = topPackage(target);
  if (home !== 'builtins' && isOutParameter(fact)) return false;
  if (site.target !== null && functionPurity(site.target) !== 'no') return true;
  if (!someManners(({ keepingArguments }) => keepingArguments?.includes(home))) return false;
  // A library that leaves other people's data alone has functions that change its own objects.
  return !rulesOf(fact).isObject || !isOwn(fact, target) || isImmutable(fact);
}

/** Whether the object is of the function's own library. A module of a class that the notebook derives is too; a class whose
 *  objects are made with it only holds it. */
function isOwn(fact: Fact, target: string): boolean {
  if (fact.kind === 'instance') return topPackage(fact.class ?? '') === topPackage(target);
  return (
    !isClassName(target) &&
    [fact.class ?? '', ...(fact.bases ?? [])].some((name) => topPackage(name) === topPackage(target))
  );
}

const isClassName = (name: string): boolean => /(^|\.)[A-Z]\w*$/.test(name);

function isImmutable(fact: Fact): boolean {
  return someManners(({ immutable }) => immutable?.test(fact.class ?? ''));
}

/** A function of the user's that is handed to a library, which calls it with the other arguments or their elements. */
function changesWhatItIsGiven(fact: Fact): boolean {
  if (fact.kind === 'library') return /^(__main__|\?)\./.test(fact.name);
  if (fact.kind !== 'function') return false;
  return fact.node.args.args.some(({ arg }) => mayChangeIt(fact, arg) || calls(fact, arg));
}

/** Whether the body calls what it is given: a method changes its object. */
function calls({ node: body }: Extract<Fact, { kind: 'function' }>, name: string): boolean {
  for (const node of walkTree(body))
    if (node.nodeType === 'Call' && node.func.nodeType === 'Name' && node.func.id === name) return true;
  return false;
}

/** An empty container is handed to a library in order to be filled, now or by a callback later. */
function isOutParameter(fact: Fact): boolean {
  if (fact.kind === 'dict') return fact.entries?.size === 0;
  return (fact.kind === 'list' || fact.kind === 'set') && fact.items?.length === 0;
}

/** Objects that are neither data nor modules may hold functions of the user's, and backward passes run hooks. */
function mayCallBack(site: CallSite, callee: Operand): boolean {
  if (site.method === 'backward') return true;
  if (site.target !== null) return false;
  return rulesOf(site.receiver?.fact ?? callee.fact).mayCallBack === true;
}

/** Objects that run code, now or by and by, which only the one who made them knows. */
const carriers =
  /^(functools\.partial\w*|threading\.(Thread|Timer)|concurrent\.futures\.\w+(\.\w+)*|asyncio\.\w+(\.\w+)*)$/;

/** Callables that hold the object they work on, or some of their arguments. */
const boundElsewhere = /^(functools\.partial\w*|builtins\.(method|method-wrapper))$/;

/**
 * A call of code that is not in sight: a function of the user's without its source, a bound method under a name of its own,
 * a method that an object of the user's inherits from a library, which calls back what the object was given.
 */
function isOutOfSight(site: CallSite, callee: Operand): boolean {
  if (site.receiver) {
    const { kind, class: name = '' } = site.receiver.fact;
    return carriers.test(name) || (kind === 'instance' && name.startsWith('__main__.'));
  }
  const { fact } = callee;
  if (site.node.func.nodeType === 'Name' && boundElsewhere.test(fact.class ?? '')) return true;
  if (fact.kind === 'library' || fact.kind === 'class') return /^(__main__|\?)\./.test(fact.name);
  return fact.kind === 'unknown' || carriers.test(fact.class ?? '');
}

const lazyClasses = /^builtins\.(generator|map|filter)$/;

/** Drawing from a generator that an earlier cell made runs its code. */
export function drawingMayRunCode(interpreter: Interpreter, { fact }: Operand): void {
  if (lazyClasses.test(fact.class ?? '')) interpreter.state.objectsMayHaveChanged();
}

function leavesReceiverAlone(interpreter: Interpreter, site: CallSite): boolean {
  const { fact } = site.receiver!;
  if (fact.kind === 'module' || fact.kind === 'library') return true;
  if (isImmutable(fact)) return true;
  if (site.method === null || rulesOf(fact).isChangedBy?.(site.method) !== false) return false;
  const inPlace = site.args.keywords.get('inplace');
  return !inPlace || interpreter.literal(inPlace.ref) === false;
}

function nameOfReceiver(site: CallSite): string | null {
  const fact = site.receiver?.fact;
  if (!fact) return null;
  if (fact.class !== undefined) return `${fact.class}.${site.method}`;
  return null;
}

function writesNoFiles(target: string | null, method: string | null): boolean {
  if (target === null) return false;
  const last = method ?? target.split('.').at(-1)!;
  if (someManners(({ exports }) => exports?.includes(last))) return true;
  return (
    someManners(({ writingNoFiles }) => writingNoFiles?.includes(topPackage(target))) &&
    !fileWriters.test(last)
  );
}

/** Whoever is given the name of a file may write it, whatever its own name: `profile.export_chrome_trace("trace.json")`. */
function maySaveTo(interpreter: Interpreter, { target, method, args }: CallSite): boolean {
  if (fileReaders.test(method ?? target ?? '')) return false;
  return [...args.positional, ...args.keywords.values()].some(({ ref }) => {
    const value = interpreter.literal(ref);
    return typeof value === 'string' && nameOfFile.test(value);
  });
}

/** Mutable things a function of the user's may change when someone calls it back. */
export function callbackMayRun(interpreter: Interpreter, ref: Ref, seen = new Set<Ref>()): void {
  if (seen.has(ref)) return;
  seen.add(ref);
  const fact: Fact = interpreter.look(ref);
  if (fact.kind === 'method') {
    if (fact.function !== undefined) callbackMayRun(interpreter, fact.function, seen);
    else interpreter.state.mayMutate(fact.receiver);
    if (fact.function !== undefined) interpreter.state.mayMutate(fact.receiver);
    return;
  }
  const called = fact.kind === 'instance' && fact.of !== undefined ? interpreter.look(fact.of) : undefined;
  const body = called?.kind === 'class' ? called.namespace?.get('__call__') : undefined;
  if (body !== undefined) {
    callbackMayRun(interpreter, body, seen);
    interpreter.state.mayMutate(ref);
  }
  if (fact.kind !== 'function') return;
  const names = scopeNames(fact.node);
  for (const name of names.globals)
    interpreter.state.bind(globalScope, name, { status: 'unknown', ref: interpreter.unknown() });
  for (const node of walkTree(fact.node)) {
    if (node.nodeType !== 'Name' || names.locals.has(node.id)) continue;
    const free = fact.closure?.get(node.id) ?? lookUp(interpreter, node.id, fact.scope).binding.ref;
    if (free === undefined) continue;
    const inner = interpreter.look(free);
    if (inner.kind === 'function' || inner.kind === 'method') callbackMayRun(interpreter, free, seen);
    else if (inner.kind === 'class' && inner.namespace)
      for (const member of inner.namespace.values()) callbackMayRun(interpreter, member, seen);
    if (/^(module|library|class)$/.test(inner.kind) && setsAttributesOf(fact, node.id)) {
      librariesChanged(interpreter);
      attributesMayBeSet(interpreter, free);
    }
    if (mayChangeIt(fact, node.id)) {
      interpreter.state.mayMutate(free);
      classMayChange(interpreter, free);
    } else if (inner.kind === 'instance' && calls(fact, node.id)) interpreter.state.mayMutate(free);
  }
  for (const name of rebinds(fact.node)) mayRebind(interpreter, name, fact.scope);
}

/** A function of the user's has run since the kernel was read. */
export function hasRun(interpreter: Interpreter, ref: Ref): void {
  const fact = interpreter.look(ref);
  userCodeMayRun(interpreter);
  if (fact.kind === 'function' && !bindsNamesUnseen(fact)) callbackMayRun(interpreter, ref);
  else interpreter.state.forgetEverything();
}

/** Whether the body may bind names of the notebook without an assignment in sight. */
function bindsNamesUnseen({ node: body }: UserFunction): boolean {
  for (const node of walkTree(body)) {
    if (node.nodeType === 'Name' && (bindsUnseen.has(node.id) || node.id === 'get_ipython')) return true;
    if (node.nodeType === 'Attribute' && /^(__dict__|user_ns|push|run_cell)$/.test(node.attr)) return true;
  }
  return false;
}

/** Builtins that read what they are given. */
const onlyReading = new Set(
  'abs all any bool enumerate float format hash int isinstance len list max min print range repr round set sorted str sum tuple type zip'.split(
    ' ',
  ),
);

/** Whether the body does anything with the name beyond reading it: stores through it, calls its methods, passes it on. */
export function mayChangeIt(fact: Extract<Fact, { kind: 'function' }>, name: string): boolean {
  for (const node of walkTree(fact.node)) {
    if (node.nodeType === 'Call') {
      if (node.func.nodeType === 'Attribute' && rootName(node.func.value) === name) return true;
      if (node.func.nodeType === 'Name' && onlyReading.has(node.func.id)) continue;
      if (node.args.some((arg) => rootName(arg) === name)) return true;
      if (node.keywords.some((keyword) => rootName(keyword.value) === name)) return true;
    }
    if (
      (node.nodeType === 'Attribute' || node.nodeType === 'Subscript') &&
      node.ctx.nodeType !== 'Load' &&
      rootName(node) === name
    )
      return true;
  }
  return false;
}
