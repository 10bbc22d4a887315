// scikit-learn and the boosters that follow it: making estimators, fitting, transforming and predicting.

import type { Parameter } from '@grus/kernel/snapshot';
import { argument } from '../../reasoning/arguments.js';
import { type Context, Memory } from '../../reasoning/context.js';
import { type Fact, known, type Layer, type Ref } from '../../reasoning/facts.js';
import { lengthOf, shapeOf } from '../../reasoning/kinds.js';
import type { CallSite, CallTransfer, Transfers } from '../../reasoning/library.js';
import { putList, putScalar, putTuple } from '../../reasoning/plain-objects.js';
import type { Frame } from '../pandas/kinds.js';
import { fitsInPlace, isEstimatorClass, leadingParameters } from './classes.js';
import type { Estimator } from './kinds.js';
import { splitMethods, splitters, trainTestSplit } from './splitting.js';

/** A fresh estimator is not fitted; parameters that it does not list have their defaults. */
function makeEstimator(
  site: CallSite,
  context: Context,
  name: string,
  signature: readonly Parameter[] | undefined,
): Ref {
  const leading = leadingParameters(name);
  const isKnown = site.args.complete && site.args.positional.length <= leading.length;
  const parameters = new Map<string, Ref>();
  site.args.positional.forEach((operand, index) => {
    if (leading[index] !== undefined) parameters.set(leading[index], operand.ref);
  });
  for (const [key, operand] of site.args.keywords) parameters.set(key, operand.ref);
  const steps = isKnown ? stepsOf(context, parameters) : undefined;
  return context.put({
    kind: 'estimator',
    class: name,
    fitted: false,
    parameters,
    ...(signature &&
      !signature.some(({ kind }) => kind.startsWith('var_')) && {
        accepts: signature.map((parameter) => parameter.name),
      }),
    ...(isKnown && { fresh: true }),
    steps,
  });
}

function stepsOf(context: Context, parameters: ReadonlyMap<string, Ref>): Layer[] | undefined {
  const given =
    parameters.get('steps') ?? parameters.get('transformers') ?? parameters.get('transformer_list');
  const list = given === undefined ? undefined : context.look(given);
  if (list?.kind !== 'list' || !list.items) return undefined;
  const steps: Layer[] = [];
  for (const item of list.items) {
    const pair = context.look(item);
    const [name, object] = pair.kind === 'tuple' ? (pair.items ?? []) : [];
    const text = name === undefined ? undefined : context.literal(name);
    if (typeof text !== 'string' || object === undefined) return undefined;
    steps.push({ name: text, class: context.look(object).class ?? '?', object });
  }
  return steps;
}

/** `make_pipeline(a, b)`: steps are named after their classes. */
const makePipeline: CallTransfer = (site, context) => {
  if (!site.args.complete) return context.unknown();
  const pairs = site.args.positional.map((operand) => {
    const name = operand.fact.class?.split('.').at(-1)?.toLowerCase();
    return putTuple(context, [
      name === undefined ? context.unknown() : context.putLiteral(name),
      operand.ref,
    ]);
  });
  const list = putList(context, pairs);
  const parameters = new Map([...site.args.keywords].map(([key, operand]) => [key, operand.ref] as const));
  parameters.set('steps', list);
  const counts = new Set(site.args.positional.map((operand) => operand.fact.class));
  const steps = counts.size === pairs.length ? stepsOf(context, parameters) : undefined;
  return context.put({
    kind: 'estimator',
    class: 'sklearn.pipeline.Pipeline',
    fitted: false,
    fresh: true,
    parameters,
    steps,
  });
};

/** What `fit` learns about its first argument. */
const fit: CallTransfer = (site, context) => {
  const receiver = site.receiver!;
  const fact = receiver.fact as Estimator;
  const X = site.args.positional[0] ?? argument(site, 0, 'X') ?? argument(site, 0, 'y');
  if (fitsInPlace(fact.class))
    for (const ref of fact.parameters?.values() ?? []) context.state.mayMutate(ref);
  context.state.update(receiver.ref, { ...afterFit(fact), ...learned(fact, X?.fact) });
  return receiver.ref;
};

function afterFit(fact: Estimator): Estimator {
  return known({
    kind: 'estimator',
    class: fact.class,
    bases: fact.bases,
    parameters: fact.parameters,
    ...(fact.fresh && { fresh: true }),
    steps: fact.steps,
    accepts: fact.accepts,
    fitted: true,
  });
}

const labelCoders = /\.(LabelEncoder|LabelBinarizer|MultiLabelBinarizer)$/;
const textReaders = /\.(CountVectorizer|TfidfVectorizer|HashingVectorizer|DictVectorizer)$/;

