// Operators, comparisons and subscripts: first the event for the checks, then the result from what a library knows.
import type { Literal } from '@grus/kernel/snapshot';
import type { Node, NodeOf } from '@grus/python';
import type { Operand } from '../../events.js';
import type { Fact, Ref } from '../../facts.js';
import { carryOut, carryOutStore } from '../../inquiry/carry-out.js';
import { planBinary, planItem, planStore, planUnary } from '../../inquiry/plan-operations.js';
import { questionsOf } from '../../inquiry/rules.js';
import { mayOverride } from '../../kinds.js';
import { includesLiteral, keyOf, literalOf, literalsOf, sameLiteral } from '../../literals.js';
import { putScalar } from '../../plain-objects.js';
import { allLibraries, allTransfers, everyHook, firstAnswer } from '../../registry.js';
import type { Interpreter } from '../interpreter.js';
import { truthOf } from './truth.js';

export function binary(
  interpreter: Interpreter,
  node: Node,
  operator: string,
  left: Operand,
  right: Operand,
  inPlace: boolean,
): Ref {
  interpreter.emit({ type: 'binary', node, operator, left, right, inPlace });
  return combine(interpreter, node, operator, left, right, inPlace);
}

/** The result of an operator or a comparison: what the real library gives where it is asked, else what the walk derives. */
function combine(
  interpreter: Interpreter,
  node: Node,
  operator: string,
  left: Operand,
  right: Operand,
  inPlace: boolean,
): Ref {
  const isChanged = inPlace && questionsOf(left.fact).isAugmentedInPlace;
  const planned = isChanged ? null : planBinary(interpreter, operator, left, right);
  if (planned)
    return carryOut(
      interpreter,
      node,
      planned,
      null,
      () => derivedBinary(interpreter, operator, left, right) ?? interpreter.unknown(),
    );
  let result = derivedBinary(interpreter, operator, left, right);
  for (const { hooks } of allLibraries())
    if (hooks?.aroundBinary)
      result = hooks.aroundBinary({ node, operator, inPlace }, [left, right], result, interpreter);
  return result ?? interpreter.unknown();
}

function derivedBinary(
  interpreter: Interpreter,
  operator: string,
  left: Operand,
  right: Operand,
): Ref | undefined {
  return firstAnswer((library) => library.binary?.(operator, left, right, interpreter));
}

export function unary(interpreter: Interpreter, node: Node, operator: string, operand: Operand): Ref {
  if (operator === 'Not') {
    interpreter.emit({ type: 'truth', node, operand });
    const truth = truthOf(interpreter, operand.fact);
    return interpreter.put({
      kind: 'scalar',
      type: 'bool',
      class: 'builtins.bool',
      ...(truth !== undefined && { value: !truth }),
    });
  }
  interpreter.emit({ type: 'unary', node, operator, operand });
  const derived = () =>
    firstAnswer((library) => library.unary?.(operator, operand, interpreter)) ?? interpreter.unknown();
  const planned = planUnary(interpreter, operator, operand);
  return planned ? carryOut(interpreter, node, planned, null, derived) : derived();
}

export function compare(
  interpreter: Interpreter,
  node: NodeOf<'Compare'>,
  operator: string,
  left: Operand,
  right: Operand,
): Ref {
  interpreter.emit({ type: 'compare', node, operator, left, right });
  const answer = compareKnown(interpreter, operator, left.fact, right.fact);
  if (answer !== undefined) return putScalar(interpreter, 'bool', answer);
  if (operator === 'Is' || operator === 'IsNot' || operator === 'In' || operator === 'NotIn')
    return putScalar(interpreter, 'bool');
  return combine(interpreter, node, operator, left, right, false);
}

