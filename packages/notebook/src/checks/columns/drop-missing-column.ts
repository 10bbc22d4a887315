/**
 * # Dropping a column that is not there
 *
 * ## What
 * `frame.drop(columns=…)` or `frame.drop(…, axis=1)` names a column that the live frame does not have.
 *
 * ## Why it crashes
 * `drop` raises `KeyError: "[…] not found in axis"` unless `errors="ignore"` is given. The usual reason is a cell that is
 * run a second time.
 *
 * ## Example
 * ```python state
 * import pandas as pd
 *
 * df = pd.DataFrame({"age": [30], "fare": [7.2]})
 * ```
 * ```python cell
 * df = df.drop(columns=["id"])
 * ```
 *
 * ## Fix
 * Leave out the columns that are gone, or pass `errors="ignore"`.
 * ```python fixed
 * df = df.drop(columns=["id"], errors="ignore")
 * ```
 *
 * ## When it stays silent
 * With `errors="ignore"`, with labels that are not known, and when the columns may have changed.
 */
import { argument } from '../../reasoning/arguments.js';
import { reprList } from '../../reasoning/literals.js';
import { defineCheck } from '../define-check.js';
import { columnClaim, missingFrom, plainLabels, wantedLabels } from './labels.js';

export default defineCheck({
  id: 'columns/drop-missing-column',
  title: 'Dropping a column that is not there',
  rung: 'contracts',
  libraries: ['pandas'],
  on: {
    call(event, context) {
      if (event.method !== 'drop' || event.receiver?.fact.kind !== 'dataframe' || !event.args.complete)
        return;
      if (argument(event, null, 'errors') ?? argument(event, 5, 'errors')) return;
      if (argument(event, null, 'level') ?? argument(event, 4, 'level')) return;
      const axis = argument(event, 1, 'axis');
      const axisValue = axis && context.literal(axis.ref);
      const byAxis = axisValue === 1 || axisValue === 'columns' ? argument(event, 0, 'labels') : undefined;
      const given = argument(event, null, 'columns') ?? byAxis;
      const labels = plainLabels(event.receiver.fact);
      const wanted = given && wantedLabels(context, given);
      if (!labels || !wanted) return;
      const missing = missingFrom(labels, wanted);
      if (missing.length === 0) return;
      context.report(
        columnClaim(context, context.text(event.receiver.node), event.receiver, labels, missing, {
          message: `"${reprList(missing)} not found in axis"`,
          action: `\`${context.text(event.node)}\``,
          within: event.node,
        }),
      );
    },
  },
});
