/**
 * # An attribute of None
 *
 * ## What
 * The cell reads an attribute or calls a method of an object that is None: the live value is None, or an in-place method
 * returned it (`df = df.drop(…, inplace=True)`, `items = items.sort()`).
 *
 * ## Why it crashes
 * None has no such attribute: `AttributeError: 'NoneType' object has no attribute '…'`.
 *
 * ## Example
 * ```python state
 * import pandas as pd
 *
 * df = pd.DataFrame({"age": [30, None]})
 * df = df.dropna(inplace=True)
 * ```
 * ```python cell
 * df.head()
 * ```
 *
 * ## Fix
 * Do not assign the result of an in-place method. Run the cell that makes the object again.
 * ```python fixed
 * df = pd.DataFrame({"age": [30, None]}).dropna()
 * df.head()
 * ```
 *
 * ## When it stays silent
 * When the value is only possibly None.
 */
import { defineCheck } from '../define-check.js';

export default defineCheck({
  id: 'attributes/attribute-of-none',
  title: 'An attribute of None',
  rung: 'contracts',
  libraries: [],
  on: {
    loadAttribute(event, context) {
      if (event.receiver.fact.kind !== 'none' || event.name.startsWith('__')) return;
      const owner = context.text(event.receiver.node);
      context.report({
        exception: 'AttributeError',
        message: `'NoneType' object has no attribute '${event.name}'`,
        evidence: [{ fact: `${owner} is None`, source: context.source(event.receiver) }],
        explanation: `\`${context.text(event.node)}\` raises AttributeError: ${owner} is None.`,
        remedy:
          'Methods that work in place (`inplace=True`, `list.sort`, `append`) return None: do not assign their result, and make the object again.',
      });
    },
  },
});
