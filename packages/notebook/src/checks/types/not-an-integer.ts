/**
 * # A whole number is needed
 *
 * ## What
 * `range` is given a float or a string.
 *
 * ## Why it crashes
 * Python raises `TypeError: 'float' object cannot be interpreted as an integer`, also for a float without a fraction. A division
 * with `/` always gives a float.
 *
 * ## Example
 * State: `n = 10`. Cell: `for i in range(n / 2): print(i)`.
 *
 * ## Fix
 * Divide with `//`, or convert with `int(…)`.
 *
 * ## When it stays silent
 * When the type of the argument is not known.
 */
import { defineCheck } from '../define-check.js';

const refused = /^(builtins\.(float|str)|numpy\.float(16|32|64))$/;

export default defineCheck({
  id: 'types/not-an-integer',
  title: 'A whole number is needed',
  rung: 'contracts',
  libraries: [],
  status: 'preview',
  on: {
    call(event, context) {
      if (
        event.target !== 'builtins.range' ||
        event.args.positional.length > 3 ||
        event.args.keywords.size > 0
      )
        return;
      const odd = event.args.positional.find(
        ({ fact }) => fact.kind === 'scalar' && refused.test(fact.class ?? ''),
      );
      if (!odd) return;
      const type = odd.fact.class!.replace('builtins.', '');
      const name = context.text(odd.node);
      context.report({
        exception: 'TypeError',
        message: `'${type}' object cannot be interpreted as an integer`,
        evidence: [{ fact: `${name} is a ${type}`, source: context.source(odd) }],
        explanation: `\`${context.text(event.node)}\` raises TypeError: ${name} is a ${type}.`,
        remedy:
          type === 'str' ? `Convert it: \`int(${name})\`.` : `Divide with \`//\`, or write \`int(${name})\`.`,
      });
    },
  },
});
