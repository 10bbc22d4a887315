/**
 * # Two operands that do not go together
 *
 * ## What
 * An operator joins types that do not support it: text and number, None and number, list and number, dict and dict; a column of
 * texts and a number; `&` or `|` with fractions; `counts += 0.5` on an array of whole numbers.
 *
 * ## Why it crashes
 * Python raises `TypeError: unsupported operand type(s)` or `can only concatenate str (not "int") to str`.
 *
 * ## Example
 * ```python state
 * total = "12"
 * ```
 * ```python cell
 * total + 1
 * ```
 *
 * ## Fix
 * Convert one of them: `int(text)`, `str(number)`, or use an f-string.
 * ```python fixed
 * int(total) + 1
 * ```
 *
 * ## When it stays silent
 * For arrays and series whose elements are not known, and user-defined classes, which may define the operator.
 */
import type { EventOf } from '../../reasoning/events.js';
import type { Fact } from '../../reasoning/facts.js';
import { isTextual } from '../conversions/numbers.js';
import { type CheckContext, defineCheck } from '../define-check.js';
import { signs, typeName } from '../wording.js';

export default defineCheck({
  id: 'types/unsupported-operands',
  title: 'Two operands that do not go together',
  rung: 'contracts',
  libraries: [],
  on: {
    binary(event, context) {
      const message = problem(event) ?? textWithNumber(event) ?? bitsOfFractions(event);
      const refused = message ?? unfitInPlace(event);
      if (refused) report(event, context, refused, message === null ? 'UFuncTypeError' : 'TypeError');
    },
    compare(event, context) {
      const sign = { Lt: '<', LtE: '<=', Gt: '>', GtE: '>=' }[event.operator];
      const left = holdsText(event.left.fact) ? 'text' : sort(event.left.fact);
      const right = holdsText(event.right.fact) ? 'text' : sort(event.right.fact);
      const isColumn = event.left.fact.kind === 'series' || event.right.fact.kind === 'series';
      if (isColumn && left !== 'number' && right !== 'number') return;
      if (!sign || !left || !right || left === right) return;
      if (left === 'set' || right === 'set') return;
      report(
        event,
        context,
        isColumn
          ? '…'
          : `'${sign}' not supported between instances of '${typeName(event.left.fact)}' and '${typeName(event.right.fact)}'`,
      );
    },
  },
});

type Sort = 'number' | 'text' | 'none' | 'list' | 'tuple' | 'dict' | 'set';

/** Python's own types, whose operators are all known. */
function sort(fact: Fact): Sort | undefined {
  if (fact.kind === 'none') return 'none';
  if (fact.class === undefined || !fact.class.startsWith('builtins.')) return undefined;
  if (fact.kind === 'scalar')
    return fact.type === 'str' ? 'text' : fact.type === 'bytes' ? undefined : 'number';
  return fact.kind === 'list' || fact.kind === 'tuple' || fact.kind === 'dict' || fact.kind === 'set'
    ? fact.kind
    : undefined;
}

function problem({ operator, left, right, inPlace }: EventOf<'binary'>): string | null {
  const a = sort(left.fact);
  const b = sort(right.fact);
  const sign = operator === 'Pow' ? '** or pow()' : signs[operator];
  if (!a || !b || !sign || (a === 'number' && b === 'number')) return null;
  const names = [typeName(left.fact), typeName(right.fact)] as const;
  const plain = `unsupported operand type(s) for ${inPlace ? `${sign.split(' ')[0]}=` : sign}: '${names[0]}' and '${names[1]}'`;
  if (operator === 'Add') {
    if (a === b) return a === 'dict' || a === 'set' || a === 'none' ? plain : null;
    if (a === 'text') return `can only concatenate str (not "${names[1]}") to str`;
    if (a === 'list' && inPlace)
      return b === 'number' || b === 'none' ? `'${names[1]}' object is not iterable` : null;
    if (a === 'list' || a === 'tuple') return `can only concatenate ${a} (not "${names[1]}") to ${a}`;
    return plain;
  }
  if (operator === 'Mult') {
    const repeats = (x: Sort, y: Fact) =>
      (x === 'text' || x === 'list' || x === 'tuple') &&
      y.kind === 'scalar' &&
      (y.type === 'int' || y.type === 'bool');
    if (repeats(a, right.fact) || repeats(b, left.fact)) return null;
    const isSequence = (x: Sort) => x === 'text' || x === 'list' || x === 'tuple';
    if (isSequence(a) || isSequence(b))
      return `can't multiply sequence by non-int of type '${isSequence(a) ? names[1] : names[0]}'`;
    return plain;
  }
  if (operator === 'Mod' && a === 'text') return null;
  if (['BitAnd', 'BitOr', 'BitXor', 'Sub'].includes(operator) && a === 'set' && b === 'set') return null;
  if (operator === 'BitOr' && a === 'dict' && b === 'dict') return null;
  return plain;
}

