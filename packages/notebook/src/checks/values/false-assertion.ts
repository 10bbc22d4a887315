/**
 * # An assertion that does not hold
 *
 * ## What
 * `assert` of a condition that the live facts make false: a shape, a length, a column, a value.
 *
 * ## Why it crashes
 * Python raises `AssertionError`.
 *
 * ## Example
 * ```python state
 * import pandas as pd
 *
 * df = pd.DataFrame({"a": [1, 2]})
 * ```
 * ```python cell
 * assert len(df) == 3
 * ```
 *
 * ## Fix
 * Correct the data or the expectation.
 * ```python fixed
 * assert len(df) == 2
 * ```
 *
 * ## When it stays silent
 * When the condition cannot be evaluated from the facts.
 */
import { defineCheck } from '../define-check.js';

export default defineCheck({
  id: 'values/false-assertion',
  title: 'An assertion that does not hold',
  rung: 'contracts',
  libraries: [],
  on: {
    raise(event, context) {
      if (event.node.nodeType !== 'Assert') return;
      const test = context.text(event.node.test);
      context.report({
        exception: 'AssertionError',
        message: typeof event.message === 'string' ? event.message : '',
        evidence: [{ fact: `\`${test}\` is false`, source: 'the facts of the cell' }],
        explanation: `\`assert ${test}\` raises AssertionError: the condition is false.`,
        remedy: 'Correct the data or the expectation.',
      });
    },
  },
});
