/**
 * # Features with one dimension instead of two
 *
 * ## What
 * A Series, a flat list or a 1-D array is given as X.
 *
 * ## Why it crashes
 * X is a table of samples by features; scikit-learn raises `ValueError: Expected 2D array, got 1D array instead`.
 *
 * ## Example
 * ```python state
 * import pandas as pd
 * from sklearn.preprocessing import StandardScaler
 *
 * df = pd.DataFrame({"age": [30.0, 40.0]})
 * scaler = StandardScaler()
 * ```
 * ```python cell
 * scaler.fit(df["age"])
 * ```
 *
 * ## Fix
 * Select a frame (`df[['age']]`), or reshape: `.reshape(-1, 1)` for one feature, `.reshape(1, -1)` for one sample.
 * ```python fixed
 * scaler.fit(df[["age"]])
 * ```
 *
 * ## When it stays silent
 * For encoders of labels and text, which take one dimension, and when the dimensions are not known.
 */
import { defineCheck } from '../define-check.js';
import { dataOf, methodCall, refusesData } from './shared.js';

export default defineCheck({
  id: 'estimators/one-dimensional-features',
  title: 'Features with one dimension instead of two',
  rung: 'contracts',
  libraries: ['sklearn'],
  on: {
    call(event, context) {
      const call = methodCall(event);
      if (!call?.X || !refusesData(call, 'flat')) return;
      if (dataOf(context, call.X.fact).ndim !== 1) return;
      const given = context.text(call.X.node);
      const isSeries = call.X.fact.kind === 'series';
      const what = isSeries ? 'a Series' : call.X.fact.kind === 'ndarray' ? 'a 1-D array' : 'a flat list';
      context.report({
        exception: 'ValueError',
        message: isSeries
          ? "Expected a 2-dimensional container but got <class 'pandas.Series'> instead. Pass a DataFrame containing a single row (i.e. single sample) or a single column (i.e. single feature) instead."
          : 'Expected 2D array, got 1D array instead…',
        evidence: [{ fact: `${given} is ${what}`, source: context.source(call.X) }],
        explanation: `\`${context.text(event.node.func)}\` raises ValueError: X must have two dimensions, and ${given} is ${what}.`,
        remedy: isSeries
          ? `Pass a frame: \`${asFrame(given)}\`.`
          : `Reshape it: \`.reshape(-1, 1)\` for one feature, \`.reshape(1, -1)\` for one sample.`,
      });
    },
  },
});

/** The same row or column in double brackets, which keep two dimensions. */
function asFrame(series: string): string {
  const bracketed = series.replace(/\[([^[\]]+)\]$/, '[[$1]]');
  return bracketed === series ? `${series}.to_frame()` : bracketed;
}
