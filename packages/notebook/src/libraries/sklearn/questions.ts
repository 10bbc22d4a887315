// What may be asked of scikit-learn, in a copy of the kernel: pure functions, and fits of estimators that take no time or can
// be cut short.
import type { Context } from '../../reasoning/context.js';
import type { Fact, FactOf, Ref } from '../../reasoning/facts.js';
import type { Planned } from '../../reasoning/inquiry/planned.js';
import { partsOf, words } from '../../reasoning/inquiry/planning.js';
import type { QuestionRules } from '../../reasoning/library.js';
import { fitsInPlace } from './classes.js';

const pure =
  /^sklearn\.(metrics(\.\w+)?|preprocessing|impute|compose|pipeline|feature_extraction(\.\w+)?|feature_selection|model_selection|linear_model|naive_bayes|neighbors|discriminant_analysis|dummy|tree|ensemble|svm|decomposition|cluster|datasets|base)\.\w+$/;
const exceptions =
  /\.(cross_val\w*|cross_validate|learning_curve|validation_curve|permutation_test_score|\w+Display|plot_\w+|fetch_\w+|make_(?!pipeline|column_transformer|union|scorer)\w+|load_(files|svmlight\w*|sample\w*)|resample|shuffle|check_random_state|\w+SearchCV)$/;
/** Classes and makers of estimators: their parameters are judged when they are fitted. */
const makers =
  /^sklearn\.(?!metrics)[\w.]*\.[A-Z]\w*$|^sklearn\.pipeline\.make_\w+$|^sklearn\.compose\.make_\w+$/;

/** Methods that change an estimator. */
const fitting = words('fit partial_fit fit_transform fit_predict');
/** Estimators that are fitted in no time on little data. */
const quickToFit =
  /\.(\w*Scaler|\w*Encoder|\w*Imputer|\w*Binarizer|Normalizer|PolynomialFeatures|PowerTransformer|QuantileTransformer|KBinsDiscretizer|FunctionTransformer|ColumnTransformer|\w*Vectorizer|TfidfTransformer|SelectKBest|SelectPercentile|VarianceThreshold|PCA|TruncatedSVD|LinearRegression|Ridge|RidgeClassifier|Lasso|ElasticNet|LogisticRegression|\w*NB|Dummy\w+|KNeighbors\w+|NearestNeighbors|NearestCentroid|DecisionTree\w+|LinearDiscriminantAnalysis|QuadraticDiscriminantAnalysis|LabelPropagation|IsotonicRegression|RadiusNeighbors\w+)$/;
/** Estimators that judge their input before they work long on it: they are tried with next to no work to do. */
const cutShort =
  /^(xgboost\.XGB|lightgbm\.LGBM)\w+$|^sklearn\.[\w.]+\.(RandomForest\w+|ExtraTrees\w+|GradientBoosting\w+|HistGradientBoosting\w+|IsolationForest|KMeans|GaussianMixture|AdaBoost\w+|Bagging\w+|SVC|SVR|LinearSVC|LinearSVR|MLP\w+|SGD\w+|Perceptron|PassiveAggressive\w+)$/;

/** Work that is spread over processes cannot be tried in a copy. */
function isSpread(context: Context, jobs: Ref | undefined): boolean {
  const count = jobs === undefined ? null : context.literal(jobs);
  return count !== null && count !== 1;
}

/** Whether it, or of a pipeline all that is in it, is of such a class. */
function isMadeOf(fact: FactOf<'estimator'>, isSuch: (className: string) => boolean): boolean {
  if (!/\.Pipeline$/.test(fact.class ?? '')) return isSuch(fact.class ?? '');
  return fact.steps?.every((step) => isSuch(step.class)) ?? false;
}

export const questions: QuestionRules = {
  purity(name) {
    if (!name.startsWith('sklearn.')) return undefined;
    if (!pure.test(name) || exceptions.test(name)) return 'no';
    return makers.test(name) ? 'quiet' : 'askable';
  },
  quietMethods: words('get_params'),
  askableMethods: words(
    `predict predict_proba predict_log_proba decision_function score inverse_transform transform get_feature_names_out
    kneighbors`,
  ),
  random: /\.(train_test_split|KMeans|TSNE|MiniBatchKMeans|mutual_info_\w+)$/,
  classes: /^sklearn\./,
  kinds: {
    estimator: {
      isData: true,
      holdsParts: true,
      isUsable: ({ class: name = '' }: Fact) => /^(sklearn|xgboost|lightgbm)\./.test(name),
    },
  },
  planCall({ args, receiver, method }, _callee, context, exact): Planned | null | undefined {
    if (isSpread(context, args.keywords.get('n_jobs')?.ref)) return null;
    const fact = receiver?.fact;
    if (fact?.kind !== 'estimator' || method === null) return undefined;
    const isSpreadFit = isSpread(context, fact.parameters?.get('n_jobs'));
    if (!fitting.has(method)) return isSpreadFit ? null : undefined;
    const made = exact.stepOf(receiver!.ref);
    const parts = made === undefined ? undefined : partsOf(exact, args);
    if (made === undefined || !parts) return null;
    const step = { receiver: made, name: method, ...parts };
    const isQuick = (name: string) => quickToFit.test(name);
    const isOpen = fitsInPlace(fact.class);
    if (isSpreadFit || !isMadeOf(fact, isQuick))
      return isMadeOf(fact, (name) => isQuick(name) || cutShort.test(name))
        ? { step: { op: 'tried', ...step }, urgency: 'needed', isRandom: true, drops: true, isOpen }
        : null;
    return {
      step: { op: method === 'fit' || method === 'partial_fit' ? 'fitted' : 'apart', ...step },
      urgency: 'needed',
      after: { op: 'fitted', ...step },
      isOpen,
    };
  },
};
