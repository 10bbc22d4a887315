/**
 * # Negative values where counts are expected
 *
 * ## What
 * X contains a negative value, and the estimator or score works on counts or frequencies.
 *
 * ## Why it crashes
 * Multinomial models, non-negative factorisation and the chi-squared score raise `ValueError` for negative values.
 *
 * ## Example
 * ```python state
 * import numpy as np
 * from sklearn.naive_bayes import GaussianNB, MultinomialNB
 *
 * X = np.array([[-1.0, 0.5], [1.0, -0.5]])
 * y = np.array([0, 1])
 * ```
 * ```python cell
 * MultinomialNB().fit(X, y)
 * ```
 *
 * ## Fix
 * Use `MinMaxScaler`, counts, or a model for real numbers such as `GaussianNB`.
 * ```python fixed
 * GaussianNB().fit(X, y)
 * ```
 *
 * ## When it stays silent
 * When no negative value was seen.
 */
import type { Literal } from '@grus/kernel/snapshot';
import { argument } from '../../reasoning/arguments.js';
import type { Operand } from '../../reasoning/events.js';
import { pythonRepr } from '../../reasoning/literals.js';
import { defineCheck } from '../define-check.js';
import { methodCall } from './shared.js';

const counting =
  /^sklearn\.(naive_bayes\.(MultinomialNB|ComplementNB)|decomposition\.(NMF|LatentDirichletAllocation))$/;

export default defineCheck({
  id: 'estimators/negative-values',
  title: 'Negative values where counts are expected',
  rung: 'contracts',
  libraries: ['sklearn'],
  on: {
    call(event, context) {
      const call = methodCall(event);
      const isFit =
        call && counting.test(call.estimator.class ?? '') && /^fit(_transform)?$/.test(call.method);
      const isScore = event.target === 'sklearn.feature_selection.chi2';
      const X = isFit ? call.X : isScore ? argument(event, 0, 'X') : undefined;
      const negative = X && negativeIn(X);
      if (!X || !negative) return;
      const given = context.text(X.node);
      const where =
        negative.column === undefined ? given : `the column ${pythonRepr(negative.column)} of ${given}`;
      context.report({
        exception: 'ValueError',
        message: isFit
          ? `Negative values in data passed to ${call.name === 'NMF' ? 'NMF' : call.name} (input X)…`
          : 'Input X must be non-negative.',
        evidence: [
          { fact: `the smallest value of ${where} is ${negative.value}`, source: context.source(X) },
        ],
        explanation: `\`${context.text(event.node.func)}\` raises ValueError: ${where} holds ${negative.value}, and only values from 0 on are allowed.`,
        remedy: 'Scale with MinMaxScaler, or use a model for real numbers.',
      });
    },
  },
});

function negativeIn({ fact }: Operand): { value: number; column?: Literal } | undefined {
  if (fact.kind === 'dataframe') {
    for (const { label, values, dtype } of fact.columns ?? [])
      if (values?.min !== undefined && values.min < 0 && /^(int|float)/.test(dtype ?? ''))
        return { value: values.min, column: label };
    return undefined;
  }
  if (fact.kind !== 'ndarray' || !/^(int|float)/.test(fact.dtype ?? '')) return undefined;
  return fact.values?.min !== undefined && fact.values.min < 0 ? { value: fact.values.min } : undefined;
}
