/**
 * # More folds than samples
 *
 * ## What
 * Cross-validation uses more folds than there are samples or, if it is stratified, more folds than any class has members.
 *
 * ## Why it crashes
 * Every fold needs at least one sample (of each class); scikit-learn raises `ValueError`.
 *
 * ## Example
 * ```python state
 * import numpy as np
 * from sklearn.linear_model import LinearRegression
 * from sklearn.model_selection import cross_val_score
 *
 * X, y = np.random.rand(6, 2), np.arange(6.0)
 * model = LinearRegression()
 * ```
 * ```python cell
 * cross_val_score(model, X, y, cv=10)
 * ```
 *
 * ## Fix
 * Use at most as many folds as samples, or as members of the classes.
 * ```python fixed
 * cross_val_score(model, X, y, cv=3)
 * ```
 *
 * ## When it stays silent
 * When the number of folds or samples is not known, and for generators of folds that nothing iterates.
 */
import { type Node, walk } from '@grus/python';
import { kindOf } from '../../libraries/sklearn/classes.js';
import { argument } from '../../reasoning/arguments.js';
import type { Fact } from '../../reasoning/facts.js';
import { type CheckContext, defineCheck } from '../define-check.js';
import { type CallEvent, dataOf } from './shared.js';
import { targetKind, valuesOf } from './targets.js';

const validators = /^sklearn\.model_selection\.(cross_val_score|cross_validate|cross_val_predict)$/;

interface Plan {
  readonly splits: number;
  readonly stratified: boolean | undefined;
  readonly X: Fact;
  readonly y: Fact | undefined;
}

export default defineCheck({
  id: 'estimators/too-many-splits',
  title: 'More folds than samples',
  rung: 'contracts',
  libraries: ['sklearn'],
  on: {
    call(event, context) {
      const plan = validation(event, context) ?? iteration(event, context);
      if (!plan) return;
      const { splits, stratified } = plan;
      const rows = dataOf(context, plan.X).rows;
      const most = plan.y && stratified ? valuesOf(context, plan.y)?.commonest : undefined;
      const isShort = rows !== undefined && splits > rows;
      if (!isShort && (most === undefined || splits <= most)) return;
      context.report({
        exception: 'ValueError',
        message: isShort
          ? `Cannot have number of splits n_splits=${splits} greater than the number of samples: n_samples=${rows}.`
          : `n_splits=${splits} cannot be greater than the number of members in each class.`,
        evidence: [
          {
            fact: isShort ? `there are ${rows} samples` : `no class has more than ${most} members`,
            source: context.text(event.node),
          },
        ],
        explanation: `\`${context.text(event.node.func)}\` raises ValueError: ${splits} folds of ${isShort ? `${rows} samples` : `classes with at most ${most} members`}.`,
        remedy: `Use at most ${isShort ? rows : most} folds.`,
      });
    },
  },
});

function foldsOf(context: CheckContext, fact: Fact): { splits: number; kind: string } | undefined {
  const kind = /^sklearn\.model_selection\.(KFold|StratifiedKFold)$/.exec(fact.class ?? '')?.[1];
  const ref = fact.attributes?.get('n_splits');
  const splits = kind && ref !== undefined ? context.literal(ref) : undefined;
  return kind && typeof splits === 'number' ? { splits, kind } : undefined;
}

/** `cross_val_score(model, X, y, cv=5)`. */
function validation(event: CallEvent, context: CheckContext): Plan | undefined {
  if (event.target === null || !validators.test(event.target)) return undefined;
  const X = argument(event, 1, 'X');
  const y = argument(event, 2, 'y');
  const cv = argument(event, null, 'cv');
  const model = argument(event, 0, 'estimator');
  if (!X || !cv || !model) return undefined;
  const number = context.literal(cv.ref);
  if (typeof number === 'number') {
    const estimator = kindOf(model.fact.class);
    const kind = y && targetKind(context, y.fact);
    const stratified = estimator === 'classifier' ? kind === 'binary' || kind === 'multiclass' : false;
    if (estimator === undefined) return undefined;
    return { splits: number, stratified, X: X.fact, y: y?.fact };
  }
  const folds = foldsOf(context, cv.fact);
  return folds && { splits: folds.splits, stratified: folds.kind !== 'KFold', X: X.fact, y: y?.fact };
}

/** `for train, test in folds.split(X, y)`: the folds are counted when the first one is asked for. */
function iteration(event: CallEvent, context: CheckContext): Plan | undefined {
  if (event.method !== 'split' || !event.receiver) return undefined;
  const folds = foldsOf(context, event.receiver.fact);
  const X = argument(event, 0, 'X');
  const y = argument(event, 1, 'y');
  if (!folds || !X || !isIterated(event.node, context)) return undefined;
  return { splits: folds.splits, stratified: folds.kind !== 'KFold', X: X.fact, y: y?.fact };
}

function isIterated(call: Node, context: CheckContext): boolean {
  for (const node of walk(context.cell.module)) {
    const iterable = node.nodeType === 'For' || node.nodeType === 'Comprehension' ? node.iter : undefined;
    if (!iterable) continue;
    if (iterable === call) return true;
    const isWrapped =
      iterable.nodeType === 'Call' && iterable.func.nodeType === 'Name' && iterable.func.id === 'enumerate';
    if (isWrapped && iterable.args[0] === call) return true;
  }
  return false;
}
