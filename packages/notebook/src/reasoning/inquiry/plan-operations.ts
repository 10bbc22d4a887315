// Which operations on real data are asked of the real library beside calls: subscripts, operators, attributes, and stores
// into frames.

import type { NodeOf } from '@grus/python';
import { comparisons } from '../comparisons.js';
import type { Operand } from '../events.js';
import type { Fact } from '../facts.js';
import type { Interpreter } from '../interpreter/interpreter.js';
import type { Planned, PlannedStore } from './carry-out.js';
import type { ExactObjects } from './exact.js';
import type { StepId } from './inquiry.js';

/** `container[key]` */
export function planItem(interpreter: Interpreter, container: Operand, key: Operand): Planned | null {
  const { exact } = interpreter;
  if (!exact || interpreter.mutedInquiry > 0) return null;
  const { fact } = container;
  if (isEnvironment(fact)) return planEnvironment(interpreter, exact, key);
  if (fact.kind === 'ndarray' && fact.element !== undefined) return null;
  if (['list', 'tuple', 'dict', 'tensor', 'torch-module', 'loader', 'class', 'library'].includes(fact.kind))
    return null;
  if (
    !exact.isData(container.ref) &&
    fact.kind !== 'indexer' &&
    fact.kind !== 'method' &&
    fact.kind !== 'groupby'
  )
    return null;
  const made = exact.stepOf(container.ref);
  const wanted = made === undefined ? undefined : exact.stepOf(key.ref);
  if (made === undefined || wanted === undefined) return null;
  return {
    step: { op: 'item', args: [made, wanted] },
    urgency: isPlainItem(interpreter, fact, key) ? 'wish' : 'ask',
  };
}

function isEnvironment(fact: Fact): boolean {
  return (fact.kind === 'library' && fact.name === 'os.environ') || fact.class === 'os._Environ';
}

/** `os.environ[name]`, while nothing ran that might have set it. */
function planEnvironment(interpreter: Interpreter, exact: ExactObjects, key: Operand): Planned | null {
  const wanted = exact.stepOf(key.ref);
  if (wanted === undefined || interpreter.state.effects.files) return null;
  const made = exact.step({ op: 'name', name: 'os.environ' });
  return { step: { op: 'item', args: [made, wanted] }, urgency: 'ask' };
}

/** Subscripts that the checks judge by themselves. */
function isPlainItem(interpreter: Interpreter, fact: Fact, key: Operand): boolean {
  if (key.fact.kind === 'slice') return true;
  if (fact.kind === 'dataframe' && fact.columns) return true;
  if (fact.kind === 'series') return key.fact.kind === 'series' || interpreter.literal(key.ref) === undefined;
  return false;
}

const arithmetic = new Set('Add Sub Mult Div FloorDiv Mod Pow MatMult BitAnd BitOr BitXor'.split(' '));

/** `left op right` where one of them is data. */
export function planBinary(
  interpreter: Interpreter,
  operator: string,
  left: Operand,
  right: Operand,
): Planned | null {
  const { exact } = interpreter;
  if (!exact || interpreter.mutedInquiry > 0) return null;
  if (!comparisons.has(operator) && !arithmetic.has(operator)) return null;
  if (left.fact.kind === 'tensor' || right.fact.kind === 'tensor') return null;
  const isAsked = (operand: Operand): boolean => exact.isData(operand.ref) || isMoment(operand.fact);
  if (!isAsked(left) && !isAsked(right)) return null;
  const a = exact.stepOf(left.ref);
  const b = a === undefined ? undefined : exact.stepOf(right.ref);
  if (a === undefined || b === undefined) return null;
  const areNumbers = [left.fact, right.fact].every((fact) => isNumeric(fact));
  return { step: { op: 'binary', name: operator, args: [a, b] }, urgency: areNumbers ? 'wish' : 'ask' };
}

/** Dates and times, which go together with their like only. */
function isMoment(fact: Fact): boolean {
  return (
    fact.kind === 'instance' &&
    /^(datetime\.(datetime|date|time|timedelta)|pandas\.[\w.]*(Timestamp|Timedelta|Period))$/.test(
      fact.class ?? '',
    )
  );
}

/** Numbers, and columns and arrays of numbers: what fails with them shows in their shapes. */
function isNumeric(fact: Fact): boolean {
  if (fact.kind === 'scalar') return fact.type !== 'str' && fact.type !== 'bytes';
  if (fact.kind === 'series') return /^(u?int|float|bool)/.test(fact.dtype ?? '');
  if (fact.kind === 'ndarray')
    return /^(u?int|float|bool)/.test(fact.dtype ?? '') && fact.shape !== undefined;
  return false;
}

export function planUnary(interpreter: Interpreter, operator: string, operand: Operand): Planned | null {
  const { exact } = interpreter;
  if (!exact || interpreter.mutedInquiry > 0 || !exact.isData(operand.ref)) return null;
  if (!['USub', 'UAdd', 'Invert'].includes(operator) || operand.fact.kind === 'tensor') return null;
  const made = exact.stepOf(operand.ref);
  return made === undefined ? null : { step: { op: 'unary', name: operator, args: [made] }, urgency: 'wish' };
}

/** Accessors refuse data of the wrong sort when they are looked up. */
const accessors = new Set(['str', 'dt', 'cat', 'sparse']);

/** `receiver.name`, not called. */
export function planAttribute(
  interpreter: Interpreter,
  node: NodeOf<'Attribute'>,
  receiver: Operand,
): Planned | null {
  const { exact } = interpreter;
  if (!exact || interpreter.mutedInquiry > 0 || interpreter.calledNodes.has(node)) return null;
  const { kind } = receiver.fact;
  if (kind === 'module' || kind === 'library' || kind === 'tensor' || kind === 'torch-module') return null;
  if (!exact.isData(receiver.ref) && kind !== 'method' && kind !== 'groupby') return null;
  if (['loc', 'iloc', 'at', 'iat', 'shape', 'columns', 'empty', 'size', 'ndim'].includes(node.attr))
    return null;
  const made = exact.stepOf(receiver.ref);
  if (made === undefined) return null;
  const isAccessor = accessors.has(node.attr) && kind === 'series';
  return {
    step: { op: 'attribute', receiver: made, name: node.attr },
    urgency: isAccessor || kind === 'method' ? 'ask' : 'wish',
  };
}

/** A store into a frame or series, and what the frame is afterwards. */
export function planStore(
  interpreter: Interpreter,
  container: Operand,
  key: Operand,
  value: Operand,
): PlannedStore | null {
  const { exact } = interpreter;
  if (!exact || interpreter.mutedInquiry > 0) return null;
  const { fact } = container;
  const owner = fact.kind === 'indexer' ? fact.owner : container.ref;
  const held = interpreter.look(owner);
  if (held.kind !== 'dataframe' && held.kind !== 'series') return null;
  if (fact.kind === 'indexer' && held.kind === 'series') return null;
  const steps = [owner, key.ref, value.ref].map((ref) => exact.stepOf(ref));
  if (!steps.every((step) => step !== undefined)) return null;
  return {
    step: {
      op: 'stored',
      args: steps as StepId[],
      ...(fact.kind === 'indexer' && { name: fact.accessor }),
    },
    owner,
    isWhole: fact.kind === 'dataframe' && interpreter.literal(key.ref) !== undefined,
  };
}