function compareKnown(
  interpreter: Interpreter,
  operator: string,
  left: Fact,
  right: Fact,
): boolean | undefined {
  const isNone = identityWithNone(left, right);
  if (operator === 'Is') return isNone;
  if (operator === 'IsNot') return isNone === undefined ? undefined : !isNone;
  const a = literalOf(left, interpreter.look);
  if (operator === 'In' || operator === 'NotIn') {
    const found = a === undefined ? undefined : contains(interpreter, right, a);
    return found === undefined ? undefined : found === (operator === 'In');
  }
  const b = literalOf(right, interpreter.look);
  if (a === undefined || b === undefined) return undefined;
  if (isSpecial(a) || isSpecial(b)) return undefined;
  if (operator === 'Eq') return sameLiteral(a, b);
  if (operator === 'NotEq') return !sameLiteral(a, b);
  const comparable = (isNumber(a) && isNumber(b)) || (typeof a === 'string' && typeof b === 'string');
  if (!comparable) return undefined;
  const x = a as number;
  const y = b as number;
  switch (operator) {
    case 'Lt':
      return x < y;
    case 'LtE':
      return x <= y;
    case 'Gt':
      return x > y;
    case 'GtE':
      return x >= y;
    default:
      return undefined;
  }
}

function isNumber(literal: Literal): boolean {
  return typeof literal === 'number' || typeof literal === 'boolean';
}

function isSpecial(literal: Literal): boolean {
  return typeof literal === 'object' && literal !== null;
}

function identityWithNone(left: Fact, right: Fact): boolean | undefined {
  if (left.kind !== 'none' && right.kind !== 'none') return undefined;
  const other = left.kind === 'none' ? right : left;
  if (other.kind === 'none') return true;
  return other.kind === 'unknown' || other.kind === 'method' || other.kind === 'library' ? undefined : false;
}

/** Whether a known container holds the literal. */
function contains(interpreter: Interpreter, container: Fact, item: Literal): boolean | undefined {
  switch (container.kind) {
    case 'dict':
      if (container.entries?.has(keyOf(item))) return true;
      return container.complete ? false : undefined;
    case 'list':
    case 'tuple':
    case 'set':
    case 'frozenset': {
      const literals = container.items && literalsOf(container.items, interpreter.look);
      return literals ? includesLiteral(literals, item) : undefined;
    }
    case 'scalar':
      return container.type === 'str' && typeof container.value === 'string' && typeof item === 'string'
        ? container.value.includes(item)
        : undefined;
    default:
      return firstAnswer((library) => library.contains?.[container.kind]?.(container, item));
  }
}

export function loadItem(
  interpreter: Interpreter,
  node: NodeOf<'Subscript'>,
  container: Operand,
  key: Operand,
): Ref {
  interpreter.emit({ type: 'loadItem', node, container, key });
  const item = (): Ref | undefined =>
    firstAnswer((library) => library.loadItem?.[container.fact.kind]?.(container, key, interpreter));
  const planned = planItem(interpreter, container, key);
  if (planned) return carryOut(interpreter, node, planned, null, () => item() ?? interpreter.unknown());
  let result = item();
  for (const { hooks } of allLibraries())
    if (hooks?.aroundItem) result = hooks.aroundItem(node, [container, key], result, interpreter);
  return result ?? interpreter.unknown();
}

export function storeItem(
  interpreter: Interpreter,
  node: NodeOf<'Subscript'>,
  container: Operand,
  key: Operand,
  value: Operand,
): void {
  interpreter.emit({ type: 'storeItem', node, container, key, value });
  if (container.fact.class === 'os._Environ' || container.fact.kind === 'library')
    interpreter.state.effects.files = true;
  everyHook((hooks) => hooks.beforeStoreItem?.(node, [container, key, value], interpreter));
  const planned = planStore(interpreter, container, key, value);
  if (planned) carryOutStore(interpreter, node, planned, () => store(interpreter, container, key, value));
  else store(interpreter, container, key, value);
}

function store(interpreter: Interpreter, container: Operand, key: Operand, value: Operand): void {
  for (const library of mayOverride(container.fact) ? [] : allTransfers())
    if (library.storeItem?.[container.fact.kind]?.(container, key, value, interpreter)) return;
  interpreter.state.mayMutate(container.ref);
}

export function deleteItem(
  interpreter: Interpreter,
  node: NodeOf<'Subscript'>,
  container: Operand,
  key: Operand,
): void {
  interpreter.emit({ type: 'deleteItem', node, container, key });
  for (const library of mayOverride(container.fact) ? [] : allTransfers())
    if (library.deleteItem?.[container.fact.kind]?.(container, key, interpreter)) return;
  interpreter.state.mayMutate(container.ref);
}
