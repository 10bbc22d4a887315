/**
 * # A column whose length differs from the frame's
 *
 * ## What
 * `frame[label] = values` assigns a list or array whose length differs from the number of rows, or a frame is made of lists and
 * arrays of different lengths.
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
import { argument } from '../../reasoning/arguments.js';
import type { Fact } from '../../reasoning/facts.js';
import { lengthOf } from '../../reasoning/kinds.js';
import { pythonRepr } from '../../reasoning/literals.js';
import { defineCheck } from '../define-check.js';

export default defineCheck({
  id: 'columns/column-length-mismatch',
  title: "A column whose length differs from the frame's",
  rung: 'contracts',
  libraries: ['pandas'],
  on: {
    call(event, context) {
      if (event.target !== 'pandas.DataFrame' || !event.args.complete) return;
      const data = argument(event, 0, 'data');
      if (data?.fact.kind !== 'dict' || argument(event, 2, 'columns')) return;
      const lengths = [...(data.fact.entries?.values() ?? [])].flatMap(({ key, value }) => {
        const length = columnLength(context.look(value));
        return length === undefined ? [] : [{ key, length }];
      });
      const other = lengths.find(({ length }) => length !== lengths[0]!.length);
      if (!other) return;
      const [first] = lengths;
      const named = ({ key, length }: typeof other) => `${pythonRepr(key)} has ${length} values`;
      context.report({
        exception: 'ValueError',
        message: argument(event, 1, 'index') ? '…' : 'All arrays must be of the same length',
        evidence: [first!, other].map((entry) => ({ fact: named(entry), source: context.source(data) })),
        explanation: `\`${context.text(event.node.func)}(…)\` raises ValueError: the column ${named(first!)}, and ${named(other)}.`,
        remedy: 'Give all columns the same number of values.',
      });
    },
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
      const length = columnLength(value.fact);
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

/** How many values a list or a flat array gives a column; a series is aligned by its labels. */
function columnLength(fact: Fact): number | undefined {
  const isFlat =
    fact.kind === 'list' || fact.kind === 'tuple' || (fact.kind === 'ndarray' && fact.shape?.length === 1);
  return isFlat ? lengthOf(fact) : fact.kind === 'unknown' ? fact.length : undefined;
}
