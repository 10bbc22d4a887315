/**
 * # A division by zero
 *
 * ## What
 * `/`, `//` or `%` with a right side that is known to be 0, between plain Python numbers.
 *
 * ## Why it crashes
 * Python raises `ZeroDivisionError`. NumPy numbers and pandas only warn.
 *
 * ## Example
 * ```python state
 * count = 0
 * total = 12
 * ```
 * ```python cell
 * total / count
 * ```
 *
 * ## Fix
 * Check for zero before dividing.
 * ```python fixed
 * total / count if count else 0.0
 * ```
 *
 * ## When it stays silent
 * For NumPy scalars, arrays and series, and when the divisor is not known.
 */
import { defineCheck } from '../define-check.js';

export default defineCheck({
  id: 'values/division-by-zero',
  title: 'A division by zero',
  rung: 'contracts',
  libraries: [],
  on: {
    binary(event, context) {
      const { left, right } = event;
      if (!['Div', 'FloorDiv', 'Mod'].includes(event.operator)) return;
      if (left.fact.kind !== 'scalar' || right.fact.kind !== 'scalar') return;
      const isPlain = [left.fact, right.fact].every((fact) =>
        ['builtins.int', 'builtins.float', 'builtins.bool'].includes(fact.class ?? ''),
      );
      if (!isPlain || right.fact.value === undefined || Number(right.fact.value) !== 0) return;
      const isFloat = left.fact.type === 'float' || right.fact.type === 'float';
      const name = context.text(right.node);
      context.report({
        exception: 'ZeroDivisionError',
        message:
          event.operator === 'Div'
            ? isFloat
              ? 'float division by zero'
              : 'division by zero'
            : event.operator === 'Mod'
              ? 'integer modulo by zero'
              : 'integer division or modulo by zero',
        evidence: [{ fact: `${name} is 0`, source: context.source(right) }],
        explanation: `\`${context.text(event.node)}\` raises ZeroDivisionError: ${name} is 0.`,
        remedy: 'Check for zero before dividing.',
      });
    },
  },
});
