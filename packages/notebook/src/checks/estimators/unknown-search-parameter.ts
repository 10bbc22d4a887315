/**
 * # A search over a parameter that the estimator does not have
 *
 * ## What
 * The grid of `GridSearchCV` or `RandomizedSearchCV` names a parameter that the searched estimator does not take.
 *
 * ## Why it crashes
 * The search sets each candidate with `set_params`, which raises `ValueError: Invalid parameter`.
 *
 * ## Example
 * ```python state
 * import numpy as np
 * from sklearn.model_selection import GridSearchCV
 * from sklearn.tree import DecisionTreeClassifier
 *
 * X, y = np.random.rand(10, 2), np.array([0, 1] * 5)
 * ```
 * ```python cell
 * GridSearchCV(DecisionTreeClassifier(), {"depth": [1, 2]}).fit(X, y)
 * ```
 *
 * ## Fix
 * Use the parameter's name; inside a pipeline, `step__parameter`.
 * ```python fixed
 * GridSearchCV(DecisionTreeClassifier(), {"max_depth": [1, 2]}).fit(X, y)
 * ```
 *
 * ## When it stays silent
 * When the grid or the estimator's parameters are not known completely.
 */
import { nearest } from '@grus/core';
import type { Estimator } from '../../libraries/sklearn/kinds.js';
import type { Fact } from '../../reasoning/facts.js';
import { type CheckContext, defineCheck } from '../define-check.js';
import { methodCall } from './shared.js';

export default defineCheck({
  id: 'estimators/unknown-search-parameter',
  title: 'A search over a parameter that the estimator does not have',
  rung: 'contracts',
  libraries: ['sklearn'],
  on: {
    call(event, context) {
      const call = methodCall(event);
      if (!call || !/^sklearn\.model_selection\.(Grid|Randomized)SearchCV$/.test(call.estimator.class ?? ''))
        return;
      if (call.method !== 'fit') return;
      const { parameters } = call.estimator;
      const inner = parameters?.get('estimator');
      const grid = parameters?.get('param_grid') ?? parameters?.get('param_distributions');
      if (inner === undefined || grid === undefined) return;
      const searched = context.look(inner);
      if (searched.kind !== 'estimator') return;
      const keys = keysOf(context, context.look(grid));
      for (const key of keys) {
        // A search may also put other estimators in its place.
        if (keys.some((other) => key.startsWith(`${other}__`))) continue;
        const problem = problemWith(context, searched, key);
        if (!problem) continue;
        const near = nearest(key, problem.valid);
        context.report({
          exception: 'ValueError',
          message: `Invalid parameter '${problem.name}' for estimator ${problem.owner}(…). Valid parameters are: […].`,
          evidence: [
            {
              fact: `${problem.owner} takes ${problem.valid.slice(0, 30).join(', ')}`,
              source: context.source(call.receiver),
            },
          ],
          explanation: `\`${context.text(event.node.func)}\` raises ValueError: ${problem.owner} has no parameter '${problem.name}'.`,
          remedy:
            near.length > 0
              ? `Did you mean '${near[0]}'?`
              : `Use a parameter of ${problem.owner}; in a pipeline, step__parameter.`,
        });
        return;
      }
    },
  },
});

function keysOf(context: CheckContext, grid: Fact): string[] {
  if (grid.kind === 'list') return (grid.items ?? []).flatMap((item) => keysOf(context, context.look(item)));
  if (grid.kind !== 'dict' || !grid.entries) return [];
  return [...grid.entries.values()].map(({ key }) => key).filter((key) => typeof key === 'string');
}

interface Problem {
  readonly name: string;
  readonly owner: string;
  readonly valid: readonly string[];
}

function problemWith(context: CheckContext, estimator: Estimator, key: string): Problem | undefined {
  const owner = estimator.class?.split('.').at(-1) ?? 'the estimator';
  if (!/^(sklearn)\./.test(estimator.class ?? '')) return undefined;
  if (/^(Pipeline|ColumnTransformer|FeatureUnion)$/.test(owner))
    return problemInStep(context, estimator, key, owner);
  const valid = estimator.accepts;
  if (!valid || valid.length === 0 || key.includes('__')) return undefined;
  return valid.includes(key) ? undefined : { name: key, owner, valid };
}

const ownOfPipeline = ['memory', 'steps', 'verbose', 'transform_input'];

function problemInStep(
  context: CheckContext,
  pipeline: Estimator,
  key: string,
  owner: string,
): Problem | undefined {
  if (owner !== 'Pipeline' || !pipeline.steps) return undefined;
  const names = pipeline.steps.map((step) => step.name);
  const at = key.indexOf('__');
  const head = at < 0 ? key : key.slice(0, at);
  const valid = [...ownOfPipeline, ...names];
  if (!valid.includes(head)) return { name: head, owner, valid };
  const step = pipeline.steps.find(({ name }) => name === head);
  const inner = step?.object === undefined ? undefined : context.look(step.object);
  return at < 0 || inner?.kind !== 'estimator' ? undefined : problemWith(context, inner, key.slice(at + 2));
}
