/**
 * # A column that the frame does not have
 *
 * ## What
 * The cell reads `frame[label]` (or a list of labels) and the live frame has no such column.
 *
 * ## Why it crashes
 * pandas raises `KeyError` for a label that is not among the columns.
 *
 * ## Example
 * ```python state
 * import pandas as pd
 *
 * df = pd.DataFrame({"age": [30, 40], "fare": [7.2, 71.3]})
 * ```
 * ```python cell
 * df["Age"].mean()
 * ```
 *
 * ## Fix
 * Use a label that exists. Labels are case-sensitive, and spaces count.
 * ```python fixed
 * df["age"].mean()
 * ```
 *
 * ## When it stays silent
 * When the cell may have added, renamed or dropped columns in a way that Grus does not follow, and when the label is not known.
 */
import type { Literal } from '@grus/kernel/snapshot';
import { pythonRepr, reprList } from '../../reasoning/literals.js';
import { defineCheck } from '../define-check.js';
import { columnClaim, missingFrom, plainLabels, wantedLabels } from './labels.js';

export default defineCheck({
  id: 'columns/missing-column',
  title: 'A column that the frame does not have',
  rung: 'contracts',
  libraries: ['pandas'],
  on: {
    loadItem(event, context) {
      const { container, key } = event;
      const { fact } = container;
      if (fact.kind !== 'dataframe') return;
      const labels = plainLabels(fact);
      const wanted = wantedLabels(context, key);
      if (!labels || !wanted) return;
      const missing = missingFrom(labels, wanted);
      if (missing.length === 0) return;
      const isList = key.fact.kind === 'list' || key.fact.kind === 'index';
      context.report(
        columnClaim(context, context.text(container.node), container, labels, missing, {
          message: isList ? listMessage(missing, wanted.length) : pythonRepr(missing[0]!),
          action: `\`${context.text(event.node)}\``,
          within: key.node,
        }),
      );
    },
  },
});

function listMessage(missing: readonly Literal[], wanted: number): string {
  return missing.length === wanted
    ? `"None of [Index(${reprList(missing)}, dtype='str')] are in the [columns]"`
    : `"${reprList(missing)} not in index"`;
}
