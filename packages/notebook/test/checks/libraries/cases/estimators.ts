// Estimators: fitted state, features, samples, text and missing values.
import type { CheckCase } from './case.js';

const data = `
import numpy as np, pandas as pd
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.ensemble import RandomForestClassifier, HistGradientBoostingClassifier
from sklearn.neighbors import KNeighborsClassifier
from sklearn.preprocessing import StandardScaler, MinMaxScaler, Normalizer, LabelEncoder, OneHotEncoder
from sklearn.pipeline import make_pipeline, Pipeline
from sklearn.model_selection import train_test_split, cross_val_score, GridSearchCV
from sklearn.tree import DecisionTreeClassifier
rng = np.random.default_rng(0)
df = pd.DataFrame({'age': rng.normal(40, 9, 60), 'fare': rng.normal(30, 5, 60), 'sex': ['male', 'female'] * 30})
df['y'] = np.arange(60) % 2
X = df[['age', 'fare']]
y = df['y']
`;

export const estimators: readonly CheckCase[] = [
  {
    check: 'estimators/not-fitted',
    name: 'a scaler',
    setup: `${data}scaler = StandardScaler()`,
    crash: 'X2 = scaler.transform(X)',
    raises: 'NotFittedError',
    line: 1,
    healthy: [
      'X2 = scaler.fit_transform(X)\nX3 = scaler.transform(X)',
      'scaler.fit(X)\nX2 = scaler.transform(X)',
      'pipe = make_pipeline(scaler, LogisticRegression())\npipe.fit(X, y)\nX2 = scaler.transform(X)',
      'parts = {"a": scaler}\nfor part in parts.values():\n    part.fit(X)\nX2 = scaler.transform(X)',
      'def prepare(tool):\n    tool.fit(X)\nprepare(scaler)\nX2 = scaler.transform(X)',
      'tools = [scaler]\n[tool.fit(X) for tool in tools]\nX2 = scaler.transform(X)',
      'getattr(scaler, "fit")(X)\nX2 = scaler.transform(X)',
      'scaler = Normalizer()\nX2 = scaler.transform(X)',
      'steps = [("a", scaler), ("b", LogisticRegression())]\nPipeline(steps).fit(X, y)\nX2 = scaler.transform(X)',
      'try:\n    scaler.transform(X)\nexcept Exception:\n    pass',
    ],
  },
  {
    check: 'estimators/not-fitted',
    name: 'a model after cross-validation',
    setup: data,
    crash:
      'model = RandomForestClassifier(n_estimators=5)\nscores = cross_val_score(model, X, y)\nguess = model.predict(X)',
    raises: 'NotFittedError',
    line: 3,
    healthy:
      'model = RandomForestClassifier(n_estimators=5)\nscores = cross_val_score(model, X, y)\nmodel.fit(X, y)\nguess = model.predict(X)',
  },
  {
    check: 'estimators/not-fitted',
    name: 'importances',
    setup: `${data}model = RandomForestClassifier(n_estimators=5)`,
    crash: 'cross_val_score(model, X, y)\nprint(model.feature_importances_)',
    raises: 'NotFittedError',
    line: 2,
    healthy: 'model.fit(X, y)\nprint(model.feature_importances_)',
  },
  {
    check: 'estimators/not-fitted',
    name: 'a booster',
    setup: `${data}import xgboost, lightgbm\nmodel = xgboost.XGBClassifier(n_estimators=2)`,
    crash: 'guess = model.predict(X)',
    raises: 'NotFittedError',
    line: 1,
    healthy: 'model.fit(X, y)\nguess = model.predict(X)',
  },
  {
    check: 'estimators/not-fitted',
    name: 'a vectorizer',
    setup: 'from sklearn.feature_extraction.text import TfidfVectorizer\ntexts = ["red wine", "white wine"]',
    crash: 'words = TfidfVectorizer()\nmatrix = words.transform(texts)',
    raises: 'NotFittedError',
    line: 2,
    healthy: 'words = TfidfVectorizer()\nwords.fit(texts)\nmatrix = words.transform(texts)',
  },
  {
    check: 'estimators/feature-count-mismatch',
    setup: `${data}model = LinearRegression().fit(X.to_numpy(), y)\nnew = X.to_numpy()[:, :1]`,
    crash: 'model.predict(new)',
    raises: 'ValueError',
    line: 1,
    healthy: ['model.predict(X.to_numpy())', 'model.fit(new, y)\nmodel.predict(new)'],
  },
  {
    check: 'estimators/feature-count-mismatch',
    name: 'inside the cell',
    setup: `${data}a = np.ones((30, 5))\nb = np.ones((8, 4))`,
    crash: 'scaler = StandardScaler()\na = scaler.fit_transform(a)\nb = scaler.transform(b)',
    raises: 'ValueError',
    line: 3,
    healthy: 'scaler = StandardScaler()\na = scaler.fit_transform(a)\nb = scaler.fit_transform(b)',
  },
  {
    check: 'estimators/feature-names-mismatch',
    setup: `${data}model = LogisticRegression().fit(X, y)\nnew = X.rename(columns={'fare': 'price'})`,
    crash: 'model.predict(new)',
    raises: 'ValueError',
    line: 1,
    healthy: [
      'model.predict(X)',
      'model.predict(new.rename(columns={"price": "fare"}))',
      'model.predict(new.to_numpy())',
    ],
  },
  {
    check: 'estimators/feature-names-mismatch',
    name: 'another order',
    setup: `${data}model = LogisticRegression().fit(X, y)`,
    crash: 'model.predict(df[["fare", "age"]])',
    raises: 'ValueError',
    line: 1,
    healthy: 'model.predict(df[["age", "fare"]])',
  },
  {
    check: 'estimators/feature-count-mismatch',
    name: 'where columns are picked by name, only what is picked counts',
    setup: `${data}from sklearn.compose import ColumnTransformer\nfrom sklearn.preprocessing import QuantileTransformer\nfrom sklearn.pipeline import make_pipeline\nscaler = StandardScaler().fit(X)\npicker = ColumnTransformer([("n", StandardScaler(), ["fare", "age"])]).fit(X)\nmodel = make_pipeline(picker, LogisticRegression()).fit(X, y)\nspread = QuantileTransformer(n_quantiles=2).fit(X)`,
    crash: 'scaler.transform(X.assign(more=1))',
    raises: 'ValueError',
    line: 1,
    healthy: [
      'picker.transform(X.assign(more=1))',
      'picker.transform(X[["fare", "age"]])',
      'model.predict(X.assign(more=1))',
      'spread.inverse_transform(spread.transform(X)), spread.inverse_transform(X.rename(columns={"fare": "price"}) * 0)',
    ],
  },
  {
    check: 'estimators/one-dimensional-features',
    setup: data,
    crash: 'scaler = MinMaxScaler()\nscaled = scaler.fit_transform(df["age"])',
    raises: 'ValueError',
    line: 2,
    healthy: [
      'scaler = MinMaxScaler()\nscaled = scaler.fit_transform(df[["age"]])',
      'scaler = MinMaxScaler()\nscaled = scaler.fit_transform(df["age"].to_numpy().reshape(-1, 1))',
      'codes = LabelEncoder().fit_transform(df["sex"])',
    ],
  },
  {
    check: 'estimators/one-dimensional-features',
    name: 'one sample as a list',
    setup: `${data}model = LinearRegression().fit(X.to_numpy(), y)`,
    crash: 'model.predict([40, 30])',
    raises: 'ValueError',
    line: 1,
    healthy: 'model.predict([[40, 30]])',
  },
  {
    check: 'estimators/string-features',
    setup: data,
    crash: 'model = RandomForestClassifier(n_estimators=3)\nmodel.fit(df[["age", "sex"]], y)',
    raises: 'ValueError',
    line: 2,
    healthy: [
      'model = RandomForestClassifier(n_estimators=3)\nmodel.fit(df[["age", "fare"]], y)',
      'OneHotEncoder().fit(df[["sex"]])',
      'part = df[["age", "sex"]].copy()\npart["sex"] = part["sex"].map({"male": 0, "female": 1})\nRandomForestClassifier(n_estimators=3).fit(part, y)',
      'part = pd.get_dummies(df[["age", "sex"]])\nRandomForestClassifier(n_estimators=3).fit(part, y)',
    ],
  },
  {
    check: 'estimators/missing-values',
    setup: `${data}X.loc[3, 'age'] = np.nan\nX = X.copy()`,
    crash: 'model = LogisticRegression()\nmodel.fit(X, y)',
    raises: 'ValueError',
    line: 2,
    healthy: [
      'HistGradientBoostingClassifier().fit(X, y)',
      'DecisionTreeClassifier().fit(X, y)',
      'LogisticRegression().fit(X.fillna(0), y)',
      'X = X.fillna(X.mean())\nLogisticRegression().fit(X, y)',
      'StandardScaler().fit(X)',
      'keep = X["age"].notna()\nLogisticRegression().fit(X[keep], y[keep])',
      'X["age"] = X["age"].fillna(1)\nLogisticRegression().fit(X, y)',
      'X.loc[3, "age"] = 4\nLogisticRegression().fit(X, y)',
      'X.dropna(inplace=True)\nLogisticRegression().fit(X, y.loc[X.index])',
    ],
  },
  {
    check: 'estimators/missing-values',
    name: 'infinity',
    setup: `${data}A = X.to_numpy().copy()\nA[2, 1] = np.inf`,
    crash: 'StandardScaler().fit(A)',
    raises: 'ValueError',
    line: 1,
    healthy: ['A[2, 1] = 0\nStandardScaler().fit(A)', 'StandardScaler().fit(np.nan_to_num(A))'],
  },
  {
    check: 'estimators/sample-count-mismatch',
    setup: `${data}short = y[:50]`,
    crash: 'LinearRegression().fit(X, short)',
    raises: 'ValueError',
    line: 1,
    healthy: [
      'LinearRegression().fit(X[:50], short)',
      'from sklearn.cluster import KMeans\nKMeans(2).fit(X, short)',
    ],
  },
  {
    check: 'estimators/sample-count-mismatch',
    name: 'after a split',
    setup: data,
    crash:
      'X_train, X_test, y_train, y_test = train_test_split(X, y, test_size=0.2)\nmodel = LogisticRegression()\nmodel.fit(X_train, y_test)',
    raises: 'ValueError',
    line: 3,
    healthy:
      'X_train, X_test, y_train, y_test = train_test_split(X, y, test_size=0.2)\nmodel = LogisticRegression()\nmodel.fit(X_train, y_train)',
  },
  {
    check: 'types/not-iterable',
    name: 'a fitted estimator in place of what was asked of it',
    setup: `${data}def train():
    return LogisticRegression().fit(X, y)
def both():
    model = LogisticRegression().fit(X, y)
    return model, model.score(X, y)`,
    crash: 'model, score = train()',
    raises: 'TypeError',
    line: 1,
    healthy: [
      'model, score = both()',
      'first, *others = RandomForestClassifier(3).fit(X, y)',
      'first, last = make_pipeline(StandardScaler(), LogisticRegression())',
      'LogisticRegression.__iter__ = lambda self: iter([self, 1])\nmodel, score = train()\ndel LogisticRegression.__iter__',
    ],
  },
  {
    check: 'types/not-subscriptable',
    name: 'an estimator',
    setup: `${data}model = LogisticRegression().fit(X, y)\nforest = RandomForestClassifier(3).fit(X, y)`,
    crash: 'weights = model["coef"]',
    raises: 'TypeError',
    line: 1,
    healthy: ['tree = forest[0]', 'step = make_pipeline(StandardScaler(), model)[1]'],
  },
];
