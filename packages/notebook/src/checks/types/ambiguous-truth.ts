/**
 * # An array, series or frame as a condition
 *
 * ## What
 * `if`, `while`, `and`, `or`, `not` ask an array with several elements, a series or a frame whether it is true.
 *
 * ## Why it crashes
 * There is one answer for each element: `ValueError: The truth value of a … is ambiguous`.
 *
 * ## Example
 * ```python state
 * import pandas as pd
 *
 * df = pd.DataFrame({"a": [1, 2]})
 * ```
 * ```python cell
 * if df["a"] > 1:
 *     print("yes")
 * ```
 *
 * ## Fix
 * Use `.any()`, `.all()`, `.empty`, or `&` and `|` between masks.
 * ```python fixed
 * if (df["a"] > 1).any():
 *     print("yes")
 * ```
 *
 * ## When it stays silent
 * For arrays that may have a single element.
 */
import { sizeOf } from '../../libraries/numpy/shapes.js';
import { defineCheck } from '../define-check.js';
import { typeName } from '../wording.js';

export default defineCheck({
  id: 'types/ambiguous-truth',
  title: 'An array, series or frame as a condition',
  rung: 'contracts',
  libraries: ['pandas', 'numpy', 'torch'],
  on: {
    truth(event, context) {
      const { fact } = event.operand;
      const isPandas = fact.kind === 'dataframe' || fact.kind === 'series';
      const isArray = fact.kind === 'ndarray' || fact.kind === 'tensor';
      const size = isArray && fact.shape ? sizeOf(fact.shape) : null;
      if (!isPandas && !(isArray && size !== null && size > 1)) return;
      const kind =
        fact.kind === 'series' ? 'Series' : fact.kind === 'dataframe' ? 'DataFrame' : typeName(fact);
      const name = context.text(event.operand.node);
      context.report({
        exception: fact.kind === 'tensor' ? 'RuntimeError' : 'ValueError',
        message:
          fact.kind === 'ndarray'
            ? 'The truth value of an array with more than one element is ambiguous. Use a.any() or a.all()'
            : fact.kind === 'tensor'
              ? 'Boolean value of Tensor with more than one value is ambiguous'
              : `The truth value of a ${kind} is ambiguous. Use a.empty, …`,
        node: event.operand.node,
        evidence: [
          {
            fact: `${name} is a ${kind}${size === null ? '' : ` with ${size} elements`}`,
            source: context.source(event.operand),
          },
        ],
        explanation: `Using \`${name}\` as a condition raises an error: a ${kind} has one truth value for each element.`,
        remedy: 'Use `.any()` or `.all()`; between masks use `&` and `|` with parentheses.',
      });
    },
  },
});
