/**
 * # A solver that does not support the penalty
 *
 * ## What
 * `LogisticRegression` is fitted with a combination of `solver` and `penalty` that no solver implements.
 *
 * ## Why it crashes
 * `lbfgs`, `newton-cg`, `newton-cholesky` and `sag` only know `l2` and no penalty; `fit` raises `ValueError` for others.
 *
 * ## Example
 * ```python state
 * import numpy as np
 * from sklearn.linear_model import LogisticRegression
 *
 * X, y = np.random.rand(10, 2), np.array([0, 1] * 5)
 * model = LogisticRegression(penalty="l1")
 * ```
 * ```python cell
 * model.fit(X, y)
 * ```
 *
 * ## Fix
 * Use `solver='saga'` (or `'liblinear'` for l1), or the penalty `l2`.
 * ```python fixed
 * LogisticRegression(penalty="l1", solver="saga").fit(X, y)
 * ```
 *
 * ## When it stays silent
 * When either option is not known.
 */
import { defineCheck } from '../define-check.js';
import { fittedParts, methodCall, parameterValue } from './shared.js';

export default defineCheck({
  id: 'estimators/solver-penalty',
  title: 'A solver that does not support the penalty',
  rung: 'contracts',
  libraries: ['sklearn'],
  on: {
    call(event, context) {
      const call = methodCall(event);
      if (call?.method !== 'fit') return;
      const model = fittedParts(context, call.estimator).find(
        (part) => part.class === 'sklearn.linear_model.LogisticRegression',
      );
      if (!model) return;
      const solver = parameterValue(context, model, 'solver', 'lbfgs');
      const penalty = parameterValue(context, model, 'penalty', 'l2');
      if (typeof solver !== 'string' || typeof penalty !== 'string') return;
      const message = refusal(solver, penalty);
      if (message === undefined) return;
      const owner = context.text(call.receiver.node);
      context.report({
        exception: 'ValueError',
        message,
        evidence: [
          {
            fact: `${owner} has solver='${solver}' and penalty='${penalty}'`,
            source: context.source(call.receiver),
          },
        ],
        explanation: `\`${context.text(event.node.func)}\` raises ValueError: ${message}`,
        remedy: penalty === 'l1' ? "Use solver='liblinear' or 'saga'." : "Use solver='saga'.",
      });
    },
  },
});

const onlyL2 = new Set(['lbfgs', 'newton-cg', 'newton-cholesky', 'sag']);

function refusal(solver: string, penalty: string): string | undefined {
  if (onlyL2.has(solver) && (penalty === 'l1' || penalty === 'elasticnet'))
    return `Solver ${solver} supports only 'l2' or None penalties, got ${penalty} penalty.`;
  if (solver === 'liblinear' && penalty === 'elasticnet')
    return `Only 'saga' solver supports elasticnet penalty, got solver=liblinear.`;
  return undefined;
}
