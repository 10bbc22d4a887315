// Which scikit-learn classes the reasoning knows, and how their constructors are called by position.

const families =
  /^sklearn\.(linear_model|ensemble|tree|svm|neighbors|naive_bayes|preprocessing|decomposition|cluster|neural_network|gaussian_process|discriminant_analysis|impute|feature_selection|feature_extraction|manifold|mixture|isotonic|kernel_ridge|cross_decomposition|random_projection|calibration|dummy|multiclass|multioutput|pipeline|compose)\.[A-Z]\w*$/;
const searches =
  /^sklearn\.model_selection\.(GridSearchCV|RandomizedSearchCV|HalvingGridSearchCV|HalvingRandomSearchCV)$/;
const boosters = /^(xgboost\.XGB\w+|lightgbm\.LGBM\w+)$/;

export function isEstimatorClass(name: string): boolean {
  return families.test(name) || searches.test(name) || boosters.test(name);
}

/** Leading parameters that may be passed by position; everything behind them is keyword-only. */
const leading: Record<string, readonly string[]> = {
  KMeans: ['n_clusters'],
  MiniBatchKMeans: ['n_clusters'],
  AgglomerativeClustering: ['n_clusters'],
  SpectralClustering: ['n_clusters'],
  DBSCAN: ['eps'],
  PCA: ['n_components'],
  TruncatedSVD: ['n_components'],
  KernelPCA: ['n_components'],
  FastICA: ['n_components'],
  NMF: ['n_components'],
  TSNE: ['n_components'],
  GaussianMixture: ['n_components'],
  KNeighborsClassifier: ['n_neighbors'],
  KNeighborsRegressor: ['n_neighbors'],
  RandomForestClassifier: ['n_estimators'],
  RandomForestRegressor: ['n_estimators'],
  ExtraTreesClassifier: ['n_estimators'],
  ExtraTreesRegressor: ['n_estimators'],
  LogisticRegression: ['penalty'],
  Ridge: ['alpha'],
  Lasso: ['alpha'],
  ElasticNet: ['alpha'],
  SGDClassifier: ['loss'],
  LinearSVC: ['penalty'],
  MLPClassifier: ['hidden_layer_sizes', 'activation'],
  MLPRegressor: ['hidden_layer_sizes', 'activation'],
  PolynomialFeatures: ['degree'],
  MinMaxScaler: ['feature_range'],
  Normalizer: ['norm'],
  SelectKBest: ['score_func'],
  RFE: ['estimator'],
  SelectFromModel: ['estimator'],
  AdaBoostClassifier: ['estimator'],
  BaggingClassifier: ['estimator', 'n_estimators'],
  VotingClassifier: ['estimators'],
  VotingRegressor: ['estimators'],
  StackingClassifier: ['estimators', 'final_estimator'],
  StackingRegressor: ['estimators', 'final_estimator'],
  OneVsRestClassifier: ['estimator'],
  OneVsOneClassifier: ['estimator'],
  MultiOutputClassifier: ['estimator'],
  MultiOutputRegressor: ['estimator'],
  CalibratedClassifierCV: ['estimator'],
  FunctionTransformer: ['func', 'inverse_func'],
  Pipeline: ['steps'],
  FeatureUnion: ['transformer_list'],
  ColumnTransformer: ['transformers'],
  GridSearchCV: ['estimator', 'param_grid'],
  RandomizedSearchCV: ['estimator', 'param_distributions'],
};

export function leadingParameters(className: string): readonly string[] {
  const name = className.split('.').at(-1)!;
  return Object.hasOwn(leading, name) ? leading[name]! : [];
}

/** Estimators that fit the very objects they were given instead of clones of them. */
export function fitsInPlace(className: string | undefined): boolean {
  return className !== undefined && /\.(Pipeline|FeatureUnion)$/.test(className);
}
