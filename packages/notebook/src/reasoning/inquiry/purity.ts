// Which functions and methods of the data libraries may be asked of the real library: they change nothing, draw nothing at
// random, leave the machine alone, and give the same for the same. `quiet` ones fail so rarely, or so plainly, that no
// question is put for their sake; their values are told when a question is put anyway.

const words = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/).filter(Boolean));

const pandasFunctions =
  words(`to_datetime to_numeric to_timedelta cut qcut merge merge_asof merge_ordered concat get_dummies
  crosstab pivot_table pivot melt wide_to_long date_range period_range timedelta_range bdate_range interval_range Series
  DataFrame Index MultiIndex DatetimeIndex Categorical CategoricalDtype CategoricalIndex Timestamp Timedelta Period Interval
  isna isnull notna notnull unique factorize array json_normalize DateOffset`);
const numpyExceptions =
  /^numpy\.(random|testing|lib|ctypeslib|ma|f2py)\.|^numpy\.(save\w*|load\w*|fromfile|memmap|seterr\w*|errstate|put|put_along_axis|copyto|place|putmask|fill_diagonal|set_\w+|printoptions|vectorize|frompyfunc|nditer|info|show_\w+|get_include|ndenumerate|ndindex)$/;
const builtins =
  words(`int float str bool len list tuple dict set frozenset sorted sum min max abs round divmod pow chr ord
  repr format bytes complex hash hex bin range`);
const standard =
  /^(json\.(loads|dumps)|pickle\.dumps|ast\.literal_eval|math\.\w+|statistics\.\w+|re\.(compile|match|search|findall|sub|split|fullmatch|escape)|datetime\.(datetime|date|time|timedelta)(\.(strptime|fromisoformat|fromtimestamp|fromordinal|combine))?|collections\.(Counter|OrderedDict|deque|ChainMap)|decimal\.Decimal|fractions\.Fraction|urllib\.parse\.\w+|base64\.\w+|copy\.(copy|deepcopy)|textwrap\.\w+|string\.\w+|calendar\.\w+|struct\.\w+|unicodedata\.\w+|dateutil\.parser\.parse|operator\.\w+)$/;
const scientific =
  /^scipy\.(stats|linalg|special|spatial|spatial\.distance|sparse|interpolate|signal|cluster\.hierarchy|ndimage|fft|integrate)\.\w+$|^statsmodels\.(api|tsa\.\w+|stats\.\w+|regression\.\w+|discrete\.\w+|genmod\.\w+|tools\.\w+)\.\w+(\.\w+)?$/;
const learning =
  /^sklearn\.(metrics(\.\w+)?|preprocessing|impute|compose|pipeline|feature_extraction(\.\w+)?|feature_selection|model_selection|linear_model|naive_bayes|neighbors|discriminant_analysis|dummy|tree|ensemble|svm|decomposition|cluster|datasets|base)\.\w+$/;
const notLearning =
  /\.(cross_val\w*|cross_validate|learning_curve|validation_curve|permutation_test_score|\w+Display|plot_\w+|fetch_\w+|make_(?!pipeline|column_transformer|union|scorer)\w+|load_(files|svmlight\w*|sample\w*)|resample|shuffle|check_random_state|\w+SearchCV)$/;
/** Random unless they are told where to begin. */
const seeded = /\.(train_test_split|KMeans|TSNE|MiniBatchKMeans|mutual_info_\w+)$/;

/** Makers of data and models of the boosters; they judge what they are given when they are fitted. */
const boosting =
  /^xgboost\.(XGB\w+|DMatrix|QuantileDMatrix)$|^lightgbm\.(LGBM\w+|Dataset|early_stopping|log_evaluation)$/;

export type Purity = 'askable' | 'quiet' | 'no';

const quietFunctions =
  /^builtins\.(len|list|tuple|dict|set|frozenset|str|repr|bool|range|abs|hash|sorted|round|sum|format)$|^numpy\.(mean|sum|std|var|median|unique|isnan|isinf|exp|abs|absolute|zeros|ones|empty|zeros_like|ones_like|full|arange|linspace|eye|where|any|all|round|sort|argsort|cumsum|ndim|shape|size|sign|square|float64|float32|int64|int32)$|^pandas\.(isna|isnull|notna|notnull|unique|Index|Series|Timestamp|Timedelta|DateOffset|date_range|CategoricalDtype)$|^math\.(ceil|floor|isnan)$|^collections\.\w+$|^copy\.\w+$/;

export function functionPurity(name: string): Purity {
  if (!isPureFunction(name)) return 'no';
  return quietFunctions.test(name) || isEstimatorMaker(name) ? 'quiet' : 'askable';
}

/** A class of scikit-learn: its parameters are judged when it is fitted. */
function isEstimatorMaker(name: string): boolean {
  return /^(xgboost\.XGB|lightgbm\.)\w+$|^sklearn\.(?!metrics)[\w.]*\.[A-Z]\w*$|^sklearn\.pipeline\.make_\w+$|^sklearn\.compose\.make_\w+$/.test(
    name,
  );
}

/** Random, or another answer at another time. */
const changing =
  /\.(rvs|bootstrap|permutation_test|monte_carlo_test|qmc|random\w*|rand|now|today|utcnow|empty|empty_like|from_formula)$|simulat|generat/;

function isPureFunction(name: string): boolean {
  if (changing.test(name)) return false;
  const [root, last = ''] = [name.slice(0, name.indexOf('.')), name.slice(name.lastIndexOf('.') + 1)];
  switch (root) {
    case 'builtins':
      return builtins.has(last);
    case 'pandas':
      return pandasFunctions.has(name.split('.')[1] ?? '');
    case 'numpy':
      return !numpyExceptions.test(name);
    case 'scipy':
    case 'statsmodels':
      return scientific.test(name);
    case 'sklearn':
      return learning.test(name) && !notLearning.test(name);
    case 'xgboost':
    case 'lightgbm':
      return boosting.test(name);
    default:
      return standard.test(name);
  }
}

