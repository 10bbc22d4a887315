// Builtin functions of numbers and of collections of numbers: exact where all of them are known.
import type { Operand } from '../../reasoning/events.js';
import type { Fact, Ref, Scalar } from '../../reasoning/facts.js';
import type { Interpreter } from '../../reasoning/interpreter/interpreter.js';
import { elementsOf } from '../../reasoning/interpreter/iteration.js';
import type { CallTransfer } from '../../reasoning/library.js';

type PlainNumber = Scalar & { readonly type: 'int' | 'float' | 'bool' };

function isNumber(fact: Fact): fact is PlainNumber {
  return (
    fact.kind === 'scalar' &&
    (fact.type === 'int' || fact.type === 'float' || fact.type === 'bool') &&
    (fact.class ?? '').startsWith('builtins.')
  );
}

function put(interpreter: Interpreter, type: 'int' | 'float', value?: number): Ref {
  const isExact = value !== undefined && (type === 'float' || Number.isSafeInteger(value));
  return interpreter.put({ kind: 'scalar', type, class: `builtins.${type}`, ...(isExact && { value }) });
}

function numericValue({ value }: PlainNumber): number | undefined {
  return value === undefined || typeof value === 'bigint' ? undefined : Number(value);
}

function takesCallback(operands: readonly Operand[]): boolean {
  return operands.some(({ fact }) => fact.kind === 'function' || fact.kind === 'method');
}

const sum: CallTransfer = (site, interpreter) => {
  const [iterable, start] = site.args.positional;
  if (!iterable || start || site.args.keywords.size > 0 || !site.args.complete) return interpreter.unknown();
  const { items, element } = elementsOf(interpreter, iterable);
  const facts = items?.map((ref) => interpreter.look(ref));
  if (facts?.every(isNumber)) {
    const type = facts.some((fact) => fact.type === 'float') ? 'float' : 'int';
    const values = facts.map(numericValue);
    const isKnown = values.every((value) => value !== undefined);
    return put(interpreter, type, isKnown ? values.reduce((total, value) => total! + value!, 0) : undefined);
  }
  const each = element === undefined ? undefined : interpreter.look(element);
  return each && isNumber(each) && each.type !== 'float' ? put(interpreter, 'int') : interpreter.unknown();
};

/** The least or greatest of known numbers; also of texts, by code points. */
const extreme =
  (isLess: boolean): CallTransfer =>
  (site, interpreter) => {
    const operands = [...site.args.positional, ...site.args.keywords.values()];
    if (takesCallback(operands)) return undefined;
    const [first] = site.args.positional;
    if (!first || site.args.keywords.size > 0 || !site.args.complete) return interpreter.unknown();
    const refs =
      site.args.positional.length > 1
        ? site.args.positional.map((operand) => operand.ref)
        : elementsOf(interpreter, first).items;
    const facts = refs?.map((ref) => ({ ref, fact: interpreter.look(ref) }));
    if (!facts || facts.length === 0) return interpreter.unknown();
    const values = facts.map(({ fact }) => (isNumber(fact) ? numericValue(fact) : undefined));
    if (!values.every((value): value is number => value !== undefined && !Number.isNaN(value)))
      return interpreter.unknown();
    const best = isLess ? Math.min(...values) : Math.max(...values);
    return facts[values.indexOf(best)]!.ref;
  };

const absolute: CallTransfer = (site, interpreter) => {
  const fact = site.args.positional[0]?.fact;
  if (!fact || !isNumber(fact)) return interpreter.unknown();
  const value = numericValue(fact);
  return put(
    interpreter,
    fact.type === 'float' ? 'float' : 'int',
    value === undefined ? undefined : Math.abs(value),
  );
};

/** Without digits a whole number; halves go to the even one, so they are left open. */
const round: CallTransfer = (site, interpreter) => {
  const [operand, digits] = site.args.positional;
  if (!operand || !isNumber(operand.fact) || site.args.keywords.size > 0 || !site.args.complete)
    return interpreter.unknown();
  if (digits && digits.fact.kind !== 'none')
    return put(interpreter, operand.fact.type === 'float' ? 'float' : 'int');
  const value = numericValue(operand.fact);
  const isHalf = value !== undefined && Math.abs(value % 1) === 0.5;
  return put(
    interpreter,
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
