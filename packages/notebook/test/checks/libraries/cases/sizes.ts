// Sizes against the number of samples and features.
import type { CheckCase } from './case.js';

const data = `
import numpy as np, pandas as pd
from sklearn.model_selection import train_test_split, cross_val_score, KFold, StratifiedKFold
from sklearn.decomposition import PCA
from sklearn.cluster import KMeans
from sklearn.manifold import TSNE
from sklearn.neighbors import KNeighborsClassifier
from sklearn.linear_model import LogisticRegression
rng = np.random.default_rng(0)
X = rng.normal(size=(20, 4))
y = np.arange(20) % 2
few = X[:6]
`;

export const sizes: readonly CheckCase[] = [
  {
    check: 'estimators/unsplittable-classes',
    name: 'a class of one',
    setup: `${data}labels = pd.Series(['a'] * 10 + ['b'] * 9 + ['c'])`,
    crash: 'parts = train_test_split(X, labels, stratify=labels)',
    raises: 'ValueError',
    line: 1,
    healthy: [
      'parts = train_test_split(X, labels)',
      'parts = train_test_split(X[:19], labels[:19], stratify=labels[:19])',
    ],
  },
  {
    check: 'estimators/unsplittable-classes',
    name: 'a small test part',
    setup: `${data}labels = np.arange(20) % 5`,
    crash: 'parts = train_test_split(X, labels, test_size=0.1, stratify=labels)',
    raises: 'ValueError',
    line: 1,
    healthy: 'parts = train_test_split(X, labels, test_size=0.3, stratify=labels)',
  },
  {
    check: 'estimators/empty-split',
    setup: `${data}nothing = pd.DataFrame({'a': []})`,
    crash: 'train, test = train_test_split(nothing, test_size=0.2)',
    raises: 'ValueError',
    line: 1,
    healthy: 'train, test = train_test_split(X, test_size=0.2)',
  },
  {
    check: 'estimators/too-many-splits',
    setup: data,
    crash: 'folds = KFold(n_splits=10)\nfor train, test in folds.split(few):\n    print(len(train))',
    raises: 'ValueError',
    line: 2,
    healthy: [
      'folds = KFold(n_splits=3)\nfor train, test in folds.split(few):\n    print(len(train))',
      'folds = KFold(n_splits=10)\nlater = folds.split(few)',
    ],
  },
  {
    check: 'estimators/too-many-splits',
    name: 'in cross-validation',
    setup: `${data}X = X[:8]\ny = y[:8]`,
    crash: 'scores = cross_val_score(LogisticRegression(), X, y, cv=5)',
    raises: 'ValueError',
    line: 1,
    healthy: 'scores = cross_val_score(LogisticRegression(), X, y, cv=4)',
  },
  {
    check: 'estimators/more-than-samples',
    name: 'components',
    setup: data,
    crash: 'PCA(n_components=6).fit_transform(X)',
    raises: 'ValueError',
    line: 1,
    healthy: ['PCA(n_components=3).fit_transform(X)', 'PCA(n_components=0.9).fit_transform(X)'],
  },
  {
    check: 'estimators/more-than-samples',
    name: 'perplexity',
    setup: data,
    crash: 'flat = TSNE().fit_transform(X)',
    raises: 'ValueError',
    line: 1,
    healthy: 'flat = TSNE(perplexity=5, max_iter=250).fit_transform(X)',
  },
  {
    check: 'estimators/more-than-samples',
    name: 'clusters',
    setup: data,
    crash: 'KMeans(8).fit(few)',
    raises: 'ValueError',
    line: 1,
    healthy: 'KMeans(2).fit(few)',
  },
  {
    check: 'estimators/more-than-samples',
    name: 'neighbours',
    setup: `${data}model = KNeighborsClassifier(n_neighbors=9).fit(few, y[:6])`,
    crash: 'model.predict(X)',
    raises: 'ValueError',
    line: 1,
    healthy: [
      'model.fit(X, y)\nmodel.predict(X)',
      'KNeighborsClassifier(n_neighbors=3).fit(few, y[:6]).predict(X)',
    ],
  },
];