/** Makers of tensors out of other data, which refuse texts, frames and rows of unequal length. */
export function makesTensor(name: string): boolean {
  return /^torch\.(tensor|as_tensor|from_numpy|Tensor|(Float|Double|Long|Int|Bool)Tensor)$/.test(name);
}

/** Functions that read a small file or list files, as long as the cell has written none. */
export function readsFile(name: string): boolean {
  return /^pandas\.read_(csv|table|json|excel|parquet|fwf)$|^numpy\.(loadtxt|genfromtxt|load)$|^glob\.glob$/.test(
    name,
  );
}

/** Whether the outcome depends on chance: then its exception tells something, its value nothing. */
export function drawsAtRandom(name: string, hasSeed: boolean): boolean {
  return !hasSeed && (seeded.test(name) || /\.sample$/.test(name));
}

const quietMethods =
  words(`head tail copy describe mean sum min max std var median count nunique unique value_counts isna isnull
  notna notnull any all tolist to_list to_numpy keys get sort_index reset_index fillna round columns cumsum abs lower upper
  strip title capitalize startswith endswith isdigit replace size first last mode idxmax idxmin info dropna drop_duplicates
  duplicated sort_values flatten ravel transpose items values argsort argmax argmin item strftime total_seconds isoformat
  date get_params squeeze nonzero ffill bfill shift diff rank`);
const askableMethods =
  words(`add agg aggregate align apply asfreq asof assign astype at_time between between_time clip combine
  combine_first compare convert_dtypes corr corrwith cov cummax cummin cumprod div divide dot drop droplevel eq equals
  expanding explode factorize filter first_valid_index floordiv ge get_group groupby gt infer_objects interpolate isin join kurt
  last_valid_index le lt map mask melt merge mod mul multiply ne nlargest nsmallest pct_change pivot pivot_table pow prod
  quantile reindex reindex_like rename rename_axis reorder_levels repeat resample rolling sample searchsorted
  select_dtypes sem set_axis set_index skew stack sub subtract swaplevel take to_dict to_frame to_period to_timestamp transform
  truediv truncate tz_convert tz_localize unstack where xs nth ngroup cumcount ohlc ewm
  split rsplit lstrip rstrip contains len extract extractall findall match zfill pad slice cat isnumeric index find fullmatch
  get_dummies floor ceil normalize day_name month_name isocalendar to_pydatetime codes rename_categories reorder_categories
  add_categories remove_categories set_categories as_ordered
  reshape swapaxes compress diagonal trace choose conj ptp
  predict predict_proba predict_log_proba decision_function score inverse_transform get_feature_names_out kneighbors
  toarray todense tocsr tocsc tocoo
  encode decode format partition rpartition splitlines center ljust rjust casefold translate union intersection difference
  symmetric_difference issubset issuperset group groups span start end
  strptime timestamp weekday isoweekday timetuple toordinal fit_regularized get_prediction get_forecast forecast conf_int
  summary wald_test f_test t_test`);
/** Methods that change an estimator. */
const fitting = words('fit partial_fit fit_transform fit_predict');
/** Estimators that are fitted in no time on little data. */
const quickToFit =
  /\.(\w*Scaler|\w*Encoder|\w*Imputer|\w*Binarizer|Normalizer|PolynomialFeatures|PowerTransformer|QuantileTransformer|KBinsDiscretizer|FunctionTransformer|ColumnTransformer|\w*Vectorizer|TfidfTransformer|SelectKBest|SelectPercentile|VarianceThreshold|PCA|TruncatedSVD|LinearRegression|Ridge|RidgeClassifier|Lasso|ElasticNet|LogisticRegression|\w*NB|Dummy\w+|KNeighbors\w+|NearestNeighbors|NearestCentroid|DecisionTree\w+|LinearDiscriminantAnalysis|QuadraticDiscriminantAnalysis|LabelPropagation|IsotonicRegression|RadiusNeighbors\w+)$/;

export function methodPurity(name: string): Purity {
  if (quietMethods.has(name)) return 'quiet';
  return askableMethods.has(name) ? 'askable' : 'no';
}

export function isFitting(name: string): boolean {
  return fitting.has(name);
}

export function isQuickToFit(className: string | undefined): boolean {
  return className !== undefined && quickToFit.test(className);
}

/** Estimators that judge their input before they work long on it: they are tried with next to no work to do. */
export function isTrimmable(className: string | undefined): boolean {
  return className !== undefined && trimmable.test(className);
}

/** Functions that train a booster round by round. */
export function trainsBooster(name: string): boolean {
  return /^(xgboost|lightgbm)\.train$/.test(name);
}

const trimmable =
  /^(xgboost\.XGB|lightgbm\.LGBM)\w+$|^sklearn\.[\w.]+\.(RandomForest\w+|ExtraTrees\w+|GradientBoosting\w+|HistGradientBoosting\w+|IsolationForest|KMeans|GaussianMixture|AdaBoost\w+|Bagging\w+|SVC|SVR|LinearSVC|LinearSVR|MLP\w+|SGD\w+|Perceptron|PassiveAggressive\w+)$/;

/** Methods of pandas with `inplace` that are otherwise pure. */
export function hasInPlace(name: string): boolean {
  return inPlace.has(name);
}

const inPlace =
  words(`drop rename fillna dropna drop_duplicates reset_index set_index sort_values sort_index replace ffill bfill
  clip interpolate mask where rename_axis`);
