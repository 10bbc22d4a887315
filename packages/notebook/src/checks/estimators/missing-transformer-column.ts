/**
 * # A column transformer that names a column which is not there
 *
 * ## What
 * `ColumnTransformer` (alone or as the first step of a pipeline) selects a column by name that the frame does not have.
 *
 * ## Why it crashes
 * The names are looked up in the frame when it is fitted; scikit-learn raises `ValueError`.
 *
 * ## Example
 * ```python state
 * import pandas as pd
 * from sklearn.compose import ColumnTransformer
 * from sklearn.preprocessing import StandardScaler
 *
 * X = pd.DataFrame({"age": [30.0, 40.0]})
 * ```
 * ```python cell
 * ColumnTransformer([("num", StandardScaler(), ["agee"])]).fit(X)
 * ```
 *
 * ## Fix
 * Use the names of the columns as they are in the frame that is passed, after the target was dropped.
 * ```python fixed
 * ColumnTransformer([("num", StandardScaler(), ["age"])]).fit(X)
 * ```
 *
 * ## When it stays silent
 * When the selected names or the columns of the frame are not known.
 */
import { nearest } from '@grus/core';
import type { Literal } from '@grus/kernel/snapshot';
import type { Estimator } from '../../libraries/sklearn/kinds.js';
import { includesLiteral, listed, pythonRepr } from '../../reasoning/literals.js';
import { plainLabels, wantedLabels } from '../columns/labels.js';
import { type CheckContext, defineCheck } from '../define-check.js';
import { methodCall } from './shared.js';

export default defineCheck({
  id: 'estimators/missing-transformer-column',
  title: 'A column transformer that names a column which is not there',
  rung: 'contracts',
  libraries: ['sklearn'],
  on: {
    call(event, context) {
      const call = methodCall(event);
      if (call?.X?.fact.kind !== 'dataframe' || !/^fit(_transform)?$/.test(call.method)) return;
      const transformer = columnTransformer(context, call.estimator);
      const labels = plainLabels(call.X.fact);
      if (!transformer || !labels) return;
      const missing = selected(context, transformer).filter((label) => !includesLiteral(labels, label));
      if (missing.length === 0) return;
      const given = context.text(call.X.node);
      const near = nearest(
        String(missing[0]),
        labels.filter((label) => typeof label === 'string'),
      );
      context.report({
        exception: 'ValueError',
        message: '… of the dataframe…',
        evidence: [
          { fact: `the transformer selects ${listed(missing)}`, source: context.source(call.receiver) },
          { fact: `${given} has the columns ${listed(labels)}`, source: context.source(call.X) },
        ],
        explanation: `\`${context.text(event.node.func)}\` raises ValueError: ${given} has no column ${missing.map(pythonRepr).join(', ')}.`,
        remedy:
          near.length > 0 ? `Did you mean ${pythonRepr(near[0]!)}?` : `Select columns that ${given} has.`,
      });
    },
  },
});

function columnTransformer(context: CheckContext, estimator: Estimator): Estimator | undefined {
  if (estimator.class === 'sklearn.compose.ColumnTransformer') return estimator;
  if (estimator.class !== 'sklearn.pipeline.Pipeline') return undefined;
  const object = estimator.steps?.[0]?.object;
  const first = object === undefined ? undefined : context.look(object);
  return first?.kind === 'estimator' && first.class === 'sklearn.compose.ColumnTransformer'
    ? first
    : undefined;
}

/** Column names that the parts select; parts that select in other ways are left out. */
function selected(context: CheckContext, transformer: Estimator): Literal[] {
  const ref = transformer.parameters?.get('transformers');
  const list = ref === undefined ? undefined : context.look(ref);
  if (list?.kind !== 'list') return [];
  return (list.items ?? []).flatMap((item) => {
    const part = context.look(item);
    const [, , columns] = part.kind === 'tuple' ? (part.items ?? []) : [];
    if (columns === undefined) return [];
    const fact = context.look(columns);
    const labels = wantedLabels(context, { ref: columns, fact, node: context.cell.module });
    return labels?.every((label) => typeof label === 'string') ? labels : [];
  });
}
