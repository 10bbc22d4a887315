// Which operations on real data are asked of the real library beside calls: subscripts, operators, attributes, and stores.
import type { NodeOf } from '@grus/python';
import { comparisons } from '../comparisons.js';
import type { Context } from '../context.js';
import type { Operand } from '../events.js';
import type { Fact, Ref } from '../facts.js';
import { firstQuestion } from '../registry.js';
import type { NewStep, StepId } from './inquiry.js';
import type { Planned } from './planned.js';
import { isJudgedAttribute, isMoment, mayRefuseAttribute, questionsOf } from './rules.js';

/** A store into an object, which is something else afterwards. */
export interface PlannedStore {
  readonly step: NewStep;
  readonly owner: Ref;
  /** The checks judge it by themselves. */
  readonly isWhole: boolean;
}

const notAsked = new Set<Fact['kind']>(['list', 'tuple', 'dict', 'class', 'library', 'module']);

/** `container[key]` */
export function planItem(context: Context, container: Operand, key: Operand): Planned | null {
  const { exact } = context;
  if (!exact || context.mutedInquiry > 0) return null;
  const own = firstQuestion((rules) => rules.planItem?.(container, key, context, exact));
  if (own !== undefined) return own;
  const { fact } = container;
  const { byForm, leadsOn, isJudgedItem } = questionsOf(fact);
  if (notAsked.has(fact.kind) || byForm) return null;
  if (!exact.isData(container.ref) && !leadsOn && fact.kind !== 'method') return null;
  const made = exact.stepOf(container.ref);
  const wanted = made === undefined ? undefined : exact.stepOf(key.ref);
  if (made === undefined || wanted === undefined) return null;
  const isJudged = key.fact.kind === 'slice' || isJudgedItem?.(fact, key, context);
  return { step: { op: 'item', args: [made, wanted] }, urgency: isJudged ? 'welcome' : 'needed' };
}

const arithmetic = new Set('Add Sub Mult Div FloorDiv Mod Pow MatMult BitAnd BitOr BitXor'.split(' '));

/** `left op right` where one of them is data. */
export function planBinary(
  context: Context,
  operator: string,
  left: Operand,
  right: Operand,
): Planned | null {
  const { exact } = context;
  if (!exact || context.mutedInquiry > 0) return null;
  if (!comparisons.has(operator) && !arithmetic.has(operator)) return null;
  if ([left, right].some(({ fact }) => questionsOf(fact).byForm)) return null;
  const isAsked = ({ ref, fact }: Operand): boolean =>
    exact.isData(ref) || (fact.kind === 'instance' && isMoment(fact.class ?? ''));
  if (!isAsked(left) && !isAsked(right)) return null;
  const a = exact.stepOf(left.ref);
  const b = a === undefined ? undefined : exact.stepOf(right.ref);
  if (a === undefined || b === undefined) return null;
  const multipliesNumber = operator === 'MatMult' && [left, right].some(({ fact }) => fact.kind === 'scalar');
  const areNumbers = isNumeric(left.fact) && isNumeric(right.fact) && !multipliesNumber;
  return {
    step: { op: 'binary', name: operator, args: [a, b] },
    urgency: areNumbers ? 'welcome' : 'needed',
  };
}

/** Numbers, and columns and arrays of numbers: what fails with them shows in their shapes. */
function isNumeric(fact: Fact): boolean {
  if (fact.kind === 'scalar') return fact.type !== 'str' && fact.type !== 'bytes';
  return questionsOf(fact).isNumeric?.(fact) ?? false;
}

export function planUnary(context: Context, operator: string, operand: Operand): Planned | null {
  const { exact } = context;
  if (!exact || context.mutedInquiry > 0 || !exact.isData(operand.ref)) return null;
  if (!['USub', 'UAdd', 'Invert'].includes(operator) || questionsOf(operand.fact).byForm) return null;
  const made = exact.stepOf(operand.ref);
  return made === undefined
    ? null
    : { step: { op: 'unary', name: operator, args: [made] }, urgency: 'welcome' };
}

/** `receiver.name`, not called. */
export function planAttribute(
  context: Context,
  node: NodeOf<'Attribute'>,
  receiver: Operand,
): Planned | null {
  const { exact } = context;
  if (!exact || context.mutedInquiry > 0 || isJudgedAttribute(node.attr)) return null;
  const { fact } = receiver;
  const { byForm, leadsOn } = questionsOf(fact);
  if (fact.kind === 'module' || fact.kind === 'library' || byForm) return null;
  if (!exact.isData(receiver.ref) && fact.kind !== 'method' && !leadsOn) return null;
  const made = exact.stepOf(receiver.ref);
  if (made === undefined) return null;
  return {
    step: { op: 'attribute', receiver: made, name: node.attr },
    urgency: fact.kind === 'method' || mayRefuseAttribute(fact, node.attr) ? 'needed' : 'welcome',
  };
}

/** `container[key] = value`, and what the object is afterwards. */
export function planStore(
  context: Context,
  container: Operand,
  key: Operand,
  value: Operand,
): PlannedStore | null {
  const { exact } = context;
  if (!exact || context.mutedInquiry > 0) return null;
  const target = questionsOf(container.fact).storesInto?.(container, key, context);
  if (!target) return null;
  const steps = [target.owner, key.ref, value.ref].map((ref) => exact.stepOf(ref));
  if (!steps.every((step) => step !== undefined)) return null;
  return {
    step: { op: 'stored', args: steps as StepId[], ...(target.name !== undefined && { name: target.name }) },
    owner: target.owner,
    isWhole: target.isWhole,
  };
}
