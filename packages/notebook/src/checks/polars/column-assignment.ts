/**
 * # Assigning to a column of a Polars frame
 *
 * ## What
 * `frame["x"] = values`, as one would write it for pandas.
 *
 * ## Why it crashes
 * Polars adds and replaces columns with `with_columns` only: `TypeError: DataFrame object does not support … assignment`.
 *
 * ## Example
 * ```python state
 * import polars as pl
 *
 * df = pl.DataFrame({"age": [30, 40]})
 * ```
 * ```python cell
 * df["double"] = df["age"] * 2
 * ```
 *
 * ## Fix
 * Make a new frame with the column.
 * ```python fixed
 * df = df.with_columns((df["age"] * 2).alias("double"))
 * ```
 *
 * ## When it stays silent
 * For single cells (`frame[0, "x"] = 3`), which can be assigned, and when the key is not a known text.
 */
import { defineCheck } from '../define-check.js';

export default defineCheck({
  id: 'polars/column-assignment',
  title: 'Assigning to a column of a Polars frame',
  rung: 'contracts',
  libraries: ['polars'],
  on: {
    storeItem({ container, key, node }, context) {
      if (container.fact.kind !== 'polars-frame' || typeof context.literal(key.ref) !== 'string') return;
      const name = context.text(container.node);
      const label = context.text(key.node);
      context.report({
        exception: 'TypeError',
        message:
          'DataFrame object does not support `Series` assignment by index\n\nUse `DataFrame.with_columns`.',
        evidence: [{ fact: `${name} is a Polars DataFrame`, source: context.source(container) }],
        explanation: `\`${context.text(node)} = …\` raises TypeError: columns of a Polars frame cannot be assigned.`,
        remedy: `Make a new frame: \`${name} = ${name}.with_columns(….alias(${label}))\`.`,
      });
    },
  },
});
