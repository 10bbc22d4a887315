// scikit-learn: splitting, making estimators, fitting and transforming.
import type { Estimator, Fact, Frame, Ref, Series } from '../../facts.js';
import type { Interpreter } from '../../interpreter/interpreter.js';
import { argument, literalArgument } from '../arguments.js';
import type { CallSite, CallTransfer, Library } from '../library.js';
import { shapeOf } from '../numpy/shapes.js';
import { someRows } from '../pandas/frames.js';
import { someOf } from '../pandas/selection.js';
import { lengthOf } from '../python/builtins.js';

/** One part of a split: the same sort of object with other rows. */
function part(fact: Fact, rows: number | undefined): Fact {
  switch (fact.kind) {
    case 'dataframe':
      return someRows(fact as Frame, rows);
    case 'series':
      return someOf(fact as Series, rows);
    case 'ndarray':
    case 'tensor':
      return {
        kind: fact.kind,
        ...(fact.class !== undefined && { class: fact.class }),
        ...(fact.dtype !== undefined && { dtype: fact.dtype }),
        ...(fact.shape && { shape: [rows ?? null, ...fact.shape.slice(1)] }),
      };
    case 'list':
      return { kind: 'list', class: 'builtins.list', ...(rows !== undefined && { length: rows }) };
    default:
      return { kind: 'unknown' };
  }
}

/** Sizes of both parts as scikit-learn computes them. */
function sizes(
  interpreter: Interpreter,
  site: CallSite,
  total: number | undefined,
): [number | undefined, number | undefined] {
  const test = argument(site, null, 'test_size');
  const train = argument(site, null, 'train_size');
  if (total === undefined || train || !site.args.complete) return [undefined, undefined];
  const size = test ? literalArgument(interpreter, site, null, 'test_size') : 0.25;
  if (typeof size !== 'number') return [undefined, undefined];
  const isShare = test ? test.fact.kind === 'scalar' && test.fact.type === 'float' : true;
  const rows = isShare ? Math.ceil(size * total) : size;
  return [total - rows, rows];
}

const trainTestSplit: CallTransfer = (site, interpreter) => {
  if (!site.args.complete) return interpreter.unknown();
  const items: Ref[] = [];
  for (const { fact } of site.args.positional) {
    const [train, test] = sizes(interpreter, site, lengthOf(fact));
    items.push(interpreter.put(part(fact, train)), interpreter.put(part(fact, test)));
  }
  return interpreter.put({ kind: 'list', class: 'builtins.list', items, length: items.length });
};

const families =
  /^sklearn\.(linear_model|ensemble|tree|svm|neighbors|naive_bayes|preprocessing|decomposition|cluster|neural_network|gaussian_process|discriminant_analysis|impute|feature_selection|manifold|mixture|isotonic|kernel_ridge|cross_decomposition|random_projection|calibration|dummy|multiclass|multioutput)\.[A-Z]\w*$/;
const boosters = /^(xgboost\.XGB\w+|lightgbm\.LGBM\w+|catboost\.CatBoost\w*)$/;

export function isEstimatorClass(name: string): boolean {
  return families.test(name) || boosters.test(name);
}

/** A fresh estimator knows its parameters and is not fitted. */
export function makeEstimator(site: CallSite, interpreter: Interpreter, name: string): Ref {
  return interpreter.put({
    kind: 'estimator',
    class: name,
    fitted: false,
    parameters: new Map([...site.args.keywords].map(([key, operand]) => [key, operand.ref])),
  });
}

const fit: CallTransfer = (site, interpreter) => {
  const receiver = site.receiver!;
  const fact = receiver.fact as Estimator;
  const X = argument(site, 0, 'X') ?? argument(site, 0, 'raw_documents') ?? argument(site, 0, 'y');
  const features = X ? shapeOf(X.fact)?.[1] : undefined;
  const labels = X?.fact.kind === 'dataframe' ? X.fact.columns?.map((column) => column.label) : undefined;
  const isText =
    labels?.every((label): label is string => typeof label === 'string') && !(X!.fact as Frame).unordered;
  const { path: _, members: __, attributes: ___, ...rest } = fact;
  interpreter.state.update(receiver.ref, {
    kind: 'estimator',
    ...(rest.class !== undefined && { class: rest.class }),
    ...(rest.parameters && { parameters: rest.parameters }),
    fitted: true,
    ...(typeof features === 'number' && { features }),
    ...(labels && isText && { featureNames: labels as string[] }),
  });
  return receiver.ref;
};

/** The rows of the input, with as many columns as the transformer gives. */
const transform: CallTransfer = (site, interpreter) => {
  const fact = site.receiver!.fact as Estimator;
  const X = argument(site, 0, 'X');
  if (site.method === 'fit_transform') fit(site, interpreter);
  const rows = X && lengthOf(X.fact);
  const keepsWidth =
    /\.(StandardScaler|MinMaxScaler|RobustScaler|MaxAbsScaler|Normalizer|PowerTransformer|QuantileTransformer)$/.test(
      fact.class ?? '',
    );
  const width = X ? shapeOf(X.fact)?.[1] : undefined;
  const components = fact.parameters?.get('n_components');
  const count = components === undefined ? undefined : interpreter.literal(components);
  if (keepsWidth)
    return interpreter.put({ kind: 'ndarray', class: 'numpy.ndarray', shape: [rows ?? null, width ?? null] });
  if (/\.(PCA|TruncatedSVD|NMF|KernelPCA|FastICA|TSNE)$/.test(fact.class ?? ''))
    return interpreter.put({
      kind: 'ndarray',
      class: 'numpy.ndarray',
      shape: [rows ?? null, typeof count === 'number' && count >= 1 ? count : null],
    });
  if (/\.LabelEncoder$/.test(fact.class ?? '')) {
    const y = argument(site, 0, 'y') ?? X;
    const length = y && lengthOf(y.fact);
    return interpreter.put({
      kind: 'ndarray',
      class: 'numpy.ndarray',
      shape: [length ?? null],
      dtype: 'int64',
    });
  }
  return interpreter.unknown();
};

const predict: CallTransfer = (site, interpreter) => {
  const fact = site.receiver!.fact as Estimator;
  const X = argument(site, 0, 'X');
  const rows = X && lengthOf(X.fact);
  if (!/^(sklearn|xgboost|lightgbm)\./.test(fact.class ?? '')) return interpreter.unknown();
  const isRegressor =
    /(Regressor|Regression|Ridge|Lasso|ElasticNet|SVR|Lars|BayesianRidge)$/.test(fact.class!) &&
    !/LogisticRegression$/.test(fact.class!);
  if (site.method === 'predict') {
    if (!isRegressor) return interpreter.unknown();
    return interpreter.put({
      kind: 'ndarray',
      class: 'numpy.ndarray',
      values: { predictedBy: fact.class!, hasNan: false },
      ...(rows !== undefined && { shape: [rows] }),
    });
  }
  return interpreter.unknown();
};

const estimatorMethods: Record<string, CallTransfer> = {
  fit,
  partial_fit: fit,
  fit_transform: transform,
  transform,
  predict,
  predict_proba: predict,
  fit_predict: (site, interpreter) => {
    fit(site, interpreter);
    return interpreter.unknown();
  },
  score: (_site, interpreter) => interpreter.put({ kind: 'scalar', type: 'float' }),
  get_params: (_site, interpreter) => interpreter.unknown(),
};

export const sklearn: Library = {
  functions: { 'sklearn.model_selection.train_test_split': trainTestSplit },
  methods: { estimator: estimatorMethods },
};
