// Assignment, augmented assignment and deletion, for every form of target.
import type { Expression, NodeOf } from '@grus/python';
import type { Operand } from '../../events.js';
import type { Ref } from '../../facts.js';
import { firstHooked } from '../../registry.js';
import { storeAttribute } from '../expressions/attribute-stores.js';
import { loadAttribute } from '../expressions/attributes.js';
import { elementsOf } from '../expressions/iteration.js';
import { binary, deleteItem, loadItem, storeItem } from '../expressions/operators.js';
import type { Interpreter } from '../interpreter.js';
import { bindName, lookUp, unbindName } from '../scopes.js';

export function assign(interpreter: Interpreter, target: Expression, value: Operand): void {
  switch (target.nodeType) {
    case 'Name':
      bindName(interpreter, target.id, value.ref);
      return;
    case 'Attribute':
      storeAttribute(interpreter, target, interpreter.evaluateOperand(target.value), target.attr, value);
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
    storeAttribute(
      interpreter,
      target,
      interpreter.operand(container.node, container.ref),
      target.attr,
      value,
    );
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
