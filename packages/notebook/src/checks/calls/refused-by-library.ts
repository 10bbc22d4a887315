/**
 * # What a library refuses to do with this data
 *
 * ## What
 * A function, method, operator or subscript of pandas, NumPy, SciPy, scikit-learn, statsmodels or the standard library is
 * applied to objects of the kernel, and the library itself raises: dates that do not parse, bins that are not unique, rows
 * that cannot be pivoted, columns that overlap, labels that were never seen.
 *
 * ## Why it crashes
 * The library was asked: a copy of the kernel, isolated and ended at once, did the same with the same objects, and it raised.
 *
 * ## Example
 * ```python state
 * import pandas as pd
 *
 * orders = pd.DataFrame({"shipped": ["2024-01-02", "pending"]})
 * ```
 * ```python cell
 * pd.to_datetime(orders["shipped"])
 * ```
 *
 * ## Fix
 * Do what the message of the library asks for.
 * ```python fixed
 * pd.to_datetime(orders["shipped"], errors="coerce")
 * ```
 *
 * ## When it stays silent
 * When an operand is not known exactly, was changed in a way that cannot be repeated, or comes from a random draw; for functions
 * of the user's and for functions that are not known to be free of effects; when the kernel cannot be copied safely; and when
 * the answer takes too long. Of a warning that a setting turns into an error, also when the cell may have changed that setting.
 */
import { exceptionText } from '@grus/core';
import type { Node } from '@grus/python';
import { type CheckContext, defineCheck } from '../define-check.js';

export default defineCheck({
  id: 'calls/refused-by-library',
  title: 'What a library refuses to do with this data',
  rung: 'contracts',
  libraries: ['pandas', 'numpy', 'scipy', 'scikit-learn', 'statsmodels'],
  general: true,
  on: {
    refusal(event, context) {
      const { exception, message } = event;
      if (!event.isReal || (isMadeOfWarning.test(exception) && context.effects.warnings)) return;
      const [line = ''] = message.split('\n');
      context.report({
        exception,
        message,
        evidence: [
          {
            fact: `asked in a copy of the kernel with the same objects, it raises ${exception}`,
            source: 'the library, in a copy of the kernel',
          },
        ],
        explanation: `\`${context.text(event.node)}\` raises ${exceptionText({ type: exception, message: line })}`,
        remedy: remedyOf(event.node, context, message),
      });
    },
  },
});

/** Exceptions that a setting makes of what is a warning otherwise. */
const isMadeOfWarning = /(Warning|FloatingPointError)$/;

/** What the library itself suggests, where it says more than one line. */
function remedyOf(node: Node, context: CheckContext, message: string): string {
  const [, ...advice] = message.split('\n').map((line) => line.trim());
  const said = advice.filter(Boolean).join(' ');
  if (said !== '') return `The library suggests: ${said.length > 300 ? `${said.slice(0, 297)}…` : said}`;
  const asked = node.nodeType === 'Call' ? node.func : node;
  return `Change what is given to \`${context.text(asked)}\`: the message says what it does not take.`;
}
