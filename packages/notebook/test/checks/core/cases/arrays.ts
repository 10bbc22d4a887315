// Shapes of arrays and tensors, and conversions of columns.
import type { CheckCase } from '../../libraries/cases/case.js';

const np = 'import numpy as np\n';

export const arrays: readonly CheckCase[] = [
  {
    check: 'shapes/not-broadcastable',
    setup: `${np}a = np.ones((3, 4))\nb = np.ones(3)`,
    crash: 'a * 2\na + b',
    raises: 'ValueError',
    line: 2,
    healthy: [
      'a + b[:, None]',
      'a.T + b',
      'a + 1',
      'a[:, :3] + b',
      'a[:, 0] + b',
      'a @ np.ones(4)',
      'a.sum(axis=1) + b',
      'a == b if False else 0',
    ],
  },
  {
    check: 'shapes/matrix-product-mismatch',
    setup: `${np}X = np.ones((5, 3))\nw = np.ones((1, 3))`,
    crash: 'np.dot(X, w)',
    raises: 'ValueError',
    line: 1,
    healthy: ['np.dot(X, w.T)', 'X @ w.reshape(3, 1)', 'np.dot(X, 2)', 'np.dot(X, w[0])', 'X.dot(w.T)'],
  },
  {
    check: 'shapes/matrix-product-mismatch',
    name: 'through functions of earlier cells',
    setup: `${np}def init(n):\n    return np.zeros((1, n)), 0\ndef predict(w, b, X):\n    return np.dot(X, w) + b\ndef run(X):\n    w, b = init(X.shape[1])\n    return predict(w, b, X)\nX = np.ones((75, 4))`,
    healthySetup: `${np}def init(n):\n    return np.zeros((n, 1)), 0\ndef predict(w, b, X):\n    return np.dot(X, w) + b\ndef run(X):\n    w, b = init(X.shape[1])\n    return predict(w, b, X)\nX = np.ones((75, 4))`,
    crash: 'print(1)\nrun(X)',
    raises: 'ValueError',
    line: 2,
    healthy: 'print(1)\nrun(X)',
  },
  {
    check: 'shapes/reshape-size',
    setup: `${np}x = np.arange(10)`,
    crash: 'x.reshape(3, 4)',
    raises: 'ValueError',
    line: 1,
    healthy: [
      'x.reshape(2, 5)',
      'x.reshape(-1, 5)',
      'x.reshape((5, 2))',
      'x[:6].reshape(2, 3)',
      'np.reshape(x, (5, -1))',
      'np.arange(50, step=2).reshape((5, 5))',
      'np.arange(2, stop=10, dtype=float).reshape((4, 2))',
    ],
  },
  {
    check: 'shapes/axis-out-of-range',
    setup: `${np}y = np.array([0, 1, 1])`,
    crash: 'np.argmax(y, axis=1)',
    raises: 'AxisError',
    line: 1,
    healthy: ['np.argmax(y)', 'np.argmax(y, axis=-1)', 'np.argmax(y[None], axis=1)', 'y.sum(axis=0)'],
  },
  {
    check: 'shapes/not-concatenable',
    setup: `${np}a = np.ones((2, 3))\nb = np.ones((2, 4))`,
    crash: 'np.concatenate([a, b])',
    raises: 'ValueError',
    line: 1,
    healthy: ['np.concatenate([a, b], axis=1)', 'np.concatenate([a, a])', 'np.hstack([a, b])'],
  },
  {
    check: 'shapes/ragged-array',
    setup: `${np}rows = [[1, 2], [3]]`,
    crash: 'np.array(rows)',
    raises: 'ValueError',
    line: 1,
    healthy: [
      'np.array(rows, dtype=object)',
      'np.array([[1, 2], [3, 4]])',
      'rows[1].append(4)\nnp.array(rows)',
      'np.array([1, 2.5])',
    ],
  },
  {
    check: 'shapes/choice-of-many-dimensions',
    setup: `${np}pairs = [("a", 1), ("b", 2)]`,
    crash: 'np.random.choice(pairs)',
    raises: 'ValueError',
    line: 1,
    healthy: ['np.random.choice(["a", "b"])', 'np.random.choice(5)', 'import random\nrandom.choice(pairs)'],
  },
];

const df = `import pandas as pd, numpy as np
df = pd.DataFrame({'installs': ['100', '10,000+', '5'], 'age': [30.0, None, 20.0], 'n': ['1', '2', '3']})
`;

export const conversions: readonly CheckCase[] = [
  {
    check: 'conversions/column-not-numeric',
    setup: df,
    crash: "df['n'].astype(int)\ndf['installs'] = df['installs'].astype('int')",
    raises: 'ValueError',
    line: 2,
    healthy: [
      "df['installs'] = df['installs'].str.replace('[,+]', '', regex=True)\ndf['installs'].astype(int)",
      "pd.to_numeric(df['installs'], errors='coerce')",
      "df['installs'] = df['installs'].map(len)\ndf['installs'].astype(int)",
      "df = df[df['installs'] != '10,000+']\ndf['installs'].astype(int)",
      "df['n'].astype(float)",
      "df.loc[1, 'installs'] = '7'\ndf['installs'].astype(int)",
    ],
  },
  {
    check: 'conversions/missing-value-to-integer',
    setup: df,
    crash: "df['age'].astype(int)",
    raises: 'IntCastingNaNError',
    line: 1,
    healthy: [
      "df['age'].fillna(0).astype(int)",
      "df['age'].astype('Int64')",
      "df['age'] = df['age'].fillna(1)\ndf['age'].astype(int)",
      "df = df.dropna()\ndf['age'].astype(int)",
      "df['age'].dropna().astype(int)",
    ],
  },
];
