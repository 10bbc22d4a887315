/**
 * # An exception that the code itself raises
 *
 * ## What
 * A `raise` that is certainly reached, in the cell or in a function that it calls.
 *
 * ## Why it crashes
 * The live facts decide every condition on the way to it: the function refuses what it is given.
 *
 * ## Example
 * ```python state
 * def load(kind):
 *     if kind == "csv":
 *         return 1
 *     raise ValueError(f"unknown kind: {kind}")
 * ```
 * ```python cell
 * load("parquet")
 * ```
 *
 * ## Fix
 * Pass what the function expects.
 * ```python fixed
 * load("csv")
 * ```
 *
 * ## When it stays silent
 * When a condition on the way is not known, when a handler may catch the exception, when the class of the exception is not known,
 * for exceptions that end a cell on purpose, such as `SystemExit` and `KeyboardInterrupt`, and for `NotImplementedError`, which
 * stands where another method is expected to come.
 */
import { defineCheck } from '../define-check.js';

/** They end a cell on purpose, or stand where another method is expected to come. */
const quietEnds = /^(SystemExit|KeyboardInterrupt|GeneratorExit|Stop(Async)?Iteration|NotImplementedError)$/;

export default defineCheck({
  id: 'values/certain-raise',
  title: 'An exception that the code itself raises',
  rung: 'contracts',
  libraries: [],
  general: true,
  on: {
    raise(event, context) {
      const { node, exception, message } = event;
      if (node.nodeType !== 'Raise' || exception === null || quietEnds.test(exception)) return;
      // A name in small letters holds an exception whose class is not known.
      if (!/^[A-Z]\w*(Error|Exception|Warning)$|^Exception$/.test(exception)) return;
      context.report({
        exception,
        message: typeof message === 'string' ? message : '',
        evidence: [
          { fact: 'every condition on the way to `raise` is decided', source: 'the facts of the cell' },
        ],
        explanation: `The code reaches \`raise ${exception}\`: every condition on the way to it is met.`,
        remedy: 'Pass what the code expects, or handle the exception.',
      });
    },
  },
});
