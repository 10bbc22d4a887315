// Builtin functions of numbers and of collections of numbers: exact where all of them are known.

import { callbacksIn } from '../../reasoning/arguments.js';
import type { Context } from '../../reasoning/context.js';
import type { Fact, Ref, Scalar } from '../../reasoning/facts.js';
import type { CallTransfer } from '../../reasoning/library.js';
import { putScalar } from '../../reasoning/plain-objects.js';

type PlainNumber = Scalar & { readonly type: 'int' | 'float' | 'bool' };

function isNumber(fact: Fact): fact is PlainNumber {
  return (
    fact.kind === 'scalar' &&
    (fact.type === 'int' || fact.type === 'float' || fact.type === 'bool') &&
    (fact.class ?? '').startsWith('builtins.')
  );
}

function put(context: Context, type: 'int' | 'float', value?: number): Ref {
  const isExact = value !== undefined && (type === 'float' || Number.isSafeInteger(value));
  return putScalar(context, type, isExact ? value : undefined);
}

function numericValue({ value }: PlainNumber): number | undefined {
  return value === undefined || typeof value === 'bigint' ? undefined : Number(value);
}

const sum: CallTransfer = (site, context) => {
  const [iterable, start] = site.args.positional;
  if (!iterable || start || site.args.keywords.size > 0 || !site.args.complete) return context.unknown();
  const { items, element } = context.elementsOf(iterable);
  const facts = items?.map((ref) => context.look(ref));
  if (facts?.every(isNumber)) {
    const type = facts.some((fact) => fact.type === 'float') ? 'float' : 'int';
    const values = facts.map(numericValue);
    const isKnown = values.every((value) => value !== undefined);
    return put(context, type, isKnown ? values.reduce((total, value) => total! + value!, 0) : undefined);
  }
  const each = element === undefined ? undefined : context.look(element);
  return each && isNumber(each) && each.type !== 'float' ? put(context, 'int') : context.unknown();
};

/** The least or greatest of known numbers; also of texts, by code points. */
const extreme =
  (isLess: boolean): CallTransfer =>
  (site, context) => {
    if (callbacksIn(site).length > 0) return undefined;
    const [first] = site.args.positional;
    if (!first || site.args.keywords.size > 0 || !site.args.complete) return context.unknown();
    const refs =
      site.args.positional.length > 1
        ? site.args.positional.map((operand) => operand.ref)
        : context.elementsOf(first).items;
    const facts = refs?.map((ref) => ({ ref, fact: context.look(ref) }));
    if (!facts || facts.length === 0) return context.unknown();
    const values = facts.map(({ fact }) => (isNumber(fact) ? numericValue(fact) : undefined));
    if (!values.every((value): value is number => value !== undefined && !Number.isNaN(value)))
      return context.unknown();
    const best = isLess ? Math.min(...values) : Math.max(...values);
    return facts[values.indexOf(best)]!.ref;
  };

const absolute: CallTransfer = (site, context) => {
  const fact = site.args.positional[0]?.fact;
  if (!fact || !isNumber(fact)) return context.unknown();
  const value = numericValue(fact);
  return put(
    context,
    fact.type === 'float' ? 'float' : 'int',
    value === undefined ? undefined : Math.abs(value),
  );
};

/** Without digits a whole number; halves go to the even one, so they are left open. */
const round: CallTransfer = (site, context) => {
  const [operand, digits] = site.args.positional;
  if (!operand || !isNumber(operand.fact) || site.args.keywords.size > 0 || !site.args.complete)
    return context.unknown();
  if (digits && digits.fact.kind !== 'none')
    return put(context, operand.fact.type === 'float' ? 'float' : 'int');
  const value = numericValue(operand.fact);
  const isHalf = value !== undefined && Math.abs(value % 1) === 0.5;
  return put(
    context,
    'int',
    value === undefined || isHalf || !Number.isFinite(value) ? undefined : Math.round(value),
  );
};

export const numbers: Record<string, CallTransfer> = {
  'builtins.sum': sum,
  'builtins.min': extreme(true),
  'builtins.max': extreme(false),
  'builtins.abs': absolute,
  'builtins.round': round,
};
