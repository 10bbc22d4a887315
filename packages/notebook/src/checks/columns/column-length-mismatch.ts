/**
 * # A column of another length than the frame
 *
 * ## What
 * `frame[label] = values` assigns a list or array whose length differs from the number of rows.
 *
 * ## Why it crashes
 * pandas raises `ValueError: Length of values (…) does not match length of index (…)`. A series is aligned by labels and
 * never fails this way.
 *
 * ## Example
 * ```python state
 * import pandas as pd
 *
 * df = pd.DataFrame({"age": [30, 40, 50]})
 * ```
 * ```python cell
 * df["group"] = ["a", "b"]
 * ```
 *
 * ## Fix
 * Assign as many values as there are rows, or a series with the right row labels.
 * ```python fixed
 * df["group"] = ["a", "b", "b"]
 * ```
 *
 * ## When it stays silent
 * For series, scalars, empty frames, and when a length is not known.
 */
import { lengthOf } from '../../reasoning/kinds.js';
import { pythonRepr } from '../../reasoning/literals.js';
import { defineCheck } from '../define-check.js';

export default defineCheck({
  id: 'columns/column-length-mismatch',
  title: 'A column of another length than the frame',
  rung: 'contracts',
  libraries: ['pandas'],
  on: {
    storeItem(event, context) {
      const { container, key, value } = event;
      const label = context.literal(key.ref);
      if (
        container.fact.kind !== 'dataframe' ||
        !value ||
        label === undefined ||
        container.fact.columnLevels !== undefined
      )
        return;
      const { rows, columns } = container.fact;
      const isSequence =
        value.fact.kind === 'list' ||
        value.fact.kind === 'tuple' ||
        (value.fact.kind === 'ndarray' && value.fact.shape?.length === 1);
      const length = isSequence ? lengthOf(value.fact) : undefined;
      if (rows === undefined || !columns || columns.length === 0 || length === undefined || length === rows)
        return;
      const owner = context.text(container.node);
      context.report({
        exception: 'ValueError',
        message: `Length of values (${length}) does not match length of index (${rows})`,
        evidence: [
          { fact: `${owner} has ${rows} rows`, source: context.source(container) },
          { fact: `the assigned value has ${length} elements`, source: context.source(value) },
        ],
        explanation: `Assigning ${length} values to column ${pythonRepr(label)} of ${owner}, which has ${rows} rows, raises ValueError.`,
        remedy: `Assign ${rows} values, or a series whose index matches that of ${owner}.`,
      });
    },
  },
});
