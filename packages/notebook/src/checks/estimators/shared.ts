// What the checks on estimators share: which data a call refuses, what is known of the data it is given, and which value a
// parameter has.

import type { Literal } from '@grus/kernel/snapshot';
import { type Fault, refuses } from '../../libraries/sklearn/classes.js';
import type { Estimator } from '../../libraries/sklearn/kinds.js';
import { argument } from '../../reasoning/arguments.js';
import type { EventOf, Operand } from '../../reasoning/events.js';
import type { Fact, Ref } from '../../reasoning/facts.js';
import { lengthOf, shapeOf } from '../../reasoning/kinds.js';
import type { CheckContext } from '../define-check.js';

export type CallEvent = EventOf<'call'>;

/** A call of a method of an estimator. */
export interface MethodCall {
  readonly event: CallEvent;
  readonly estimator: Estimator;
  readonly receiver: Operand;
  readonly method: string;
  /** The class name without its package: "SVC". */
  readonly name: string;
  /** The first argument, X. */
  readonly X: Operand | undefined;
  readonly y: Operand | undefined;
}

export function methodCall(event: CallEvent): MethodCall | undefined {
  const { receiver, method } = event;
  if (!receiver || method === null || receiver.fact.kind !== 'estimator') return undefined;
  const name = receiver.fact.class?.split('.').at(-1);
  if (name === undefined) return undefined;
  return {
    event,
    estimator: receiver.fact,
    receiver,
    method,
    name,
    X: argument(event, 0, 'X'),
    y: argument(event, 1, 'y'),
  };
}

/** Whether the call refuses data with that fault. An estimator that is not fitted says that first. */
export function refusesData({ estimator, method }: MethodCall, fault: Fault): boolean {
  return (estimator.fitted !== false || method.includes('fit')) && refuses(estimator.class, method, fault);
}

export function isOwn(estimator: Estimator): boolean {
  return /^sklearn\./.test(estimator.class ?? '');
}

/** The value of a parameter: what was given, or undefined when that is not known. `fallback` is the default. */
export function parameterValue(
  context: CheckContext,
  estimator: Estimator,
  name: string,
  fallback?: Literal,
): Literal | undefined {
  const ref = estimator.parameters?.get(name);
  if (ref !== undefined) return context.literal(ref);
  return estimator.fresh ? fallback : undefined;
}

export interface Data {
  readonly rows: number | undefined;
  readonly columns: number | undefined;
  readonly ndim: number | undefined;
}

/** Rows, columns and number of dimensions of something array-like. */
export function dataOf(context: CheckContext, fact: Fact): Data {
  const shape = shapeOf(fact);
  if (fact.kind === 'scalar') return { rows: undefined, columns: undefined, ndim: undefined };
  if (shape) return { rows: shape[0] ?? undefined, columns: shape[1] ?? undefined, ndim: shape.length };
  if (fact.kind === 'list' || fact.kind === 'tuple')
    return { rows: lengthOf(fact), columns: undefined, ndim: flatness(context, fact.items) };
  return { rows: undefined, columns: undefined, ndim: undefined };
}

/** 1 for a list of plain numbers or strings; undefined when its elements are not known. */
function flatness(context: CheckContext, items: readonly Ref[] | undefined): number | undefined {
  if (!items || items.length === 0) return undefined;
  return items.every((item) => context.look(item).kind === 'scalar') ? 1 : undefined;
}

export function isAtLeast(version: readonly number[] | null, major: number, minor: number): boolean {
  if (!version) return false;
  const [a = 0, b = 0] = version;
  return a > major || (a === major && b >= minor);
}

/** A short description of the rows and columns for evidence. */
export function describeData(context: CheckContext, operand: Operand): string {
  const { rows, columns } = dataOf(context, operand.fact);
  const parts = [
    ...(rows === undefined ? [] : [`${rows} rows`]),
    ...(columns === undefined ? [] : [`${columns} columns`]),
  ];
  return `${context.text(operand.node)} has ${parts.join(' and ')}`;
}

/** The estimators whose own `fit` runs when this one is fitted: itself, or the steps of a pipeline. */
export function fittedParts(context: CheckContext, estimator: Estimator): readonly Estimator[] {
  if (estimator.class !== 'sklearn.pipeline.Pipeline') return [estimator];
  return (estimator.steps ?? []).flatMap((step) => {
    const inner = step.object === undefined ? undefined : context.look(step.object);
    return inner?.kind === 'estimator' ? [inner] : [];
  });
}
