// Arithmetic and methods of Python's numbers and strings on known values.
import { comparisons } from '../../reasoning/comparisons.js';
import type { Fact, Ref, Scalar } from '../../reasoning/facts.js';
import type { CallTransfer, Transfers } from '../../reasoning/library.js';
import { putList, putScalar } from '../../reasoning/plain-objects.js';

type Plain = number | string | boolean;

function plain(fact: Fact): Plain | undefined {
  if (fact.kind !== 'scalar' || fact.value === undefined || typeof fact.value === 'bigint') return undefined;
  return fact.type === 'bytes' || fact.type === 'complex' ? undefined : fact.value;
}

const arithmetic = new Set(['Add', 'Sub', 'Mult', 'Div', 'FloorDiv', 'Mod', 'Pow']);

function isNumeric(fact: Scalar): boolean {
  return fact.type === 'int' || fact.type === 'float' || fact.type === 'bool';
}

function numericResult(operator: string, left: Scalar, right: Scalar): Scalar {
  const isFloat = operator === 'Div' || left.type === 'float' || right.type === 'float';
  const type = isFloat ? 'float' : 'int';
  const base: Scalar = { kind: 'scalar', type, class: `builtins.${type}` };
  const a = plain(left);
  const b = plain(right);
  if (a === undefined || b === undefined) return negativePower(operator, right) ? floating : base;
  if (operator === 'Pow' && type === 'int' && Number(b) < 0) return floating;
  const value = compute(operator, Number(a), Number(b));
  return value !== undefined && (isFloat || Number.isSafeInteger(value)) ? { ...base, value } : base;
}

const floating: Scalar = { kind: 'scalar', type: 'float', class: 'builtins.float' };

function negativePower(operator: string, exponent: Scalar): boolean {
  return operator === 'Pow' && exponent.value === undefined;
}

function compute(operator: string, a: number, b: number): number | undefined {
  switch (operator) {
    case 'Add':
      return a + b;
    case 'Sub':
      return a - b;
    case 'Mult':
      return a * b;
    case 'Div':
      return b === 0 ? undefined : a / b;
    case 'FloorDiv':
      return b === 0 ? undefined : Math.floor(a / b);
    case 'Mod':
      return b === 0 ? undefined : a - b * Math.floor(a / b);
    case 'Pow':
      return a ** b;
    default:
      return undefined;
  }
}

function text(value: string | undefined): Scalar {
  return { kind: 'scalar', type: 'str', class: 'builtins.str', ...(value !== undefined && { value }) };
}

const givesText =
  'capitalize center expandtabs format join ljust lower lstrip replace rjust rstrip strip swapcase title translate upper zfill removeprefix removesuffix casefold format_map'.split(
    ' ',
  );

const split: CallTransfer = (site, context) => {
  const value = plain(site.receiver!.fact);
  const separator = site.args.positional[0] && plain(site.args.positional[0].fact);
  const element = context.put(text(undefined));
  if (
    typeof value !== 'string' ||
    typeof separator !== 'string' ||
    site.args.positional.length !== 1 ||
    separator === ''
  )
    return context.put({ kind: 'list', class: 'builtins.list', element });
  const items = value.split(separator).map((part) => context.put(text(part)));
  return putList(context, items);
};

const isText = (fact: Fact): fact is Scalar => fact.kind === 'scalar' && fact.type === 'str';

const someText: CallTransfer = (site, context) =>
  isText(site.receiver!.fact) ? context.put(text(undefined)) : undefined;

export const scalars: Transfers = {
  binary(operator, left, right, context): Ref | undefined {
    const a = left.fact;
    const b = right.fact;
    if (a.kind !== 'scalar' || b.kind !== 'scalar') return undefined;
    if (isNumeric(a) && isNumeric(b) && arithmetic.has(operator))
      return context.put(numericResult(operator, a, b));
    if (isText(a) && isText(b) && operator === 'Add') {
      const x = plain(a);
      const y = plain(b);
      return context.put(text(typeof x === 'string' && typeof y === 'string' ? x + y : undefined));
    }
    if (isText(a) && (operator === 'Mod' || (operator === 'Mult' && isNumeric(b))))
      return context.put(text(undefined));
    if (comparisons.has(operator)) return putScalar(context, 'bool');
    return undefined;
  },
  unary(operator, operand, context) {
    const { fact } = operand;
    if (fact.kind !== 'scalar' || !isNumeric(fact)) return undefined;
    const value = plain(fact);
    const type = fact.type === 'bool' ? 'int' : fact.type;
    const sign = operator === 'USub' ? -1 : operator === 'UAdd' ? 1 : undefined;
    if (sign === undefined) return putScalar(context, 'int');
    return context.put({
      kind: 'scalar',
      type,
      class: `builtins.${type}`,
      ...(value !== undefined && { value: sign * Number(value) }),
    });
  },
  methods: {
    scalar: {
      ...Object.fromEntries(givesText.map((name) => [name, someText])),
      split,
    },
  },
};
