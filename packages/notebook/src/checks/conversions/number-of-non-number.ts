/**
 * # Converting something that is neither a number nor a string
 *
 * ## What
 * `int(x)` or `float(x)` of None, a list, a tuple, a dict, or of an array or series with several elements.
 *
 * ## Why it crashes
 * Python raises `TypeError: int() argument must be a string, a bytes-like object or a real number`.
 *
 * ## Example
 * ```python state
 * scores = [1, 2]
 * ```
 * ```python cell
 * float(scores)
 * ```
 *
 * ## Fix
 * Convert the elements: `[float(score) for score in scores]`, or `.astype(float)`.
 * ```python fixed
 * [float(score) for score in scores]
 * ```
 *
 * ## When it stays silent
 * When the class may define `__int__` or `__float__`, and for arrays that may have one element.
 */
import { sizeOf } from '../../libraries/numpy/shapes.js';
import { defineCheck } from '../define-check.js';
import { article, typeName } from '../wording.js';

export default defineCheck({
  id: 'conversions/number-of-non-number',
  title: 'Converting something that is neither a number nor a string',
  rung: 'contracts',
  libraries: [],
  on: {
    call(event, context) {
      const name =
        event.target === 'builtins.int' ? 'int' : event.target === 'builtins.float' ? 'float' : null;
      const [given] = event.args.positional;
      if (!name || !given || event.args.positional.length !== 1) return;
      const { fact } = given;
      const isPlain = ['none', 'list', 'tuple', 'dict', 'set'].includes(fact.kind);
      const size =
        fact.kind === 'series'
          ? (fact.rows ?? null)
          : fact.kind === 'ndarray' && fact.shape
            ? sizeOf(fact.shape)
            : null;
      const isMany = (fact.kind === 'series' || fact.kind === 'ndarray') && size !== null && size !== 1;
      if (!isPlain && !isMany) return;
      const kind = typeName(fact);
      context.report({
        exception: 'TypeError',
        message:
          fact.kind === 'series'
            ? `cannot convert the series to <class '${name}'>`
            : fact.kind === 'ndarray'
              ? 'only 0-dimensional arrays can be converted to Python scalars'
              : `${name}() argument must be a string${name === 'int' ? ', a bytes-like object' : ''} or a real number, not '${kind}'`,
        evidence: [
          {
            fact: `${context.text(given.node)} is ${article(kind)}${isMany ? ` with ${size} elements` : ''}`,
            source: context.source(given),
          },
        ],
        explanation: `\`${context.text(event.node)}\` raises TypeError: ${context.text(given.node)} is ${article(kind)}, not one number.`,
        remedy: isMany
          ? `Use \`.astype(${name})\` to convert each element.`
          : 'Convert the element that was meant.',
      });
    },
  },
});
