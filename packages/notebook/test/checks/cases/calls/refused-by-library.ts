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
      "joined = np.bmat('values, values')",
      "few = 2\norders.query('n > @few')\norders.eval('n + @few')",
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
  {
    check: 'calls/refused-by-library',
    name: 'random draws',
    setup: `import numpy as np, random
rng = np.random.default_rng(3)
old = np.random.RandomState(3)
names = ['a', 'b', 'c']
weights = np.array([4, 3, 3])
`,
    crash: 'drawn = rng.choice(names, size=5, p=weights)',
    raises: 'ValueError',
    line: 1,
    healthy: [
      'drawn = rng.choice(names, size=5, p=weights / weights.sum())',
      'weights = weights / weights.sum()\ndrawn = rng.choice(names, size=5, p=weights)',
      'weights[:] = [1, 0, 0]\ndrawn = rng.choice(names, size=5, p=weights)',
      'names = names * 10\ndrawn = rng.choice(names, size=9, replace=False)',
      'drawn = rng.choice(3, 3, replace=False)\nold.choice(names, 2, False)',
      "names.extend('defgh')\nrandom.sample(names, 6)",
      'names += ["d"]\nrandom.sample(names, 4)',
      'rng.integers(3), rng.integers(0, 4, size=2), old.randint(5), np.random.randint(2, 9), random.randint(2, 2)',
      'rng.shuffle(names)\nrng.choice(names, p=[1, 0, 0])',
      'class Dice:\n    def choice(self, values, p=None):\n        return values[0]\nrng = Dice()\nrng.choice(names, p=weights)',
      'random.choices(names, weights=weights, k=2)',
    ],
  },
  {
    check: 'calls/refused-by-library',
    name: 'a sample larger than what it is drawn from',
    setup: "import random\nnames = ['a', 'b', 'c']",
    crash: 'k = len(names) + 2\npicked = random.sample(names, k)',
    raises: 'ValueError',
    line: 2,
    healthy: ['k = len(names)\npicked = random.sample(names, k)', 'picked = random.choices(names, k=9)'],
  },
  {
    check: 'calls/refused-by-library',
    name: 'a value that is no category',
    setup: `import pandas as pd
port = pd.Series(['S', None, 'C']).astype('category')
frame = pd.DataFrame({'port': port, 'n': [1.0, None, 2.0]})
`,
    crash: "frame['port'] = frame['port'].fillna('unknown')",
    raises: 'TypeError',
    line: 1,
    healthy: [
      "frame['port'] = frame['port'].fillna('S')",
      "frame['port'] = frame['port'].cat.add_categories('unknown').fillna('unknown')",
      "frame['port'] = frame['port'].astype(object).fillna('unknown')",
      "frame['n'] = frame['n'].fillna(frame['n'].mean())",
      "frame = frame.fillna({'n': 0})",
    ],
  },
  {
    check: 'calls/refused-by-library',
    name: 'what JSON cannot hold',
    setup: "import json, numpy as np\nscores = {'f1': np.float32(0.5), 'n': 3}\nclass Own:\n    pass",
    crash: "with open('scores.json', 'w') as out:\n    json.dump(scores, out, indent=2)",
    raises: 'TypeError',
    line: 2,
    healthy: [
      "with open('scores.json', 'w') as out:\n    json.dump(scores, out, indent=2, default=float)",
      "with open('scores.json', 'w') as out:\n    json.dump({k: float(v) for k, v in scores.items()}, out)",
      "scores['f1'] = 0.5\nwith open('scores.json', 'w') as out:\n    json.dump(scores, out)",
      "scores.pop('f1')\njson.dumps(scores)",
      'class Encoder(json.JSONEncoder):\n    def default(self, o):\n        return float(o)\njson.dumps(scores, cls=Encoder)',
    ],
  },
  {
    check: 'calls/refused-by-library',
    name: 'inside a pipeline',
    setup: `import numpy as np
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC
from sklearn.ensemble import RandomForestClassifier
X = np.arange(24.0).reshape(12, 2)
y = np.arange(12) % 2
`,
    crash: "model = make_pipeline(StandardScaler(), SVC(kernel='gaussian'))\nmodel.fit(X, y)",
    raises: 'InvalidParameterError',
    line: 2,
    healthy: [
      "model = make_pipeline(StandardScaler(), SVC(kernel='rbf'))\nmodel.fit(X, y)\nmodel.predict(X)",
      "model = make_pipeline(StandardScaler(), SVC(kernel='gaussian'))\nmodel.set_params(svc__kernel='rbf')\nmodel.fit(X, y)",
      'model = RandomForestClassifier(n_estimators=20, n_jobs=-1, warm_start=True).fit(X, y)\nmodel.predict(X)',
      "import warnings\nfrom sklearn.neural_network import MLPClassifier\nwith warnings.catch_warnings():\n    warnings.simplefilter('error')\n    MLPClassifier(hidden_layer_sizes=(2,), max_iter=4000, tol=1.0).fit(X, y)",
    ],
  },
  {
    check: 'calls/refused-by-library',
    name: 'boosters',
    setup: `import numpy as np, pandas as pd, xgboost as xgb, lightgbm as lgb
rng = np.random.default_rng(0)
X = pd.DataFrame(rng.normal(size=(60, 2)), columns=['a', 'b'])
y = np.arange(60) % 3
data = xgb.DMatrix(X, label=y)
rows = lgb.Dataset(X, label=y)
options = {'objective': 'multi:softmax', 'num_class': 2}
wide = pd.DataFrame(rng.normal(size=(60, 1)), columns=['a, b'])
`,
    crash: 'booster = xgb.train(options, data, num_boost_round=20)',
    raises: 'XGBoostError',
    line: 1,
    healthy: [
      "options['num_class'] = 3\nbooster = xgb.train(options, data, num_boost_round=20)\nbooster.predict(data)",
      "booster = xgb.train({**options, 'num_class': 3}, data, 3)\nbooster.predict(xgb.DMatrix(X))",
      "booster = lgb.train({'objective': 'multiclass', 'num_class': 3, 'verbose': -1, 'n_estimators': 4}, rows, valid_sets=[rows], callbacks=[lgb.early_stopping(2, verbose=False)])",
      "lgb.LGBMClassifier(verbose=-1, n_estimators=5).fit(wide.rename(columns={'a, b': 'ab'}), y)",
      'xgb.XGBClassifier(n_estimators=4, n_jobs=-1, early_stopping_rounds=2).fit(X, y, eval_set=[(X, y)], verbose=False)',
      "X['c'] = pd.Series(list('xyz') * 20, dtype='category')\nxgb.XGBClassifier(enable_categorical=True, n_estimators=2).fit(X, y).predict(X)",
    ],
  },
  {
    check: 'calls/refused-by-library',
    name: 'estimators of boosters',
    setup: `import numpy as np, pandas as pd
from xgboost import XGBRegressor
from lightgbm import LGBMClassifier
rows = pd.DataFrame({'size': [1, 2, 3, 4], 'zone': list('abac'), 'price': [1.0, 2.0, 3.0, 4.0]})
fitted = XGBRegressor(n_estimators=2).fit(rows[['size', 'price']], rows['price'])
`,
    crash:
      "model = XGBRegressor(n_estimators=50, learning_rate=0.1)\nmodel.fit(rows[['size', 'zone']], rows['price'])",
    raises: 'ValueError',
    line: 2,
    healthy: [
      "model = XGBRegressor(n_estimators=5)\nmodel.fit(pd.get_dummies(rows[['size', 'zone']]), rows['price'])",
      "rows['zone'] = rows['zone'].astype('category').cat.codes\nmodel = XGBRegressor(n_estimators=5)\nmodel.fit(rows[['size', 'zone']], rows['price'])",
      "fitted.predict(rows[['size', 'price']])",
      "fitted.fit(rows[['size']], rows['price'])\nfitted.predict(rows[['size']])",
    ],
  },
  {
    check: 'calls/refused-by-library',
    name: 'items that do not go together',
    setup: `values = [3, 'a', 1]
words = ['b', 'a']
class Any:
    def __lt__(self, other):
        return True
    __gt__ = __lt__
odd = [Any(), 2]
`,
    crash: 'print(len(values))\nordered = sorted(values)',
    raises: 'TypeError',
    line: 2,
    healthy: [
      'ordered = sorted(values, key=str)',
      'values[1] = 2\nordered = sorted(values)',
      "values.remove('a')\nordered = sorted(values)\nvalues.sort()",
      'ordered = sorted(odd)',
      'highest = max(words), min([1, 2.5, True])',
      'total = sum([1, 2.5]), sum([[1], [2]], [])',
      "words.append('c')\nplace = words.index('c')\nwords.remove('c')",
      "if 'c' in words:\n    words.remove('c')",
      'values = [str(v) for v in values]\nvalues.sort()',
    ],
  },
  {
    check: 'calls/refused-by-library',
    name: 'an item that is not in the list',
    setup: "words = ['b', 'a']",
    crash: "place = words.index('c')",
    raises: 'ValueError',
    line: 1,
    healthy: [
      "words.insert(0, 'c')\nplace = words.index('c')",
      "words += ['c']\nplace = words.index('c')",
      "other = words\nother.append('c')\nplace = words.index('c')",
      "class Words(list):\n    def index(self, word):\n        return -1\nwords = Words(words)\nplace = words.index('c')",
    ],
  },
  {
    check: 'calls/refused-by-library',
    name: 'moments',
    setup:
      "from datetime import datetime, date, timedelta\nstart = datetime(2024, 1, 1)\nday = date(2024, 1, 2)\nlimit = '2024-01-03'",
    crash: 'late = start + timedelta(days=1)\nprint(start > limit)',
    raises: 'TypeError',
    line: 2,
    healthy: [
      'print(start > datetime.fromisoformat(limit))',
      'print(start.date() < day, start == limit, start != day)',
      'start = str(start)\nprint(start > limit)',
      'print((start - datetime(2023, 1, 1)).days + 1, day - date(2023, 1, 1))',
    ],
  },
  {
    check: 'calls/refused-by-library',
    name: 'tensors of other data',
    setup: `import pandas as pd, numpy as np, torch
frame = pd.DataFrame({'a': [1.0, 2.0], 'b': ['x', 'y']})
late = pd.Series([1.0, 2.0], index=[5, 6])
`,
    crash: "x = torch.tensor(frame['a'].values)\ny = torch.tensor(frame.values)",
    raises: 'TypeError',
    line: 2,
    healthy: [
      "y = torch.tensor(frame[['a']].values, dtype=torch.float32)",
      "frame['b'] = 1.0\ny = torch.tensor(frame.values.astype('float32'))",
      "y = torch.tensor(frame['a']), torch.tensor(late.to_numpy()), torch.from_numpy(late.values)",
      "y = torch.FloatTensor(frame['a'].to_numpy().copy())",
    ],
  },
  {
    check: 'labels/missing-row-label',
    name: 'of a row of a frame',
    setup:
      "import pandas as pd\nframe = pd.DataFrame({'a': [1, 2, 3], 'b': ['x', 'y', 'z']})\nempty = frame[frame['a'] > 5]",
    crash: "for label, row in frame.iterrows():\n    print(row['a'], row['c'])",
    raises: 'KeyError',
    line: 2,
    healthy: [
      "for label, row in frame.iterrows():\n    print(row['a'], row['b'])",
      "frame['c'] = 1\nfor label, row in frame.iterrows():\n    print(row['c'])",
      "for label, row in frame.iterrows():\n    row['c'] = 2\n    print(row['c'])",
      "for label, row in frame.iterrows():\n    if 'c' in row:\n        print(row['c'])",
      "for label, row in frame.iterrows():\n    print(row.get('c'), row[0:1])",
      "for label, row in empty.iterrows():\n    print(row['c'])",
      "for label, row in frame.rename(columns={'b': 'c'}).iterrows():\n    print(row['c'])",
      "for label, row in frame.iterrows():\n    try:\n        print(row['c'])\n    except KeyError:\n        break",
    ],
  },
];
