/**
 * # Text among the features of a numeric estimator
 *
 * ## What
 * X has a column of strings, and the estimator turns X into numbers.
 *
 * ## Why it crashes
 * Converting the column raises `ValueError: could not convert string to float`.
 *
 * ## Example
 * ```python state
 * import pandas as pd
 * from sklearn.ensemble import RandomForestClassifier
 *
 * X = pd.DataFrame({"sex": ["male", "female", "male"]})
 * y = [0, 1, 0]
 * ```
 * ```python cell
 * RandomForestClassifier(n_estimators=2).fit(X, y)
 * ```
 *
 * ## Fix
 * Encode the column first (`OneHotEncoder`, `pd.get_dummies`, `.map`), or drop it.
 * ```python fixed
 * RandomForestClassifier(n_estimators=2).fit(pd.get_dummies(X), y)
 * ```
 *
 * ## When it stays silent
 * When no value was seen that is not a number, and for encoders, imputers, pipelines and booster libraries.
 */
import type { Literal } from '@grus/kernel/snapshot';
import type { Fact } from '../../reasoning/facts.js';
import { pythonRepr } from '../../reasoning/literals.js';
import { isTextual, refusedBy, textIn } from '../conversions/numbers.js';
import { defineCheck } from '../define-check.js';
import { methodCall, refusesData } from './shared.js';

export default defineCheck({
  id: 'estimators/string-features',
  title: 'Text among the features of a numeric estimator',
  rung: 'contracts',
  libraries: ['sklearn'],
  on: {
    call(event, context) {
      const call = methodCall(event);
      if (!call?.X || !refusesData(call, 'text')) return;
      const found = textGiven(call.X.fact);
      if (!found) return;
      const given = context.text(call.X.node);
      const value = pythonRepr(found.value);
      const where = found.column === undefined ? given : `the column ${pythonRepr(found.column)} of ${given}`;
      context.report({
        exception: 'ValueError',
        message: `could not convert string to float: ${value}`,
        evidence: [{ fact: `${where} holds ${value}`, source: context.source(call.X) }],
        explanation: `\`${context.text(event.node.func)}\` raises ValueError: ${call.name} needs numbers, and ${where} holds ${value}.`,
        remedy:
          'Encode the text first (OneHotEncoder, OrdinalEncoder, pd.get_dummies), or leave the column out.',
      });
    },
  },
});

/** A string that is not a number, and the column it stands in. */
function textGiven(fact: Fact): { readonly value: string; readonly column?: Literal } | undefined {
  if (fact.kind === 'dataframe') return textIn(fact.columns ?? []);
  if (fact.kind !== 'ndarray' || !isTextual(fact.dtype)) return undefined;
  const value = refusedBy(fact.values, 'float');
  return typeof value === 'string' ? { value } : undefined;
}