/** Text and a number of NumPy's, or a column of texts and a number. */
function textWithNumber({ operator, left, right }: EventOf<'binary'>): string | null {
  const number = right.fact;
  if (sort(left.fact) === 'text' && operator === 'Add' && number.kind === 'scalar' && isNumpyNumber(number))
    return `can only concatenate str (not "${number.class}") to str`;
  const [column, other] = left.fact.kind === 'series' ? [left.fact, right.fact] : [right.fact, left.fact];
  if (!holdsText(column) || other.kind !== 'scalar' || (other.type !== 'int' && other.type !== 'float'))
    return null;
  const isRefused =
    ['Add', 'Sub', 'Div', 'FloorDiv', 'Pow'].includes(operator) ||
    (operator === 'Mult' && other.type === 'float');
  return isRefused ? '…' : null;
}

function isNumpyNumber(fact: Fact): boolean {
  return /^numpy\.(u?int|float)\d+$/.test(fact.class ?? '');
}

/** A column in which a text was seen. Categories refuse the same operators. */
function holdsText(fact: Fact): boolean {
  if (fact.kind !== 'series' || !isTextual(fact.dtype)) return false;
  const { examples = [], notFloat, notInt } = fact.values ?? {};
  return [notFloat, notInt, ...examples].some((value) => typeof value === 'string');
}

/** `&`, `|` and `^` with an array or series of fractions. A series of flags takes them on its right. */
function bitsOfFractions({ operator, left, right }: EventOf<'binary'>): string | null {
  const [a, b] = [elementType(left.fact), elementType(right.fact)];
  const isBitwise = ['BitAnd', 'BitOr', 'BitXor'].includes(operator);
  if (!isBitwise || !a || !b || (left.fact.kind === 'scalar' && right.fact.kind === 'scalar')) return null;
  return a === 'float' || (a === 'int' && b === 'float')
    ? `unsupported operand type(s) for ${signs[operator]}: '${a}' and '${b}'`
    : null;
}

const ufuncs: Readonly<Record<string, string>> = {
  Add: 'add',
  Sub: 'subtract',
  Mult: 'multiply',
  Div: 'divide',
  FloorDiv: 'floor_divide',
  Pow: 'power',
};

/** `counts += 0.5`: the result has fractions, and an array of whole numbers cannot hold them. */
function unfitInPlace({ operator, left, right, inPlace }: EventOf<'binary'>): string | null {
  const b = elementType(right.fact);
  if (!inPlace || left.fact.kind !== 'ndarray' || right.fact.kind === 'series' || !b) return null;
  if (elementType(left.fact) !== 'int' || !Object.hasOwn(ufuncs, operator)) return null;
  if (b !== 'float' && operator !== 'Div') return null;
  return `Cannot cast ufunc '${ufuncs[operator]}' output from dtype('float64') to dtype('${left.fact.dtype}') with casting rule 'same_kind'`;
}

function elementType(fact: Fact): 'int' | 'float' | 'bool' | undefined {
  if (fact.kind === 'scalar') return fact.type === 'int' || fact.type === 'float' ? fact.type : undefined;
  if (fact.kind !== 'ndarray' && fact.kind !== 'series') return undefined;
  const [, type] = /^u?(int|float|bool)\d*$/.exec(fact.dtype ?? '') ?? [];
  return type as 'int' | 'float' | 'bool' | undefined;
}

function report(
  event: EventOf<'binary'> | EventOf<'compare'>,
  context: CheckContext,
  message: string,
  exception = 'TypeError',
): void {
  const [left, right] = [typeName(event.left.fact), typeName(event.right.fact)];
  const isText = left === 'str' || right === 'str';
  context.report({
    exception,
    message,
    evidence: [
      { fact: `${context.text(event.left.node)} is of type ${left}`, source: context.source(event.left) },
      { fact: `${context.text(event.right.node)} is of type ${right}`, source: context.source(event.right) },
    ],
    explanation: `\`${context.text(event.node)}\` raises ${exception}: ${left} and ${right} do not support the operator.`,
    remedy: isText
      ? 'Convert one of the two: `int(…)`, `float(…)` or `str(…)`.'
      : left === 'NoneType' || right === 'NoneType'
        ? 'Find out why one of them is None.'
        : 'Convert one of the two.',
  });
}
