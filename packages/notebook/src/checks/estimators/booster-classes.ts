/**
 * # Targets that a classifier does not accept as classes
 *
 * ## What
 * `XGBClassifier.fit` gets labels that are not exactly 0, 1, …, n-1, or a classifier of scikit-learn gets numbers with fractions.
 *
 * ## Why it crashes
 * XGBoost takes labels as positions and raises `ValueError: Invalid classes inferred from unique values of y`; scikit-learn takes
 * fractions for the target of a regression and raises `ValueError: Unknown label type: continuous`.
 *
 * ## Example
 * ```python state
 * import numpy as np
 * from xgboost import XGBClassifier
 *
 * X = np.random.rand(30, 2)
 * y = np.array([1, 2, 3] * 10)
 * ```
 * ```python cell
 * XGBClassifier(n_estimators=2).fit(X, y)
 * ```
 *
 * ## Fix
 * Encode the labels: `LabelEncoder().fit_transform(y)`, or subtract the smallest. For a number as the target, use a regressor.
 * ```python fixed
 * XGBClassifier(n_estimators=2).fit(X, y - 1)
 * ```
 *
 * ## When it stays silent
 * When the labels are not known completely.
 */

import { kindOf, refuses } from '../../libraries/sklearn/classes.js';
import { listed } from '../../reasoning/literals.js';
import { type CheckContext, defineCheck } from '../define-check.js';
import { isOwn, type MethodCall, methodCall } from './shared.js';
import { targetKind, valuesOf } from './targets.js';

export default defineCheck({
  id: 'estimators/booster-classes',
  title: 'Targets that a classifier does not accept as classes',
  rung: 'contracts',
  libraries: ['xgboost', 'sklearn'],
  on: {
    call(event, context) {
      const call = methodCall(event);
      if (call) checkFractions(call, context);
      if (call?.estimator.class !== 'xgboost.XGBClassifier' || call.method !== 'fit' || !call.y) return;
      const values = valuesOf(context, call.y.fact);
      const { examples } = values ?? {};
      if (!values?.examplesComplete || !values.exhaustive || values.hasNan !== false || !examples?.length)
        return;
      if (!examples.every((value) => typeof value === 'string' || typeof value === 'number')) return;
      const isText = examples.every((value) => typeof value === 'string');
      const sorted = [...examples].sort((a, b) => (isText ? (a < b ? -1 : 1) : Number(a) - Number(b)));
      if (sorted.every((value, index) => value === index)) return;
      const given = context.text(call.y.node);
      const expected = sorted.map((_, index) => index).join(' ');
      const got = sorted.map((value) => (isText ? `'${value}'` : String(value))).join(' ');
      context.report({
        exception: 'ValueError',
        message: `Invalid classes inferred from unique values of \`y\`.  Expected: [${expected}], got [${got}]`,
        evidence: [{ fact: `${given} holds ${listed(sorted)}`, source: context.source(call.y) }],
        explanation: `\`${context.text(event.node.func)}\` raises ValueError: the classes of ${given} are ${listed(sorted)}, not 0 to ${sorted.length - 1}.`,
        remedy: 'Encode the labels first: `LabelEncoder().fit_transform(y)`.',
      });
    },
  },
});

function checkFractions({ event, estimator, method, y }: MethodCall, context: CheckContext): void {
  if (!y || method !== 'fit' || !isOwn(estimator) || kindOf(estimator.class) !== 'classifier') return;
  // One that looks at no data takes any target.
  if (!refuses(estimator.class, method, 'flat')) return;
  if (targetKind(context, y.fact) !== 'continuous') return;
  const given = context.text(y.node);
  context.report({
    exception: 'ValueError',
    message: 'Unknown label type: …',
    evidence: [{ fact: `${given} holds numbers with fractions`, source: context.source(y) }],
    explanation: `\`${context.text(event.node.func)}\` raises ValueError: ${given} holds numbers with fractions, which are no classes.`,
    remedy: 'Use a regressor, or make classes of the numbers first (`pd.cut`).',
  });
}
