// Questions put to the real libraries about the very objects of the cell; the healthy twins change the objects first, in all
// the ways in which a stale answer would be told.
import type { CheckCase } from '../../libraries/cases/case.js';

const orders = `import pandas as pd, numpy as np
orders = pd.DataFrame({'id': [1, 2, 2], 'shipped': ['2024-01-02', 'pending', '2024-03-01'], 'price': ['1', '2', 'x'], 'n': [1, 2, 3]})
other = pd.DataFrame({'id': ['1', '2'], 'n': [5, 6]})
values = np.array([1.0, 2.0, -3.0])
`;

export const cases: readonly CheckCase[] = [
  {
    check: 'calls/refused-by-library',
    name: 'dates',
    setup: orders,
    crash: "recent = orders[orders['n'] > 0]\nrecent['when'] = pd.to_datetime(recent['shipped'])",
    raises: 'ValueError',
    line: 2,
    healthy: [
      "recent = orders[orders['n'] != 2]\nrecent['when'] = pd.to_datetime(recent['shipped'])",
      "pd.to_datetime(orders['shipped'], errors='coerce')",
      "orders['shipped'] = '2024-01-01'\npd.to_datetime(orders['shipped'])",
      "orders.loc[1, 'shipped'] = '2024-01-01'\npd.to_datetime(orders['shipped'])",
      "orders.iloc[1, 1] = '2024-01-01'\npd.to_datetime(orders['shipped'])",
      "orders.at[1, 'shipped'] = '2024-01-01'\npd.to_datetime(orders['shipped'])",
      "orders = orders.drop(index=1)\npd.to_datetime(orders['shipped'])",
      "orders.drop(index=1, inplace=True)\npd.to_datetime(orders['shipped'])",
      "orders.replace('pending', '2024-01-01', inplace=True)\npd.to_datetime(orders['shipped'])",
      "def fix(frame):\n    frame.loc[1, 'shipped'] = '2024-01-01'\nfix(orders)\npd.to_datetime(orders['shipped'])",
      "for label in orders.index:\n    orders.loc[label, 'shipped'] = '2024-01-01'\npd.to_datetime(orders['shipped'])",
      "held = {'o': orders}\nheld['o'].loc[1, 'shipped'] = '2024-01-01'\npd.to_datetime(orders['shipped'])",
      "try:\n    pd.to_datetime(orders['shipped'])\nexcept ValueError:\n    pass",
      "orders['shipped'] = orders['shipped'].where(orders['shipped'] != 'pending', '2024-01-01')\npd.to_datetime(orders['shipped'])",
      "exec(\"orders['shipped'] = '2024-01-01'\")\npd.to_datetime(orders['shipped'])",
      "orders.update(pd.DataFrame({'shipped': ['2024-01-02', '2024-01-01', '2024-03-01']}))\npd.to_datetime(orders['shipped'])",
      "shipped = orders.pop('shipped')\nshipped[1] = '2024-01-01'\npd.to_datetime(shipped)",
    ],
  },
  {
    check: 'calls/refused-by-library',
    name: 'merge and pivot',
    setup: orders,
    crash: "table = orders.assign(k=1)\njoined = table.merge(other, on='id')",
    raises: 'ValueError',
    line: 2,
    healthy: [
      "orders['id'] = orders['id'].astype(str)\norders.merge(other, on='id')",
      "other['id'] = other['id'].astype(int)\norders.merge(other, on='id')",
      "other.id = other.id.astype(int)\norders.merge(other, on='id')",
      "orders.merge(other, on='n')",
      "orders.drop_duplicates('id').pivot(index='id', columns='shipped', values='n')",
    ],
  },
  {
    check: 'labels/missing-row-label',
    name: 'of a selection that is empty',
    setup: orders,
    crash: "picked = orders[orders['shipped'].str.startswith('1999')]\npicked.set_index('id').loc[7]",
    raises: 'KeyError',
    line: 2,
    healthy: [
      "picked = orders[orders['shipped'].str.startswith('2024')]\npicked.set_index('id').loc[1]",
      "picked = orders[orders['shipped'].str.startswith('1999')]\nif len(picked):\n    picked.set_index('id').loc[7]",
    ],
  },
  {
    check: 'statistics/target-range',
    name: 'of an array that the cell makes',
    setup: `${orders}from scipy import stats\n`,
    crash: 'shifted = values + 1\nstats.boxcox(shifted)',
    raises: 'ValueError',
    line: 2,
    healthy: [
      'shifted = values + 4\nstats.boxcox(shifted)',
      'values[2] = 3\nstats.boxcox(values)',
      'view = values[1:]\nview[1] = 3\nstats.boxcox(values)',
      'same = np.asarray(values)\nsame += 10\nstats.boxcox(values)',
      'np.abs(values, out=values)\nstats.boxcox(values)',
      'np.copyto(values, 1.5)\nvalues[0] = 2\nstats.boxcox(values)',
      'values.sort()\nvalues[:1] = 1\nstats.boxcox(values)',
      'fresh = np.zeros(3)\nfresh[:] = [1, 2, 3]\nstats.boxcox(fresh)',
      'import scipy.linalg.interpolative as sli\nu, s, v = sli.svd(np.eye(6), 3)',
      'from scipy.linalg import interpolative\nu, s, v = interpolative.svd(np.eye(6), 3)',
      'fresh = np.zeros(3)\nrow = fresh[:]\nrow += np.arange(1, 4)\nstats.boxcox(fresh)',
    ],
  },
  {
    check: 'calls/refused-by-library',
    name: 'estimators',
    setup: `${orders}from sklearn.preprocessing import OneHotEncoder, MinMaxScaler
from sklearn.model_selection import train_test_split
encoder = OneHotEncoder().fit(pd.DataFrame({'c': ['a', 'b']}))
new = pd.DataFrame({'c': ['a', 'z']})
`,
    crash: 'rows = new.copy()\nencoder.transform(rows)',
    raises: 'ValueError',
    line: 2,
    healthy: [
      'encoder.fit(new)\nencoder.transform(new)',
      'encoder = OneHotEncoder(handle_unknown="ignore").fit(new.head(1))\nencoder.transform(new)',
      'encoder.handle_unknown = "ignore"\nencoder.transform(new)',
      'encoder.set_params(handle_unknown="ignore")\nencoder.transform(new)',
      'new["c"] = ["a", "b"]\nencoder.transform(new)',
      'scaler = MinMaxScaler()\nscaler.fit_transform(orders[["n"]])\nscaler.transform(orders[["n"]])',
      'a, b = train_test_split(new, random_state=0)\nencoder.fit(a)\nencoder.transform(a)',
      'least = 1\norders.query("n > @least")',
      'import statsmodels.formula.api as smf\ndef twice(x):\n    return 2 * x\nsmf.ols("n ~ twice(id)", data=orders).fit()',
    ],
  },
  {
    check: 'calls/refused-by-library',
    name: 'texts of the standard library',
    setup: `import json\nfrom datetime import datetime\nlines = ['{"a": 1}', '{"a": }']\nday = '2024-13-01'\n`,
    crash: "stamp = datetime.strptime(day, '%Y-%m-%d')",
    raises: 'ValueError',
    line: 1,
    healthy: [
      "day = day.replace('13', '12')\nstamp = datetime.strptime(day, '%Y-%m-%d')",
      "stamp = datetime.strptime(day, '%Y-%d-%m')",
      'lines[1] = "{}"\n[json.loads(line) for line in lines]',
      'lines.pop()\n[json.loads(line) for line in lines]',
    ],
  },
];
