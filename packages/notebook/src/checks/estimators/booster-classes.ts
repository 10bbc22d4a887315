/**
 * # Classes that do not count from zero for XGBoost
 *
 * ## What
 * `XGBClassifier.fit` gets labels that are not exactly 0, 1, …, n-1.
 *
 * ## Why it crashes
 * XGBoost takes labels as positions and raises `ValueError: Invalid classes inferred from unique values of y`.
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
 * Encode the labels: `LabelEncoder().fit_transform(y)`, or subtract the smallest.
 * ```python fixed
 * XGBClassifier(n_estimators=2).fit(X, y - 1)
 * ```
 *
 * ## When it stays silent
 * When the labels are not known completely.
 */
import { listed } from '../../reasoning/literals.js';
import { defineCheck } from '../define-check.js';
import { methodCall } from './shared.js';
import { valuesOf } from './targets.js';

export default defineCheck({
  id: 'estimators/booster-classes',
  title: 'Classes that do not count from zero for XGBoost',
  rung: 'contracts',
  libraries: ['xgboost'],
  on: {
    call(event, context) {
      const call = methodCall(event);
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
