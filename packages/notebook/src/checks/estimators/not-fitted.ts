/**
 * # An estimator that is used before it is fitted
 *
 * ## What
 * `predict`, `transform`, `score` or the like is called on an estimator whose `fit` has not run.
 *
 * ## Why it crashes
 * Estimators keep what they learned in attributes that `fit` sets; without them they raise `NotFittedError`.
 *
 * ## Example
 * ```python state
 * import numpy as np
 * from sklearn.preprocessing import StandardScaler
 *
 * X_train, X_test = np.random.rand(8, 2), np.random.rand(4, 2)
 * scaler = StandardScaler()
 * ```
 * ```python cell
 * X_test = scaler.transform(X_test)
 * ```
 *
 * ## Fix
 * Call `fit` (or `fit_transform`) on training data first.
 * ```python fixed
 * X_test = scaler.fit(X_train).transform(X_test)
 * ```
 *
 * ## When it stays silent
 * For estimators that need no fitting, for user-defined classes, and when anything in the cell may have fitted the
 * estimator before: a pipeline that holds it, a function that got it, a `fit` on an object that is not known.
 */
import { type Expression, type Node, placeOf, walk } from '@grus/python';
import { refuses } from '../../libraries/sklearn/classes.js';
import { type CheckContext, defineCheck } from '../define-check.js';
import { type MethodCall, methodCall, parameterValue } from './shared.js';

const fitting = /^(fit|partial_fit|fit_transform|fit_predict|fit_resample|train|set_params|load_model)$/;
export default defineCheck({
  id: 'estimators/not-fitted',
  title: 'An estimator that is used before it is fitted',
  rung: 'contracts',
  libraries: ['sklearn', 'xgboost', 'lightgbm'],
  on: {
    loadAttribute(event, context) {
      const { receiver, name } = event;
      const className = receiver.fact.class ?? '';
      if (receiver.fact.kind !== 'estimator' || receiver.fact.fitted !== false) return;
      if (!refuses(className, name, 'importances')) return;
      if (mayBeFittedElsewhere(event.node, context)) return;
      const owner = context.text(receiver.node);
      const kind = className.split('.').at(-1)!;
      context.report({
        exception: 'NotFittedError',
        message: `This ${kind} instance is not fitted yet. Call 'fit' with appropriate arguments before using this estimator.`,
        evidence: [
          { fact: `${owner} is ${article(kind)} that has not been fitted`, source: context.source(receiver) },
        ],
        explanation: `\`${context.text(event.node)}\` raises NotFittedError: ${owner} has not been fitted.`,
        remedy: `Call \`${owner}.fit(…)\` first. Cross-validation and searches fit copies, not the object itself.`,
      });
    },
    call(event, context) {
      const call = methodCall(event);
      if (call?.estimator.fitted !== false) return;
      const refusal = refusalOf(call, context);
      if (refusal === undefined) return;
      if (call.event.args.positional.length + call.event.args.keywords.size === 0) return;
      if (mayBeFittedElsewhere(event.node, context)) return;
      const owner = context.text(call.receiver.node);
      context.report({
        ...refusal,
        evidence: [
          {
            fact: `${owner} is ${article(call.name)} that has not been fitted`,
            source: context.source(call.receiver),
          },
        ],
        explanation: `\`${context.text(event.node.func)}\` raises ${refusal.exception}: ${owner} has not been fitted.`,
        remedy:
          call.method === 'transform'
            ? `Fit it first: \`${owner}.fit(…)\` on the training data, or \`${owner}.fit_transform(…)\`.`
            : `Call \`${owner}.fit(…)\` on the training data first. Cross-validation and searches fit copies, not the object itself.`,
      });
    },
  },
});

/** Methods of boosters and of vectorizers, which have tests and words of their own. */
const ofBoosters = new Set(['predict', 'predict_proba', 'score']);
const ofVectorizers: Readonly<Record<string, string>> = {
  CountVectorizer: 'Vocabulary not fitted or provided',
  TfidfVectorizer: 'The TF-IDF vectorizer is not fitted',
};

function refusalOf({ estimator, name, method }: MethodCall, context: CheckContext) {
  const className = estimator.class ?? '';
  if (refuses(className, method, 'unfitted'))
    return {
      exception: 'NotFittedError',
      message: `This ${name} instance is not fitted yet. Call 'fit' with appropriate arguments before using this estimator.`,
    };
  if (className.startsWith('xgboost.') && ofBoosters.has(method))
    return { exception: 'NotFittedError', message: 'need to call fit or load_model beforehand' };
  if (className.startsWith('lightgbm.') && ofBoosters.has(method))
    return {
      exception: 'LGBMNotFittedError',
      message: 'Estimator not fitted, call fit before exploiting the model.',
    };
  const ofVectorizer = className.startsWith('sklearn.') ? ofVectorizers[name] : undefined;
  if (ofVectorizer === undefined || method !== 'transform') return undefined;
  const hasOwnWords = parameterValue(context, estimator, 'vocabulary', null) !== null;
  return hasOwnWords ? undefined : { exception: 'NotFittedError', message: ofVectorizer };
}

/** Whether the cell contains a `fit` before this place on something whose identity is not known. */
function mayBeFittedElsewhere(use: Node, context: CheckContext): boolean {
  for (const node of walk(context.cell.module)) {
    if (node.nodeType === 'Name' && node.id === 'getattr') return true;
    if (node.nodeType !== 'Call' || node.func.nodeType !== 'Attribute' || !fitting.test(node.func.attr))
      continue;
    if (placeOf(node).line > placeOf(use).line && !insideLoop(context)) continue;
    if (!isKnownReceiver(node.func.value, context)) return true;
  }
  return false;
}

function insideLoop(context: CheckContext): boolean {
  for (const node of walk(context.cell.module))
    if (node.nodeType === 'For' || node.nodeType === 'While') return true;
  return false;
}

function isKnownReceiver(node: Expression, context: CheckContext): boolean {
  if (node.nodeType === 'Call') return node.func.nodeType === 'Name' && /^[A-Z]/.test(node.func.id);
  if (node.nodeType !== 'Name') return false;
  const ref = context.nameRef(node.id);
  const kind = ref === undefined ? undefined : context.look(ref).kind;
  return kind === 'estimator' || kind === 'keras-model';
}

function article(name: string): string {
  return /^[AEIOU]/.test(name) ? `an ${name}` : `a ${name}`;
}