function learned(fact: Estimator, X: Fact | undefined): Partial<Estimator> {
  if (!X || textReaders.test(fact.class ?? '')) return {};
  if (labelCoders.test(fact.class ?? '')) {
    const values = X.kind === 'series' || X.kind === 'ndarray' ? X.values : undefined;
    // One more class for missing values is no matter to what is asked of an encoder: whether it knows a label.
    const isSure =
      values?.hasNan === false || (values?.hasNan !== true && /LabelEncoder$/.test(fact.class ?? ''));
    const isWhole = values?.examplesComplete && values.exhaustive && isSure;
    return isWhole && values.examples ? { classes: values.examples } : {};
  }
  const features = shapeOf(X)?.[1];
  const samples = lengthOf(X);
  const labels = X.kind === 'dataframe' ? X.columns?.map((column) => column.label) : undefined;
  const isText =
    labels?.every((label): label is string => typeof label === 'string') && !(X as Frame).unordered;
  return {
    ...(typeof features === 'number' && { features }),
    ...(samples !== undefined && { samples }),
    ...(labels && isText && { featureNames: labels as string[] }),
  };
}

const widthKeepers =
  /\.(StandardScaler|MinMaxScaler|RobustScaler|MaxAbsScaler|Normalizer|PowerTransformer|QuantileTransformer)$/;
const reducers = /\.(PCA|TruncatedSVD|NMF|KernelPCA|FastICA|TSNE)$/;

/** Something in the notebook may have told transformers to give frames. */
const output = new Memory(({ sources }) => ({
  isArray: !sources.some((source) => source.includes('transform_output')),
}));

/** The rows of the input, with as many columns as the transformer gives. */
const transform: CallTransfer = (site, context) => {
  const fact = site.receiver!.fact as Estimator;
  const X = site.args.positional[0] ?? argument(site, 0, 'X') ?? argument(site, 0, 'y');
  if (site.method === 'fit_transform') fit(site, context);
  const rows = X && lengthOf(X.fact);
  const className = fact.class ?? '';
  const array = (shape: readonly (number | null)[], dtype?: string) =>
    context.put({ kind: 'ndarray', class: 'numpy.ndarray', shape, dtype });
  if (labelCoders.test(className))
    return /LabelEncoder$/.test(className) ? array([rows ?? null], 'int64') : context.unknown();
  // A transformer may have been told to give frames; sparse input stays sparse.
  const isDense = X?.fact.kind === 'ndarray' || X?.fact.kind === 'dataframe';
  const givesArrays =
    context.recall(output).isArray &&
    (fact.fresh || (fact.attributes && !fact.attributes.has('_sklearn_output_config')));
  if (!givesArrays || !isDense) return context.unknown();
  const width = shapeOf(X.fact)?.[1] ?? null;
  if (widthKeepers.test(className)) return array([rows ?? null, width]);
  if (reducers.test(className)) {
    const given = fact.parameters?.get('n_components');
    const count = given === undefined ? undefined : context.literal(given);
    return array([
      rows ?? null,
      typeof count === 'number' && Number.isInteger(count) && count >= 1 ? count : null,
    ]);
  }
  return context.unknown();
};

/** Regressors whose predictions are real numbers that practically never are all whole. */
const continuous =
  /\.(LinearRegression|Ridge|RidgeCV|SVR|MLPRegressor|BayesianRidge|GradientBoostingRegressor|HistGradientBoostingRegressor|ElasticNet|XGBRegressor|LGBMRegressor)$/;

const predict: CallTransfer = (site, context) => {
  const fact = site.receiver!.fact as Estimator;
  const X = argument(site, 0, 'X');
  const rows = X && lengthOf(X.fact);
  const className = fact.class ?? '';
  if (!isEstimatorClass(className)) return context.unknown();
  if (site.method === 'predict' && continuous.test(className))
    return context.put({
      kind: 'ndarray',
      class: 'numpy.ndarray',
      values: { predictedBy: className, hasNan: false },
    });
  if (
    site.method === 'predict_proba' &&
    fact.classes &&
    /Classifier$|LogisticRegression$|NB$|SVC$/.test(className)
  )
    return context.put({
      kind: 'ndarray',
      class: 'numpy.ndarray',
      shape: [rows ?? null, fact.classes.length],
      values: { hasNan: false },
    });
  return context.unknown();
};

const estimatorMethods: Record<string, CallTransfer> = {
  fit,
  partial_fit: fit,
  fit_transform: transform,
  transform,
  predict,
  predict_proba: predict,
  predict_log_proba: (_site, context) => context.unknown(),
  decision_function: (_site, context) => context.unknown(),
  inverse_transform: (_site, context) => context.unknown(),
  fit_predict: (site, context) => {
    fit(site, context);
    return context.unknown();
  },
  score: (_site, context) => putScalar(context, 'float'),
  get_params: (_site, context) => context.unknown(),
  get_feature_names_out: (_site, context) => context.unknown(),
};

export const estimators: Transfers = {
  anyFunction: (site, { fact }, context) =>
    site.target !== null && isEstimatorClass(site.target)
      ? makeEstimator(site, context, site.target, fact.signature)
      : undefined,
  functions: {
    'sklearn.model_selection.train_test_split': trainTestSplit,
    'sklearn.pipeline.make_pipeline': makePipeline,
    ...splitters,
  },
  methods: { estimator: estimatorMethods, instance: splitMethods },
};
