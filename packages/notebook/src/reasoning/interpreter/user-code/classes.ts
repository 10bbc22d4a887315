// Classes of the user's: their bodies, members through the bases, and making instances.
import { bindsUnseen, isFunction, type NodeOf, walk } from '@grus/python';
import type { CallArguments } from '../../events.js';
import type { Class, Fact, Instance, Ref } from '../../facts.js';
import { rulesOf } from '../../kinds.js';
import { firstHooked, someManners } from '../../registry.js';
import type { Interpreter } from '../interpreter.js';
import { capture } from '../scopes.js';
import { callbackMayRun } from './effects.js';
import { enterFunction } from './functions.js';
import { classMayChange, forgetCollections, userCodeMayRun } from './implicit.js';
import { decoratorsMayRegister } from './patched.js';

interface ClassMember {
  readonly status: 'present' | 'absent' | 'unknown';
  readonly ref?: Ref;
  readonly siblings?: readonly string[];
}

/**
 * Looks a name up through the class and its bases, or through those behind one of them; unknown when a base is not known
 * or invents attributes.
 */
export function classMember(
  interpreter: Interpreter,
  classRef: Ref,
  name: string,
  behind?: Ref,
): ClassMember {
  const siblings: string[] = [];
  const whole = lineage(interpreter, classRef);
  const order = behind === undefined ? whole : whole?.slice(whole.indexOf(behind) + 1);
  if (!order || (behind !== undefined && order.length === whole?.length)) return { status: 'unknown' };
  let known = true;
  for (const ref of order) {
    const fact = interpreter.look(ref);
    if (fact.kind === 'library' && fact.name === 'builtins.object') continue;
    if (fact.kind !== 'class' || !fact.namespace) {
      known = false;
      continue;
    }
    const own = fact.namespace.get(name);
    if (own !== undefined && known)
      return {
        status: 'present',
        ref: keepsValues(interpreter, classRef, own) ? own : interpreter.unknown(),
      };
    if (
      fact.namespace.has('__getattr__') ||
      fact.namespace.has('__getattribute__') ||
      fact.dynamic ||
      fact.open
    )
      known = false;
    siblings.push(...fact.namespace.keys());
  }
  return known ? { status: 'absent', siblings } : { status: 'unknown' };
}

/** The class and its bases in the order in which Python looks names up; undefined where there is no such order. */
export function lineage(interpreter: Interpreter, classRef: Ref, depth = 0): readonly Ref[] | undefined {
  const fact = interpreter.look(classRef);
  const parents = fact.kind === 'class' ? (fact.parents ?? []) : [];
  if (depth > 20) return undefined;
  const queues: Ref[][] = [];
  for (const parent of parents) {
    const order = lineage(interpreter, parent, depth + 1);
    if (!order) return undefined;
    queues.push([...order]);
  }
  queues.push([...parents]);
  const order = [classRef];
  for (let left = queues.filter(({ length }) => length > 0); left.length > 0; ) {
    const next = left
      .map(([head]) => head!)
      .find((head) => left.every((queue) => !isAmong(interpreter, head, queue.slice(1))));
    if (next === undefined) return undefined;
    order.push(next);
    for (const queue of left) if (isAmong(interpreter, next, queue.slice(0, 1))) queue.shift();
    left = left.filter(({ length }) => length > 0);
  }
  return order;
}

/** A class of a library is the same one wherever it is named. */
function isAmong(interpreter: Interpreter, ref: Ref, refs: readonly Ref[]): boolean {
  const fact = interpreter.look(ref);
  return refs.some((other) => {
    if (other === ref) return true;
    const same = interpreter.look(other);
    return fact.kind === 'library' && same.kind === 'library' && fact.name === same.name;
  });
}

/** Whether the class holds what its body assigned; some bases make something else of it, as enumerations do. */
function keepsValues(interpreter: Interpreter, classRef: Ref, value: Ref): boolean {
  const { kind } = interpreter.look(value);
  if (kind === 'function') return true;
  // It may be a descriptor.
  if (kind === 'instance') return false;
  const fact = interpreter.look(classRef);
  return (
    !(fact.kind === 'class' && fact.dynamic) &&
    libraryAncestors(interpreter, classRef).every((name) =>
      someManners(({ plainBases }) => plainBases?.test(name)),
    )
  );
}

