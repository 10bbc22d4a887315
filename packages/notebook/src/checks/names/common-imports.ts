// The imports behind names that notebooks use as if they were always there. Only names with one customary meaning.

const modules: Readonly<Record<string, string>> = {
  np: 'import numpy as np',
  pd: 'import pandas as pd',
  pl: 'import polars as pl',
  plt: 'import matplotlib.pyplot as plt',
  mpl: 'import matplotlib as mpl',
  sns: 'import seaborn as sns',
  px: 'import plotly.express as px',
  go: 'import plotly.graph_objects as go',
  sp: 'import scipy as sp',
  sm: 'import statsmodels.api as sm',
  smf: 'import statsmodels.formula.api as smf',
  tf: 'import tensorflow as tf',
  nn: 'import torch.nn as nn',
  F: 'import torch.nn.functional as F',
  optim: 'import torch.optim as optim',
  xgb: 'import xgboost as xgb',
  lgb: 'import lightgbm as lgb',
  nx: 'import networkx as nx',
  dt: 'import datetime as dt',
};

const plain = (
  'os sys re json math random time datetime glob shutil pickle copy csv gc itertools functools collections warnings ' +
  'subprocess pathlib string statistics torch torchvision sklearn scipy numpy pandas matplotlib seaborn keras ' +
  'tensorflow xgboost lightgbm cv2 joblib requests nltk spacy transformers'
).split(' ');

const members: Readonly<Record<string, readonly string[]>> = {
  'sklearn.model_selection': [
    'train_test_split',
    'GridSearchCV',
    'RandomizedSearchCV',
    'cross_val_score',
    'cross_val_predict',
    'cross_validate',
    'KFold',
    'StratifiedKFold',
  ],
  'sklearn.metrics': [
    'accuracy_score',
    'confusion_matrix',
    'classification_report',
    'mean_squared_error',
    'mean_absolute_error',
    'r2_score',
    'f1_score',
    'precision_score',
    'recall_score',
    'roc_auc_score',
    'roc_curve',
    'log_loss',
    'silhouette_score',
    'ConfusionMatrixDisplay',
  ],
  'sklearn.preprocessing': [
    'StandardScaler',
    'MinMaxScaler',
    'RobustScaler',
    'LabelEncoder',
    'OneHotEncoder',
    'OrdinalEncoder',
    'PolynomialFeatures',
    'LabelBinarizer',
  ],
  'sklearn.linear_model': [
    'LinearRegression',
    'LogisticRegression',
    'Ridge',
    'Lasso',
    'ElasticNet',
    'SGDClassifier',
  ],
  'sklearn.ensemble': [
    'RandomForestClassifier',
    'RandomForestRegressor',
    'GradientBoostingClassifier',
    'GradientBoostingRegressor',
    'AdaBoostClassifier',
    'VotingClassifier',
  ],
  'sklearn.tree': ['DecisionTreeClassifier', 'DecisionTreeRegressor', 'plot_tree'],
  'sklearn.neighbors': ['KNeighborsClassifier', 'KNeighborsRegressor'],
  'sklearn.svm': ['SVC', 'SVR', 'LinearSVC'],
  'sklearn.naive_bayes': ['GaussianNB', 'MultinomialNB'],
  'sklearn.cluster': ['KMeans', 'DBSCAN', 'AgglomerativeClustering'],
  'sklearn.decomposition': ['PCA', 'TruncatedSVD', 'NMF'],
  'sklearn.manifold': ['TSNE'],
  'sklearn.pipeline': ['Pipeline', 'make_pipeline'],
  'sklearn.compose': ['ColumnTransformer'],
  'sklearn.impute': ['SimpleImputer', 'KNNImputer'],
  'sklearn.feature_extraction.text': ['CountVectorizer', 'TfidfVectorizer'],
  'torch.utils.data': ['DataLoader', 'TensorDataset'],
  collections: ['Counter', 'defaultdict', 'OrderedDict', 'namedtuple', 'deque'],
  pathlib: ['Path'],
  PIL: ['Image'],
  functools: ['partial', 'reduce'],
  'scipy.stats': ['zscore'],
  xgboost: ['XGBClassifier', 'XGBRegressor'],
  lightgbm: ['LGBMClassifier', 'LGBMRegressor'],
  'tqdm.auto': ['tqdm'],
};

const statements = new Map<string, string>(Object.entries(modules));
for (const name of plain) statements.set(name, `import ${name}`);
for (const [module, names] of Object.entries(members))
  for (const name of names) statements.set(name, `from ${module} import ${name}`);

/** The statement that customarily brings the name, or undefined. */
export function importOf(name: string): string | undefined {
  return statements.get(name);
}
