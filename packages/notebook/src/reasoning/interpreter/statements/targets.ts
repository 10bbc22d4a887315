// Assignment, augmented assignment and deletion, for every form of target.
import type { Expression, NodeOf } from '@grus/python';
import type { Operand } from '../../events.js';
import { type Fact, type Ref, unknown } from '../../facts.js';
import { rulesOf } from '../../kinds.js';
import { allTransfers, everyHook, firstHooked } from '../../registry.js';
import { loadAttribute } from '../expressions/attributes.js';
import { elementsOf } from '../expressions/iteration.js';
import { binary, deleteItem, loadItem, storeItem } from '../expressions/operators.js';
import type { Interpreter } from '../interpreter.js';
import { bindName, lookUp, unbindName } from '../scopes.js';
import { classMember, classOf } from '../user-code/classes.js';
import { specialMethodsMayRun } from '../user-code/hidden-code.js';

export function assign(interpreter: Interpreter, target: Expression, value: Operand): void {
  switch (target.nodeType) {
    case 'Name':
      bindName(interpreter, target.id, value.ref);
      return;
    case 'Attribute':
      storeAttribute(interpreter, target, interpreter.evaluateOperand(target.value), value);
      return;
    case 'Subscript': {
      const container = interpreter.evaluateOperand(target.value);
      const key = interpreter.evaluateOperand(target.slice);
      storeItem(interpreter, target, interpreter.operand(container.node, container.ref), key, value);
      return;
    }
    case 'Tuple':
    case 'List':
      unpack(interpreter, target, value);
      return;
    case 'Starred':
      assign(interpreter, target.value, value);
      return;
    default:
      return;
  }
}

function unpack(interpreter: Interpreter, target: NodeOf<'Tuple' | 'List'>, value: Operand): void {
  const star = target.elts.findIndex((element) => element.nodeType === 'Starred');
  const plain = star < 0 ? target.elts.length : target.elts.length - 1;
  interpreter.emit({ type: 'unpack', node: target, value, targets: plain, starred: star >= 0 });
  const elements = elementsOf(interpreter, value);
  const items =
    star >= 0
      ? undefined
      : elements.items?.length === plain
        ? elements.items
        : firstHooked((hooks) => hooks.askParts?.(value, plain, interpreter));
  target.elts.forEach((element, index) => {
    const ref: Ref =
      items?.[index] ??
      (element.nodeType === 'Starred' ? undefined : elements.element) ??
      interpreter.unknown();
    assign(interpreter, element, interpreter.operand(value.node, ref));
  });
}

function storeAttribute(
  interpreter: Interpreter,
  node: NodeOf<'Attribute'>,
  receiver: Operand,
  value: Operand,
): void {
  interpreter.emit({ type: 'storeAttribute', node, receiver, name: node.attr, value });
  const { fact } = receiver;
  everyHook((hooks) => hooks.beforeStoreAttribute?.(node, receiver, interpreter));
  for (const library of allTransfers())
    if (library.storeAttribute?.[fact.kind]?.(receiver, node.attr, value, interpreter)) return;
  // A method of a live class that is walked by itself has private names that lack their class.
  if (!rulesOf(fact).keepsAttributes || node.attr === '__dict__' || /^__(?!\w*__$)/.test(node.attr)) {
    interpreter.state.mayMutate(receiver.ref);
    return;
  }
  if (node.attr === '__class__') {
    interpreter.state.update(receiver.ref, unknown);
    return;
  }
  if (fact.kind === 'class' || fact.kind === 'library') classChanged(interpreter);
  if (fact.kind === 'class' && fact.namespace) {
    forgetInherited(interpreter, receiver.ref, node.attr);
    interpreter.state.update(receiver.ref, {
      ...fact,
      namespace: new Map([...fact.namespace, [node.attr, value.ref]]),
    });
    return;
  }
  const read = readsBack(interpreter, fact, node.attr) ? value.ref : interpreter.unknown();
  // A property with a setter may do anything to its own object, but not to the attribute's existence.
  specialMethodsMayRun(interpreter, receiver, new RegExp(`^(${node.attr}|__setattr__)$`));
  const now = interpreter.look(receiver.ref);
  const attributes = new Map([...(now.attributes ?? []), [node.attr, read] as const]);
  interpreter.state.update(receiver.ref, { ...now, attributes } as Fact);
}

/** What live objects of a class do is no longer what they did when the cell began. */
function classChanged(interpreter: Interpreter): void {
  everyHook((hooks) => hooks.afterClassChange?.(interpreter));
  interpreter.state.watch?.(null);
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

/** Whether the object is the one whose `__init__` is walked. */
export function isBeingMade(interpreter: Interpreter, ref: Ref): boolean {
  return interpreter.activations.some(
    ({ function: { node }, scope }) =>
      node.nodeType === 'FunctionDef' &&
      node.name === '__init__' &&
      [...interpreter.state.names(scope).values()][0] !== undefined &&
      interpreter.state.own(scope, node.args.args[0]?.arg ?? '')?.ref === ref,
  );
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

export function augment(interpreter: Interpreter, node: NodeOf<'AugAssign'>): void {
  const { target } = node;
  let current: Ref;
  let container: Operand | undefined;
  let key: Operand | undefined;
  if (target.nodeType === 'Name') {
    const { binding, scope } = lookUp(interpreter, target.id);
    interpreter.emit({ type: 'loadName', node: target, name: target.id, binding, scope });
    current = binding.ref ?? interpreter.unknown();
  } else if (target.nodeType === 'Attribute') {
    container = interpreter.evaluateOperand(target.value);
    current = loadAttribute(interpreter, target, container);
  } else if (target.nodeType === 'Subscript') {
    container = interpreter.evaluateOperand(target.value);
    key = interpreter.evaluateOperand(target.slice);
    current = loadItem(interpreter, target, container, key);
  } else return;
  const left = interpreter.operand(target, current);
  const right = interpreter.evaluateOperand(node.value);
  const result = binary(interpreter, node, node.op.nodeType, left, right, true);
  if (changesInPlace(left)) interpreter.state.mayMutate(left.ref);
  const value = interpreter.operand(node, result);
  if (target.nodeType === 'Name') bindName(interpreter, target.id, result);
  else if (target.nodeType === 'Attribute' && container)
    storeAttribute(interpreter, target, interpreter.operand(container.node, container.ref), value);
  else if (target.nodeType === 'Subscript' && container && key)
    storeItem(interpreter, target, interpreter.operand(container.node, container.ref), key, value);
}

/** Mutable objects implement `+=` by changing themselves; other names for them see it. */
function changesInPlace({ fact }: Operand): boolean {
  return fact.kind !== 'scalar' && fact.kind !== 'tuple' && fact.kind !== 'none';
}

export function remove(interpreter: Interpreter, target: Expression): void {
  switch (target.nodeType) {
    case 'Name': {
      const { binding, scope } = lookUp(interpreter, target.id);
      interpreter.emit({ type: 'deleteName', node: target, name: target.id, binding, scope });
      unbindName(interpreter, target.id);
      return;
    }
    case 'Subscript': {
      const container = interpreter.evaluateOperand(target.value);
      const key = interpreter.evaluateOperand(target.slice);
      deleteItem(interpreter, target, container, key);
      return;
    }
    case 'Attribute':
      interpreter.state.mayMutate(interpreter.evaluate(target.value));
      return;
    case 'Tuple':
    case 'List':
      for (const element of target.elts) remove(interpreter, element);
      return;
    default:
      return;
  }
}
