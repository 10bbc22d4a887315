/**
 * # A parameter value that the estimator does not accept
 *
 * ## What
 * `fit` is called on an estimator that was made with a parameter outside of its options or range.
 *
 * ## Why it crashes
 * scikit-learn checks parameters when `fit` is called and raises `InvalidParameterError` (a `ValueError`).
 *
 * ## Example
 * ```python state
 * import numpy as np
 * from sklearn.tree import DecisionTreeRegressor
 *
 * X, y = np.random.rand(10, 2), np.arange(10)
 * model = DecisionTreeRegressor(max_depth=0)
 * ```
 * ```python cell
 * model.fit(X, y)
 * ```
 *
 * ## Fix
 * Use a value that the message lists.
 * ```python fixed
 * model.set_params(max_depth=3).fit(X, y)
 * ```
 *
 * ## When it stays silent
 * When the installed version declares no constraints, and for values that are not plain.
 */
import type { Literal } from '@grus/kernel/snapshot';
import type { Estimator } from '../../libraries/sklearn/kinds.js';
import { type CheckContext, defineCheck } from '../define-check.js';
import { isOwn, methodCall } from './shared.js';

const fitting = new Set(['fit', 'fit_transform', 'fit_predict', 'partial_fit']);

export default defineCheck({
  id: 'estimators/invalid-parameter',
  title: 'A parameter value that the estimator does not accept',
  rung: 'contracts',
  libraries: ['sklearn'],
  on: {
    call(event, context) {
      const call = methodCall(event);
      if (!call || !fitting.has(call.method) || !isOwn(call.estimator)) return;
      const pairs = doubtful(context, call.estimator);
      if (pairs.length === 0) return;
      const answer = context.ask({ ask: 'parameters', path: call.estimator.class!, value: pairs });
      if (answer?.status !== 'no' || answer.message === undefined) return;
      const owner = context.text(call.receiver.node);
      const name = /^The '(\w+)' parameter/.exec(answer.message)?.[1] ?? 'a parameter';
      const given = pairs.find(([key]) => key === name)?.[1];
      context.report({
        exception: 'InvalidParameterError',
        message: answer.message,
        evidence: [
          {
            fact: `${owner} was made with ${name}=${JSON.stringify(given)}`,
            source: context.source(call.receiver),
          },
        ],
        explanation: `\`${context.text(event.node.func)}\` raises InvalidParameterError: ${answer.message}`,
        remedy: `Give ${owner} another ${name}.`,
      });
    },
  },
});

/** Plain parameters that could be out of range: text, numbers that are not positive, fractions. */
function doubtful(context: CheckContext, estimator: Estimator): [string, Literal][] {
  const pairs: [string, Literal][] = [];
  for (const [name, ref] of estimator.parameters ?? []) {
    const fact = context.look(ref);
    if (fact.kind !== 'scalar' || fact.class?.startsWith('builtins.') !== true) continue;
    const value = context.literal(ref);
    if (typeof value === 'string' && fact.type === 'str') pairs.push([name, value]);
    if (
      typeof value === 'number' &&
      fact.type === 'int' &&
      value <= 0 &&
      name !== 'random_state' &&
      name !== 'verbose'
    )
      pairs.push([name, value]);
    if (typeof value === 'number' && fact.type === 'float' && !Number.isInteger(value))
      pairs.push([name, value]);
  }
  return pairs;
}
