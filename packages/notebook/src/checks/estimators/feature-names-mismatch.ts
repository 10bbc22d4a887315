/**
 * # A frame whose columns differ from those the estimator was fitted on
 *
 * ## What
 * An estimator that was fitted on a frame is given a frame with other column names, or the same names in another order.
 *
 * ## Why it crashes
 * scikit-learn 1.2 and later compare the names with `feature_names_in_` and raise `ValueError` when they differ in any way.
 *
 * ## Example
 * ```python state
 * import pandas as pd
 * from sklearn.linear_model import LinearRegression
 *
 * train = pd.DataFrame({"age": [30, 40, 50], "fare": [7.2, 8.1, 9.9]})
 * model = LinearRegression().fit(train, [1, 2, 3])
 * ```
 * ```python cell
 * model.predict(train[["fare", "age"]])
 * ```
 *
 * ## Fix
 * Select the columns in the order of `model.feature_names_in_`.
 * ```python fixed
 * model.predict(train[model.feature_names_in_])
 * ```
 *
 * ## When it stays silent
 * With older versions, for classes that pick columns by name, such as `ColumnTransformer`, when the columns or their order
 * are not known, and for arrays, which have no names.
 */
import { listed } from '../../reasoning/literals.js';
import { defineCheck } from '../define-check.js';
import { isAtLeast, methodCall, refusesData } from './shared.js';

export default defineCheck({
  id: 'estimators/feature-names-mismatch',
  title: 'A frame whose columns differ from those the estimator was fitted on',
  rung: 'contracts',
  libraries: ['sklearn'],
  on: {
    call(event, context) {
      const call = methodCall(event);
      if (!call?.X || !refusesData(call, 'names')) return;
      const { featureNames } = call.estimator;
      const frame = call.X.fact;
      if (
        !featureNames ||
        frame.kind !== 'dataframe' ||
        !frame.columns ||
        !isAtLeast(context.version('sklearn'), 1, 2)
      )
        return;
      const labels = frame.columns.map((column) => column.label);
      if (labels.length === 0 || !labels.every((label) => typeof label === 'string')) return;
      const names = labels as string[];
      const unseen = names.filter((name) => !featureNames.includes(name));
      const missing = featureNames.filter((name) => !names.includes(name));
      const isSameSet = unseen.length === 0 && missing.length === 0;
      if (isSameSet && (frame.unordered || names.every((name, index) => name === featureNames[index])))
        return;
      const owner = context.text(call.receiver.node);
      const given = context.text(call.X.node);
      const detail = isSameSet
        ? 'the columns stand in another order'
        : [
            ...(unseen.length > 0 ? [`it has ${listed(unseen, 5)}, which was not there at fit time`] : []),
            ...(missing.length > 0 ? [`it lacks ${listed(missing, 5)}`] : []),
          ].join(' and ');
      context.report({
        exception: 'ValueError',
        message: `The feature names should match those that were passed during fit.\n${tail(unseen, missing)}`,
        evidence: [
          {
            fact: `${owner} was fitted on the columns ${listed(featureNames)}`,
            source: context.source(call.receiver),
          },
          { fact: `${given} has the columns ${listed(names)}`, source: context.source(call.X) },
        ],
        explanation: `\`${context.text(event.node.func)}\` raises ValueError: ${given} does not have the columns that ${owner} was fitted on: ${detail}.`,
        remedy: `Use \`${given}[${owner}.feature_names_in_]\`, after preparing the data like the training data.`,
      });
    },
  },
});

function tail(unseen: readonly string[], missing: readonly string[]): string {
  if (unseen.length === 0 && missing.length === 0)
    return 'Feature names must be in the same order as they were in fit.\n';
  const part = (title: string, names: readonly string[]) =>
    names.length === 0
      ? ''
      : `${title}\n${[...names]
          .sort()
          .slice(0, 5)
          .map((name) => `- ${name}\n`)
          .join('')}${names.length > 5 ? '- ...\n' : ''}`;
  return (
    part('Feature names unseen at fit time:', unseen) +
    part('Feature names seen at fit time, yet now missing:', missing)
  );
}
