// What operations need of shapes, types, values and counts, over the functions that share a need: crashes, and healthy cells that
// differ by as little as possible. All of them are executed.
import type { CheckCase } from '../../libraries/cases/case.js';

const arrays = `import numpy as np
import torch
big = np.zeros((4, 6, 3))
flat = np.zeros((4, 6))
row = np.zeros(5)
counts = np.zeros(4, dtype=int)
labels = np.array([0, 1, 2, 3])
tall = np.ones((4, 2))
`;

const tables = `import pandas as pd
import numpy as np
people = pd.DataFrame({"city": ["Rome", "Oslo", "Rome"], "name": ["a", "b", "c"], "age": [1.5, 2.5, 4.0], "rank": [1, 2, 3]})
numbers = people[["age", "rank"]]
ages = [1, 2, 3]
`;

const each = (
  check: string,
  setup: string,
  raises: string,
  cells: readonly (readonly [crash: string, healthy: string | readonly string[]])[],
): readonly CheckCase[] =>
  cells.map(([crash, healthy]) => ({
    check,
    name: crash,
    setup,
    crash,
    raises,
    line: crash.split('\n').length,
    healthy,
  }));

export const cases: readonly CheckCase[] = [
  ...each('shapes/not-concatenable', arrays, 'ValueError', [
    [
      'np.vstack([big, flat])',
      ['np.vstack([big, flat[..., None] * np.ones(3)])', 'np.vstack([flat, np.zeros(6)])'],
    ],
    [
      'np.hstack([flat, np.zeros((3, 6))])',
      ['np.hstack([flat, np.zeros((4, 2))])', 'np.hstack([row, np.zeros(2)])'],
    ],
    [
      'np.column_stack([row, np.zeros(4)])',
      ['np.column_stack([row, np.zeros((5, 2))])', 'np.dstack([flat, flat])'],
    ],
  ]),
  ...each('shapes/not-concatenable', arrays, 'RuntimeError', [
    [
      'torch.vstack([torch.zeros(2, 3), torch.zeros(4)])',
      'torch.vstack([torch.zeros(2, 3), torch.zeros(3)])',
    ],
  ]),
  ...each('shapes/matrix-product-mismatch', arrays, 'LinAlgError', [
    [
      'np.linalg.inv(tall)',
      ['np.linalg.pinv(tall)', 'np.linalg.inv(np.eye(2))', 'np.linalg.inv(np.ones((3, 2, 2)) + np.eye(2))'],
    ],
    ['np.linalg.det(tall)', 'np.linalg.det(tall.T @ tall)'],
  ]),
  ...each('labels/position-out-of-bounds', arrays, 'IndexError', [
    ['row[counts == 0]', ['row[row == 0]', 'flat[counts == 0]', 'flat[flat == 0]']],
    [
      'np.eye(3)[labels]',
      ['np.eye(4)[labels]', 'np.eye(3)[labels - 1]', 'np.zeros(0)[np.zeros(0, dtype=int)]'],
    ],
  ]),
  ...each('types/unsupported-operands', arrays, 'UFuncTypeError', [
    ['counts += 0.5', ['counts += 1', 'row += 0.5', 'counts = counts + 0.5', 'counts //= 2']],
    ['counts /= 2', ['counts = counts / 2', 'row /= 2']],
  ]),
  ...each('types/unsupported-operands', tables, 'TypeError', [
    ['people["age"] & people["rank"]', ['(people["age"] > 1) & (people["rank"] > 1)', 'people["rank"] & 1']],
    ['people["name"] + 1', ['people["name"] + "1"', 'people["name"] * 2', 'people["age"] + 1']],
    ['people["name"] > 2', ['people["name"] == 2', 'people["name"] > "b"', 'people["rank"] > 2']],
    ['"mean " + np.mean(ages)', ['"mean " + str(np.mean(ages))', 'np.mean(ages) + 1', '"-" * len(ages)']],
  ]),
  ...each('types/ambiguous-truth', tables, 'ValueError', [
    [
      'people["age"] > 1 < people["rank"]',
      ['(people["age"] > 1) & (people["rank"] > 1)', '1 < len(people) < 5'],
    ],
  ]),
  ...each('conversions/column-not-numeric', tables, 'ValueError', [
    [
      'people.corr()',
      ['people.corr(numeric_only=True)', 'numbers.corr()', 'people.select_dtypes("number").corr()'],
    ],
  ]),
  ...each('conversions/column-not-numeric', tables, 'TypeError', [
    [
      'people.mean()',
      [
        'people.mean(numeric_only=True)',
        'numbers.mean()',
        'people.max()',
        'people.agg({"age": ["mean", "max"], "name": "max"})',
        'people.groupby("city").mean(numeric_only=True)',
        'people.groupby("city")[["age", "rank"]].mean()',
        'people.groupby(["city", "name"]).mean()',
        'people.groupby("city").agg({"age": "mean", "name": "nunique"})',
      ],
    ],
    ['people["name"].std()', ['people["age"].std()', 'people["name"].astype("category").cat.codes.std()']],
  ]),
  ...each('columns/column-length-mismatch', tables, 'ValueError', [
    [
      'pd.DataFrame({"a": ages, "b": np.zeros(4)})',
      [
        'pd.DataFrame({"a": ages, "b": np.zeros(3)})',
        'pd.DataFrame({"a": ages, "b": 0})',
        'pd.DataFrame({"a": people["age"], "b": pd.Series([1, 2])})',
      ],
    ],
  ]),
  ...each('statistics/row-mismatch', tables, 'ValueError', [
    [
      'pd.cut(people["age"], bins=[0, 2, 5], labels=["low", "mid", "high"])',
      [
        'pd.cut(people["age"], bins=[0, 2, 5], labels=["low", "high"])',
        'pd.cut(people["age"], bins=2, labels=["low", "high"])',
        'pd.cut(people["age"], bins=[0, 2, 5], labels=False)',
      ],
    ],
    [
      'from sklearn.metrics.pairwise import cosine_similarity\ncosine_similarity(np.ones((3, 2)), np.ones((3, 4)))',
      'from sklearn.metrics.pairwise import cosine_similarity\ncosine_similarity(np.ones((3, 2)), np.ones((5, 2)))',
    ],
  ]),
  ...each('estimators/booster-classes', tables, 'ValueError', [
    [
      'from sklearn.tree import DecisionTreeClassifier\nDecisionTreeClassifier().fit(numbers, people["age"])',
      [
        'from sklearn.tree import DecisionTreeRegressor\nDecisionTreeRegressor().fit(numbers, people["age"])',
        'from sklearn.tree import DecisionTreeClassifier\nDecisionTreeClassifier().fit(numbers, people["rank"])',
      ],
    ],
  ]),
  ...each(
    'plots/missing-plot-column',
    `${tables}import matplotlib\nmatplotlib.use("Agg")\nimport seaborn as sns\n`,
    'KeyError',
    [['sns.pairplot(numbers, hue="city")', 'sns.pairplot(numbers, hue="rank")']],
  ),
];
