/**
 * # The number of new column labels differs from the number of columns
 *
 * ## What
 * `frame.columns = […]` gives more or fewer labels than the frame has columns.
 *
 * ## Why it crashes
 * pandas raises `ValueError: Length mismatch: Expected axis has … elements, new values have … elements`.
 *
 * ## Example
 * ```python state
 * import pandas as pd
 *
 * df = pd.DataFrame({"a": [1], "b": [2]})
 * ```
 * ```python cell
 * df.columns = ["x", "y", "z"]
 * ```
 *
 * ## Fix
 * Give one label for each column, or use `rename` for some of them.
 * ```python fixed
 * df.columns = ["x", "y"]
 * ```
 *
 * ## When it stays silent
 * When the number of columns or of labels is not known, and for lists of lists, which make several levels of labels.
 */
import { lengthOf } from '../../reasoning/kinds.js';
import { defineCheck } from '../define-check.js';

export default defineCheck({
  id: 'columns/column-count-mismatch',
  title: 'The number of new column labels differs from the number of columns',
  rung: 'contracts',
  libraries: ['pandas'],
  on: {
    storeAttribute(event, context) {
      if (event.name !== 'columns' || event.receiver.fact.kind !== 'dataframe') return;
      const expected = event.receiver.fact.columns?.length;
      const { fact } = event.value;
      const given =
        fact.kind === 'list' || fact.kind === 'tuple' || fact.kind === 'index' ? lengthOf(fact) : undefined;
      const labels = fact.kind === 'list' || fact.kind === 'tuple' ? fact.items : undefined;
      const isFlat = fact.kind === 'index' || labels?.every((ref) => context.look(ref).kind === 'scalar');
      if (!isFlat) return;
      if (expected === undefined || given === undefined || given === expected) return;
      const owner = context.text(event.receiver.node);
      context.report({
        exception: 'ValueError',
        message: `Length mismatch: Expected axis has ${expected} elements, new values have ${given} elements`,
        evidence: [{ fact: `${owner} has ${expected} columns`, source: context.source(event.receiver) }],
        explanation: `Setting ${given} column labels on ${owner}, which has ${expected} columns, raises ValueError.`,
        remedy: `Give ${expected} labels, or rename single columns with \`rename(columns=…)\`.`,
      });
    },
  },
});
