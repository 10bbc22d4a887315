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
 * For estimators that need no fitting, for classes of the user's own, and when anything in the cell may have fitted the
 * estimator before: a pipeline that holds it, a function that got it, a `fit` on an object that is not known.
 */
import { type Expression, type Node, placeOf, walk } from '@grus/python';
import { type CheckContext, defineCheck } from '../define-check.js';
import { type MethodCall, methodCall, parameterValue } from './shared.js';

const needing = new Set([
  'predict',
  'predict_proba',
  'predict_log_proba',
  'decision_function',
  'transform',
  'inverse_transform',
  'score',
]);
const fitting = /^(fit|partial_fit|fit_transform|fit_predict|fit_resample|train|set_params|load_model)$/;
/** Work without fitting, or fail in another way. */
const exempt =
  /^(Normalizer|Binarizer|FunctionTransformer|AdditiveChi2Sampler|HashingVectorizer|FeatureHasher|PatchExtractor|GaussianProcessRegressor|IsotonicRegression|TargetEncoder|FrozenEstimator|LogisticRegressionCV|SelectFromModel|VotingClassifier|VotingRegressor|SelfTrainingClassifier|SparseCoder|Pipeline|FeatureUnion)$/;

/** Classes that compute the importances from the fitted trees. */
const importances =
  /^sklearn\.(ensemble\.(RandomForest|ExtraTrees|GradientBoosting)|tree\.(DecisionTree|ExtraTree))(Classifier|Regressor)$/;

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
      if (name !== 'feature_importances_' || !importances.test(className)) return;
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
      if (!call || !needing.has(call.method) || call.estimator.fitted !== false) return;
      const exception = exceptionOf(call);
      if (exception === undefined || exempt.test(call.name) || hasOwnVocabulary(call, context)) return;
      if (call.event.args.positional.length + call.event.args.keywords.size === 0) return;
      if (mayBeFittedElsewhere(event.node, context)) return;
      const owner = context.text(call.receiver.node);
      context.report({
        exception,
        message: messageOf(call),
        evidence: [
          {
            fact: `${owner} is ${article(call.name)} that has not been fitted`,
            source: context.source(call.receiver),
          },
        ],
        explanation: `\`${context.text(event.node.func)}\` raises ${exception}: ${owner} has not been fitted.`,
        remedy:
          call.method === 'transform'
            ? `Fit it first: \`${owner}.fit(…)\` on the training data, or \`${owner}.fit_transform(…)\`.`
            : `Call \`${owner}.fit(…)\` on the training data first. Cross-validation and searches fit copies, not the object itself.`,
      });
    },
  },
});

function exceptionOf({ estimator }: MethodCall): string | undefined {
  const name = estimator.class ?? '';
  if (name.startsWith('sklearn.') || name.startsWith('xgboost.')) return 'NotFittedError';
  return name.startsWith('lightgbm.') ? 'LGBMNotFittedError' : undefined;
}

function messageOf({ estimator, name }: MethodCall): string {
  if (estimator.class?.startsWith('xgboost.')) return 'need to call fit or load_model beforehand';
  if (estimator.class?.startsWith('lightgbm.'))
    return 'Estimator not fitted, call fit before exploiting the model.';
  if (name === 'CountVectorizer') return 'Vocabulary not fitted or provided';
  if (name === 'TfidfVectorizer') return 'The TF-IDF vectorizer is not fitted';
  return `This ${name} instance is not fitted yet. Call 'fit' with appropriate arguments before using this estimator.`;
}

function hasOwnVocabulary(call: MethodCall, context: CheckContext): boolean {
  return (
    /^(Count|Tfidf)Vectorizer$/.test(call.name) &&
    parameterValue(context, call.estimator, 'vocabulary', null) !== null
  );
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
