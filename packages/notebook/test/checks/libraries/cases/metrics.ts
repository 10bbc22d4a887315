// Metrics, encoders and labels.
import type { CheckCase } from './case.js';

const targets = `
import numpy as np, pandas as pd
from sklearn.metrics import accuracy_score, f1_score, confusion_matrix, roc_auc_score, mean_squared_error, precision_score
from sklearn.preprocessing import LabelEncoder
y_true = np.array([0, 1, 1, 0, 1, 0])
proba = np.array([0.2, 0.9, 0.6, 0.4, 0.7, 0.1])
three = np.array([0, 1, 2, 0, 1, 2])
words = pd.Series(['ham', 'spam', 'spam', 'ham', 'spam', 'ham'])
`;

export const metrics: readonly CheckCase[] = [
  {
    check: 'estimators/mixed-metric-targets',
    name: 'probabilities',
    setup: targets,
    crash: 'print(accuracy_score(y_true, proba))',
    raises: 'ValueError',
    line: 1,
    healthy: [
      'print(accuracy_score(y_true, proba > 0.5))',
      'print(accuracy_score(y_true, proba.round()))',
      'print(mean_squared_error(y_true, proba))',
      'print(roc_auc_score(y_true, proba))',
      'proba[:] = 1\nprint(accuracy_score(y_true, proba))',
      'print(accuracy_score(y_true, three))',
    ],
  },
  {
    check: 'estimators/mixed-metric-targets',
    name: 'predictions of a regressor',
    setup: `${targets}from sklearn.linear_model import LinearRegression\nX = np.arange(12.0).reshape(6, 2) ** 1.5`,
    crash:
      'model = LinearRegression().fit(X, y_true)\nguess = model.predict(X)\nprint(confusion_matrix(y_true, guess))',
    raises: 'ValueError',
    line: 3,
    healthy:
      'model = LinearRegression().fit(X, y_true)\nguess = model.predict(X)\nprint(confusion_matrix(y_true, (guess > 0.5).astype(int)))',
  },
  {
    check: 'estimators/mixed-metric-targets',
    name: 'text and numbers',
    setup: targets,
    crash: 'print(accuracy_score(words, y_true))',
    raises: 'ValueError',
    line: 1,
    healthy: [
      'print(accuracy_score(words, words))',
      'print(accuracy_score(words.map({"ham": 0, "spam": 1}), y_true))',
    ],
  },
  {
    check: 'estimators/multiclass-average',
    setup: targets,
    crash: 'print(f1_score(three, three))',
    raises: 'ValueError',
    line: 1,
    healthy: ['print(f1_score(three, three, average="macro"))', 'print(f1_score(y_true, y_true))'],
  },
  {
    check: 'estimators/multiclass-average',
    name: 'text labels',
    setup: targets,
    crash: 'print(precision_score(words, words))',
    raises: 'ValueError',
    line: 1,
    healthy: 'print(precision_score(words, words, pos_label="spam"))',
  },
  {
    check: 'estimators/multiclass-roc-auc',
    setup: `${targets}scores = np.full((6, 3), 1 / 3)`,
    crash: 'print(roc_auc_score(three, scores))',
    raises: 'ValueError',
    line: 1,
    healthy: 'print(roc_auc_score(three, scores, multi_class="ovr"))',
  },
  {
    check: 'estimators/unseen-labels',
    setup: `${targets}coder = LabelEncoder().fit(['Paris', 'Lyon'])`,
    crash: 'coder.transform(["Lyon", "Lille"])',
    raises: 'ValueError',
    line: 1,
    healthy: [
      'coder.transform(["Lyon", "Paris"])',
      'coder.fit(["Lyon", "Lille"])\ncoder.transform(["Lyon", "Lille"])',
    ],
  },
  {
    check: 'estimators/unseen-labels',
    name: 'fitted in the cell',
    setup: `${targets}train = pd.Series(['a', 'b', 'a'])\ntest = pd.Series(['b', 'c'])`,
    crash: 'coder = LabelEncoder()\ncodes = coder.fit_transform(train)\nothers = coder.transform(test)',
    raises: 'ValueError',
    line: 3,
    healthy: 'coder = LabelEncoder()\ncoder.fit(pd.concat([train, test]))\nothers = coder.transform(test)',
  },
  {
    check: 'estimators/booster-classes',
    setup: `${targets}import xgboost\nX = np.arange(12.0).reshape(6, 2)\ny = three + 1`,
    crash: 'model = xgboost.XGBClassifier(n_estimators=1)\nmodel.fit(X, y)',
    raises: 'ValueError',
    line: 2,
    healthy: 'model = xgboost.XGBClassifier(n_estimators=1)\nmodel.fit(X, y - 1)',
  },
  {
    check: 'estimators/negative-values',
    setup: `${targets}from sklearn.naive_bayes import MultinomialNB, GaussianNB\nX = np.array([[1.0, -2.0]] * 6)`,
    crash: 'MultinomialNB().fit(X, y_true)',
    raises: 'ValueError',
    line: 1,
    healthy: ['GaussianNB().fit(X, y_true)', 'MultinomialNB().fit(abs(X), y_true)'],
  },
  {
    check: 'estimators/invalid-parameter',
    setup: `${targets}from sklearn.tree import DecisionTreeClassifier\nX = np.arange(12.0).reshape(6, 2)\nmodel = DecisionTreeClassifier(max_depth=0)`,
    crash: 'model.fit(X, y_true)',
    raises: 'InvalidParameterError',
    line: 1,
    healthy: [
      'DecisionTreeClassifier(max_depth=1, criterion="entropy").fit(X, y_true)',
      'model.set_params(max_depth=3)\nmodel.fit(X, y_true)',
      'model.max_depth = 3\nmodel.fit(X, y_true)',
    ],
  },
  {
    check: 'estimators/invalid-parameter',
    name: 'an option made in the cell',
    setup: `${targets}from sklearn.svm import SVC\nX = np.arange(12.0).reshape(6, 2)`,
    crash: 'model = SVC(kernel="gaussian")\nmodel.fit(X, y_true)',
    raises: 'InvalidParameterError',
    line: 2,
    healthy: 'model = SVC(kernel="rbf", gamma=0.3)\nmodel.fit(X, y_true)',
  },
  {
    check: 'estimators/solver-penalty',
    setup: `${targets}from sklearn.linear_model import LogisticRegression\nX = np.arange(12.0).reshape(6, 2)`,
    crash: 'LogisticRegression(penalty="l1").fit(X, y_true)',
    raises: 'ValueError',
    line: 1,
    healthy: 'LogisticRegression(penalty="l1", solver="liblinear").fit(X, y_true)',
  },
  {
    check: 'estimators/solver-penalty',
    name: 'in a pipeline',
    setup: `${targets}from sklearn.linear_model import LogisticRegression\nfrom sklearn.pipeline import make_pipeline\nfrom sklearn.preprocessing import StandardScaler\nX = np.arange(12.0).reshape(6, 2)\noptions = {'C': 0.3, 'penalty': 'l1'}`,
    crash: 'model = make_pipeline(StandardScaler(), LogisticRegression(**options))\nmodel.fit(X, y_true)',
    raises: 'ValueError',
    line: 2,
    healthy:
      'model = make_pipeline(StandardScaler(), LogisticRegression(solver="saga", **options))\nmodel.fit(X, y_true)',
  },
  {
    check: 'estimators/unknown-search-parameter',
    setup: `${targets}from sklearn.model_selection import GridSearchCV\nfrom sklearn.tree import DecisionTreeClassifier\nX = np.arange(12.0).reshape(6, 2)`,
    crash: 'search = GridSearchCV(DecisionTreeClassifier(), {"depth": [1, 2]}, cv=2)\nsearch.fit(X, y_true)',
    raises: 'ValueError',
    line: 2,
    healthy:
      'search = GridSearchCV(DecisionTreeClassifier(), {"max_depth": [1, 2]}, cv=2)\nsearch.fit(X, y_true)',
  },
  {
    check: 'estimators/unknown-search-parameter',
    name: 'in a pipeline',
    setup: `${targets}from sklearn.model_selection import GridSearchCV\nfrom sklearn.pipeline import Pipeline\nfrom sklearn.preprocessing import StandardScaler\nfrom sklearn.linear_model import Ridge\nX = np.arange(12.0).reshape(6, 2)\npipe = Pipeline([('scale', StandardScaler()), ('model', Ridge())])`,
    crash: 'search = GridSearchCV(pipe, {"alpha": [1, 2]}, cv=2)\nsearch.fit(X, y_true)',
    raises: 'ValueError',
    line: 2,
    healthy: [
      'search = GridSearchCV(pipe, {"model__alpha": [1, 2]}, cv=2)\nsearch.fit(X, y_true)',
      'from sklearn.linear_model import ElasticNet\nsearch = GridSearchCV(pipe, {"model": [ElasticNet()], "model__l1_ratio": [0.1, 0.2]}, cv=2)\nsearch.fit(X, y_true)',
    ],
  },
  {
    check: 'estimators/missing-transformer-column',
    setup: `${targets}from sklearn.compose import ColumnTransformer\nfrom sklearn.preprocessing import StandardScaler\nX = pd.DataFrame({'age': [1.0, 2.0], 'fare': [3.0, 5.0]})`,
    crash: 'parts = ColumnTransformer([("num", StandardScaler(), ["age", "price"])])\nparts.fit_transform(X)',
    raises: 'ValueError',
    line: 2,
    healthy:
      'parts = ColumnTransformer([("num", StandardScaler(), ["age", "fare"])])\nparts.fit_transform(X)',
  },
];
