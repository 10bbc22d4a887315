// Setting an attribute, by assignment or by `setattr`: on objects, classes, modules and functions.
import type { NodeOf } from '@grus/python';
import type { Operand } from '../../events.js';
import { type Fact, type Ref, unknown } from '../../facts.js';
import { rulesOf } from '../../kinds.js';
import { allTransfers, everyHook } from '../../registry.js';
import type { Interpreter } from '../interpreter.js';
import { classMember, classOf } from '../user-code/classes.js';
import { specialMethodsMayRun } from '../user-code/hidden-code.js';
import { classChanged, codeChanged, isDecisive, librariesChanged } from '../user-code/patched.js';

/** `receiver.name = value`, however the cell says it. */
export function storeAttribute(
  interpreter: Interpreter,
  node: NodeOf<'Attribute' | 'Call'>,
  receiver: Operand,
  name: string,
  value: Operand,
): void {
  interpreter.emit({ type: 'storeAttribute', node, receiver, name, value });
  const { fact } = receiver;
  everyHook((hooks) => hooks.beforeStoreAttribute?.(receiver, name, interpreter));
  for (const library of allTransfers())
    if (library.storeAttribute?.[fact.kind]?.(receiver, name, value, interpreter)) return;
  if (isDecisive(name)) {
    codeChanged(interpreter, receiver.ref);
    return;
  }
  // A method of a live class that is walked by itself has private names that lack their class.
  if (!rulesOf(fact).keepsAttributes || name === '__dict__' || /^__(?!\w*__$)/.test(name)) {
    interpreter.state.mayMutate(receiver.ref);
    return;
  }
  if (name === '__class__') {
    interpreter.state.update(receiver.ref, unknown);
    return;
  }
  if (fact.kind === 'library' || (fact.kind === 'class' && !fact.namespace)) librariesChanged(interpreter);
  // The kernel may hold the same module by another name.
  if (fact.kind === 'module' && fact.path === undefined) interpreter.state.effects.modules = true;
  if (fact.kind === 'class' && fact.namespace) {
    classChanged(interpreter);
    forgetInherited(interpreter, receiver.ref, name);
    interpreter.state.update(receiver.ref, {
      ...fact,
      namespace: new Map([...fact.namespace, [name, value.ref]]),
    });
    return;
  }
  const read = readsBack(interpreter, fact, name) ? value.ref : interpreter.unknown();
  // A property with a setter may do anything to its own object, but not to the attribute's existence.
  specialMethodsMayRun(interpreter, receiver, new RegExp(`^(${name}|__setattr__)$`));
  const now = interpreter.look(receiver.ref);
  const attributes = new Map([...(now.attributes ?? []), [name, read] as const]);
  interpreter.state.update(receiver.ref, { ...now, attributes } as Fact);
}

/** Live classes list what they inherit among their own members: it may be what was replaced. */
function forgetInherited(interpreter: Interpreter, changed: Ref, name: string): void {
  for (const ref of interpreter.state.globals()) {
    const fact = interpreter.look(ref);
    if (ref === changed || fact.kind !== 'class' || !fact.namespace?.has(name)) continue;
    const namespace = new Map([...fact.namespace, [name, interpreter.unknown()] as const]);
    interpreter.state.update(ref, { ...fact, namespace });
  }
}

/** Whether the attribute will hold the very object: not where the class may convert it, as pandas does with `columns`. */
function readsBack(interpreter: Interpreter, fact: Fact, name: string): boolean {
  if (!rulesOf(fact).isObject) return fact.kind !== 'unknown';
  const own = classOf(fact);
  if (own === undefined) return false;
  for (const member of ['__setattr__', '__getattribute__'])
    if (classMember(interpreter, own, member).status === 'present') return false;
  const { status, ref } = classMember(interpreter, own, name);
  const held = ref === undefined ? undefined : interpreter.look(ref).kind;
  const isDescriptor = held === undefined || held === 'function' || held === 'instance' || held === 'unknown';
  return status !== 'present' || !isDescriptor;
}