export function defineClass(interpreter: Interpreter, node: NodeOf<'ClassDef'>): Ref {
  const parents = node.bases.map((base) => interpreter.evaluate(base));
  for (const keyword of node.keywords) interpreter.evaluate(keyword.value);
  const decorated = node.decorator_list.length > 0;
  const decorators = node.decorator_list.map((decorator) => interpreter.evaluate(decorator));
  const scope = interpreter.newScope();
  const outer = interpreter.scope;
  capture(interpreter);
  interpreter.state.enterScope(scope, outer);
  interpreter.scope = scope;
  const { certain } = interpreter.state;
  const made = node.keywords.length > 0 || parents.some((parent) => isMadeOtherwise(interpreter, parent));
  if (made) interpreter.state.certain = false;
  try {
    interpreter.execute(node.body);
  } finally {
    interpreter.scope = outer;
    interpreter.state.certain = certain;
  }
  const namespace = new Map<string, Ref>();
  for (const [name, binding] of interpreter.state.names(scope))
    if (binding.ref !== undefined) namespace.set(name, binding.ref);
  interpreter.state.leaveScope(scope);
  userCodeMayRun(interpreter);
  decoratorsMayRegister(interpreter, node.decorator_list);
  for (const decorator of decorators) callbackMayRun(interpreter, decorator);
  for (const parent of parents) forgetCollections(interpreter, parent);
  const fact: Class = {
    kind: 'class',
    class: 'builtins.type',
    name: `__main__.${node.name}`,
    namespace,
    parents,
    ...((decorated || made) && { dynamic: true }),
    ...(isOpen(interpreter, node, namespace, parents) && { open: true }),
  };
  return interpreter.put(fact);
}

/** Whether a metaclass of the user's may make the classes that inherit from it: it gives names to their bodies, or takes them. */
function isMadeOtherwise(interpreter: Interpreter, parent: Ref): boolean {
  const order = lineage(interpreter, parent);
  if (!order) return true;
  return order.some((ref) => {
    const fact = interpreter.look(ref);
    if (fact.kind !== 'library' && fact.kind !== 'class') return true;
    if (someManners(({ calledOtherwise }) => calledOtherwise?.test(fact.name))) return true;
    return (
      fact.kind === 'class' &&
      (fact.dynamic === true ||
        !/^(builtins\.type|abc\.\w+|typing\.\w+)$/.test(fact.class ?? 'builtins.type'))
    );
  });
}

/** Whether the class may have more than its body shows: from a base that is told of it, its namespace as a dict, or a value in it. */
function isOpen(
  interpreter: Interpreter,
  node: NodeOf<'ClassDef'>,
  namespace: ReadonlyMap<string, Ref>,
  parents: readonly Ref[],
): boolean {
  for (const parent of parents)
    if (classMember(interpreter, parent, '__init_subclass__').status === 'present') return true;
  for (const statement of node.body)
    if (!isFunction(statement))
      for (const inner of walk(statement))
        if (inner.nodeType === 'Name' && bindsUnseen.has(inner.id)) return true;
  return [...namespace.values()].some((value) => hearsItsName(interpreter, value));
}

/** The class of an object, where it is one of the user's. */
export function classOf(fact: Fact): Ref | undefined {
  return rulesOf(fact).isObject ? (fact as Instance).of : undefined;
}

/** Whether Python hands the finished class to the value in its body: `__set_name__`. */
function hearsItsName(interpreter: Interpreter, value: Ref): boolean {
  const fact = interpreter.look(value);
  if (fact.kind !== 'instance' || fact.of === undefined) return false;
  return classMember(interpreter, fact.of, '__set_name__').status !== 'absent';
}

/** Names of all library classes among the ancestors. */
function libraryAncestors(interpreter: Interpreter, classRef: Ref): string[] {
  const names: string[] = [];
  const pending: Ref[] = [classRef];
  const seen = new Set<Ref>();
  while (pending.length > 0) {
    const ref = pending.shift()!;
    if (seen.has(ref)) continue;
    seen.add(ref);
    const fact = interpreter.look(ref);
    if (fact.kind === 'class') {
      if (!fact.namespace) names.push(fact.name);
      names.push(...(fact.bases ?? []));
      pending.push(...(fact.parents ?? []));
    } else if (fact.kind === 'library') names.push(fact.name);
    else names.push('?');
  }
  return names;
}

/** Calls a class whose body is known: allocates the instance and walks `__init__`. */
export function instantiate(
  interpreter: Interpreter,
  node: NodeOf<'Call'>,
  classRef: Ref,
  fact: Class,
  args: CallArguments,
): Ref {
  const ancestors = libraryAncestors(interpreter, classRef);
  const plain = ancestors.every((name) => name === 'builtins.object');
  const instance = {
    kind: firstHooked((hooks) => hooks.instanceKind?.(ancestors)) ?? 'instance',
    class: fact.name,
    bases: ancestors,
    of: classRef,
    attributes: new Map(),
    ...(plain && !fact.dynamic && { complete: true }),
  } as Fact;
  const self = interpreter.put(instance);
  const init = classMember(interpreter, classRef, '__init__');
  const maker = classMember(interpreter, classRef, '__new__');
  if (fact.dynamic || maker.status === 'present') {
    classMayChange(interpreter, classRef);
    if (maker.ref !== undefined) callbackMayRun(interpreter, maker.ref);
    for (const operand of [...args.positional, ...args.keywords.values()])
      interpreter.state.mayMutate(operand.ref);
    return interpreter.unknown();
  }
  if (init.status === 'present' && init.ref !== undefined) {
    const operand = interpreter.operand(node, self);
    enterFunction(interpreter, node, init.ref, { ...args, positional: [operand, ...args.positional] });
  } else if (init.status === 'unknown')
    for (const operand of [...args.positional, ...args.keywords.values()])
      interpreter.state.mayMutate(operand.ref);
  return self;
}
