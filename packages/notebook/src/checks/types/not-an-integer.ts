/**
 * # A whole number is needed
 *
 * ## What
 * `range` is given a float, a string, `None`, a container or a column.
 *
 * ## Why it crashes
 * Python raises `TypeError: 'float' object cannot be interpreted as an integer`, also for a float without a fraction. A division
 * with `/` always gives a float.
 *
 * ## Example
 * ```python state
 * n = 10
 * ```
 * ```python cell
 * for i in range(n / 2):
 *     print(i)
 * ```
 *
 * ## Fix
 * Divide with `//`, or convert with `int(…)`.
 * ```python fixed
 * for i in range(n // 2):
 *     print(i)
 * ```
 *
 * ## When it stays silent
 * When the type of the argument is not known.
 */
import { defineCheck } from '../define-check.js';

const refused =
  /^(builtins\.(float|str|NoneType|list|tuple|dict|set)|numpy\.float(16|32|64)|pandas\.(DataFrame|Series))$/;
const kinds = new Set(['scalar', 'none', 'list', 'tuple', 'dict', 'set', 'dataframe', 'series']);

export default defineCheck({
  id: 'types/not-an-integer',
  title: 'A whole number is needed',
  rung: 'contracts',
  libraries: [],
  on: {
    call(event, context) {
      if (
        event.target !== 'builtins.range' ||
        event.args.positional.length > 3 ||
        event.args.keywords.size > 0
      )
        return;
      const odd = event.args.positional.find(
        ({ fact }) => kinds.has(fact.kind) && refused.test(fact.class ?? ''),
      );
      if (!odd) return;
      const type = odd.fact.class!.replace(/^(builtins|pandas)\./, '');
      const what = type === 'NoneType' ? 'None' : `a ${type}`;
      const name = context.text(odd.node);
      context.report({
        exception: 'TypeError',
        message: `'${type}' object cannot be interpreted as an integer`,
        evidence: [{ fact: `${name} is ${what}`, source: context.source(odd) }],
        explanation: `\`${context.text(event.node)}\` raises TypeError: ${name} is ${what}.`,
        remedy: remedyFor(type, name),
      });
    },
  },
});

function remedyFor(type: string, name: string): string {
  if (type === 'str') return `Convert it: \`int(${name})\`.`;
  if (type === 'NoneType') return `Give ${name} a number first.`;
  return type.includes('float')
    ? `Divide with \`//\`, or write \`int(${name})\`.`
    : `Use its length, \`range(len(${name}))\`, or go through ${name} itself.`;
}
