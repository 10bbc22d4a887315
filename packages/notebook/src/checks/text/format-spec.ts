/**
 * # A format that the value does not take
 *
 * ## What
 * `f"{value:.2f}"` or `f"{value:d}"` of a text, None, a list, a dict, an array or a float where a whole number is needed.
 *
 * ## Why it crashes
 * The value's `__format__` refuses the code: `ValueError: Unknown format code 'f' for object of type 'str'`, or
 * `TypeError: unsupported format string passed to NoneType.__format__`.
 *
 * ## Example
 * ```python state
 * score = None
 * ```
 * ```python cell
 * print(f"{score:.3f}")
 * ```
 *
 * ## Fix
 * Convert the value first (`float(value)`), or leave the format out.
 * ```python fixed
 * print(f"{score}")
 * ```
 *
 * ## When it stays silent
 * When the type of the value is not known, or the format is computed.
 */
import type { Fact } from '../../reasoning/facts.js';
import { defineCheck } from '../define-check.js';
import { typeName } from '../wording.js';

export default defineCheck({
  id: 'text/format-spec',
  title: 'A format that the value does not take',
  rung: 'contracts',
  libraries: [],
  on: {
    format(event, context) {
      if (!event.spec) return;
      const problem = refusal(event.value.fact, event.spec);
      if (!problem) return;
      const name = context.text(event.value.node);
      context.report({
        exception: problem.exception,
        message: problem.message,
        evidence: [
          { fact: `${name} is of type ${typeName(event.value.fact)}`, source: context.source(event.value) },
        ],
        explanation: `Formatting \`${name}\` with "${event.spec}" raises ${problem.exception}: a ${typeName(event.value.fact)} does not take this format.`,
        remedy:
          event.value.fact.kind === 'none'
            ? 'Find out why it is None, or leave the format out.'
            : 'Convert the value first, or leave the format out.',
      });
    },
  },
});

function refusal(fact: Fact, spec: string): { exception: string; message: string } | null {
  const code = /([a-zA-Z%])$/.exec(spec)?.[1];
  const name = typeName(fact);
  if (['none', 'list', 'tuple', 'dict', 'set', 'dataframe', 'series'].includes(fact.kind))
    return { exception: 'TypeError', message: `unsupported format string passed to ${name}.__format__` };
  if (fact.kind === 'ndarray' && fact.shape && fact.shape.length > 0)
    return {
      exception: 'TypeError',
      message: 'unsupported format string passed to numpy.ndarray.__format__',
    };
  if (fact.kind !== 'scalar' || !code || !fact.class?.startsWith('builtins.')) return null;
  if (fact.type === 'str' && /[bcdoxXneEfFgG%]/.test(code))
    return { exception: 'ValueError', message: `Unknown format code '${code}' for object of type 'str'` };
  if (fact.type === 'float' && /[bcdoxXs]/.test(code))
    return { exception: 'ValueError', message: `Unknown format code '${code}' for object of type 'float'` };
  if (fact.type === 'int' && code === 's')
    return { exception: 'ValueError', message: `Unknown format code 's' for object of type 'int'` };
  return null;
}
