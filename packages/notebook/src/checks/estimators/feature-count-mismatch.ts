/**
 * # Data with a different number of features than the estimator was fitted on
 *
 * ## What
 * An estimator that was fitted on data with `n` columns is given data with another number of columns.
 *
 * ## Why it crashes
 * Every method that takes X compares its width with `n_features_in_` and raises `ValueError`.
 *
 * ## Example
 * ```python state
 * import numpy as np
 * from sklearn.linear_model import LinearRegression
 *
 * model = LinearRegression().fit(np.random.rand(10, 4), np.arange(10))
 * X_new = np.random.rand(3, 3)
 * ```
 * ```python cell
 * model.predict(X_new)
 * ```
 *
 * ## Fix
 * Prepare the new data exactly like the training data: the same columns, encoders that were fitted on the training data.
 * ```python fixed
 * X_new = np.random.rand(3, 4)
 * model.predict(X_new)
 * ```
 *
 * ## When it stays silent
 * When either number is not known, for frames where a class picks columns by name, for pipelines and other estimators that pass the data on, and for user-defined classes.
 */
import { defineCheck } from '../define-check.js';
import { dataOf, describeData, methodCall, refusesData } from './shared.js';

export default defineCheck({
  id: 'estimators/feature-count-mismatch',
  title: 'Data with a different number of features than the estimator was fitted on',
  rung: 'contracts',
  libraries: ['sklearn'],
  on: {
    call(event, context) {
      const call = methodCall(event);
      if (!call?.X || !refusesData(call, 'features')) return;
      if (call.X.fact.kind === 'dataframe' && !refusesData(call, 'names')) return;
      const { features } = call.estimator;
      const { columns, ndim } = dataOf(context, call.X.fact);
      if (features === undefined || columns === undefined || ndim !== 2 || columns === features) return;
      const owner = context.text(call.receiver.node);
      const given = context.text(call.X.node);
      const isNamed = call.X.fact.kind === 'dataframe' && call.estimator.featureNames !== undefined;
      context.report({
        exception: 'ValueError',
        message: isNamed
          ? 'The feature names should match those that were passed during fit.\n…'
          : `X has ${columns} features, but ${call.name} is expecting ${features} features as input.`,
        evidence: [
          { fact: `${owner} was fitted on ${features} features`, source: context.source(call.receiver) },
          { fact: describeData(context, call.X), source: context.source(call.X) },
        ],
        explanation: `\`${context.text(event.node.func)}\` raises ValueError: ${given} has ${columns} columns, ${owner} was fitted on ${features}.`,
        remedy: `Give ${owner} the ${features} columns it was fitted on, prepared in the same way.`,
      });
    },
  },
});
