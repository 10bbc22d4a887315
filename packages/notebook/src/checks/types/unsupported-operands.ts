/**
 * # Two operands that do not go together
 *
 * ## What
 * An operator joins types that do not support it: text and number, None and number, list and number, dict and dict.
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
 * For arrays, series and classes of the user's, which may define the operator.
 */
import type { EventOf } from '../../reasoning/events.js';
import type { Fact } from '../../reasoning/facts.js';
import { type CheckContext, defineCheck } from '../define-check.js';
import { signs, typeName } from '../wording.js';

export default defineCheck({
  id: 'types/unsupported-operands',
  title: 'Two operands that do not go together',
  rung: 'contracts',
  libraries: [],
  on: {
    binary(event, context) {
      const message = problem(event);
      if (message) report(event, context, message);
    },
    compare(event, context) {
      const sign = { Lt: '<', LtE: '<=', Gt: '>', GtE: '>=' }[event.operator];
      const left = sort(event.left.fact);
      const right = sort(event.right.fact);
      if (!sign || !left || !right || left === right) return;
      if (left === 'set' || right === 'set') return;
      report(
        event,
        context,
        `'${sign}' not supported between instances of '${typeName(event.left.fact)}' and '${typeName(event.right.fact)}'`,
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

function report(event: EventOf<'binary'> | EventOf<'compare'>, context: CheckContext, message: string): void {
  const [left, right] = [typeName(event.left.fact), typeName(event.right.fact)];
  const isText = left === 'str' || right === 'str';
  context.report({
    exception: 'TypeError',
    message,
    evidence: [
      { fact: `${context.text(event.left.node)} is of type ${left}`, source: context.source(event.left) },
      { fact: `${context.text(event.right.node)} is of type ${right}`, source: context.source(event.right) },
    ],
    explanation: `\`${context.text(event.node)}\` raises TypeError: ${left} and ${right} do not support the operator.`,
    remedy: isText
      ? 'Convert one of the two: `int(…)`, `float(…)` or `str(…)`.'
      : left === 'NoneType' || right === 'NoneType'
        ? 'Find out why one of them is None.'
        : 'Convert one of the two.',
  });
}
