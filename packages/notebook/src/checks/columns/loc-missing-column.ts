/**
 * # `.loc` with a column that the frame does not have
 *
 * ## What
 * `frame.loc[rows, label]` reads a column that is not there.
 *
 * ## Why it crashes
 * `.loc` looks the second key up among the columns and raises `KeyError`.
 *
 * ## Example
 * ```python state
 * import pandas as pd
 *
 * df = pd.DataFrame({"age": [30], "fare": [7.2]})
 * ```
 * ```python cell
 * df.loc[df["age"] > 20, "Fare"]
 * ```
 *
 * ## Fix
 * Use a label that exists. Assigning to a new label through `.loc` is fine.
 * ```python fixed
 * df.loc[df["age"] > 20, "fare"]
 * ```
 *
 * ## When it stays silent
 * On assignment, with slices and masks as column key, and when the columns may have changed.
 */
import { pythonRepr, reprList } from '../../reasoning/literals.js';
import { defineCheck } from '../define-check.js';
import { columnClaim, missingFrom, plainLabels, wantedLabels } from './labels.js';

const selectsRows = new Set(['slice', 'list', 'series', 'ndarray', 'index']);

export default defineCheck({
  id: 'columns/loc-missing-column',
  title: '`.loc` with a column that the frame does not have',
  rung: 'contracts',
  libraries: ['pandas'],
  on: {
    loadItem(event, context) {
      const { container, key } = event;
      if (
        container.fact.kind !== 'indexer' ||
        (container.fact.accessor !== 'loc' && container.fact.accessor !== 'at')
      )
        return;
      const frame = context.look(container.fact.owner);
      if (frame.kind !== 'dataframe' || key.fact.kind !== 'tuple' || key.fact.items?.length !== 2) return;
      if (frame.index?.names && frame.index.names.length > 1) return;
      // Of an index that is not known, two labels may be the levels of one row.
      const isFlat = frame.index !== undefined;
      if (!isFlat && !selectsRows.has(context.look(key.fact.items[0]!).kind)) return;
      const labels = plainLabels(frame);
      const columnRef = key.fact.items[1]!;
      const wanted = wantedLabels(context, { ref: columnRef, fact: context.look(columnRef), node: key.node });
      if (!labels || !wanted || context.look(key.fact.items[0]!).kind === 'tuple') return;
      const missing = missingFrom(labels, wanted);
      if (missing.length === 0) return;
      const isList = context.look(columnRef).kind === 'list';
      const owner = context.text(container.node).replace(/\.(loc|at)$/, '');
      const operand = { ...container, fact: frame };
      context.report(
        columnClaim(context, owner, operand, labels, missing, {
          message: isList ? `"${reprList(missing)} not in index"` : pythonRepr(missing[0]!),
          action: `\`${context.text(event.node)}\``,
          within: event.node,
        }),
      );
    },
  },
});
