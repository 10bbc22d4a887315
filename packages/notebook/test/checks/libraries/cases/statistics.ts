// statsmodels and SciPy: rows, ranges, periods and formulas.
import type { CheckCase } from './case.js';

const setup = `
import numpy as np, pandas as pd
import statsmodels.api as sm
import statsmodels.formula.api as smf
from scipy import stats
from statsmodels.tsa.seasonal import seasonal_decompose
from statsmodels.tsa.stattools import pacf
rng = np.random.default_rng(0)
X = sm.add_constant(rng.normal(size=(30, 2)))
y = rng.normal(size=30)
labels = np.arange(30) % 2
df = pd.DataFrame({'Volume': y, 'Girth': X[:, 1], 'kind': ['a', 'b', 'c'] * 10})
`;

export const statistics: readonly CheckCase[] = [
  {
    check: 'statistics/row-mismatch',
    setup,
    crash: 'model = sm.OLS(y[:20], X)',
    raises: 'ValueError',
    line: 1,
    healthy: 'model = sm.OLS(y, X)',
  },
  {
    check: 'statistics/row-mismatch',
    name: 'a correlation',
    setup,
    crash: 'r = stats.pearsonr(y, labels[:10])',
    raises: 'ValueError',
    line: 1,
    healthy: 'r = stats.pearsonr(y, labels)',
  },
  {
    check: 'statistics/target-range',
    setup: `${setup}wrong = labels + 1`,
    crash: 'model = sm.Logit(wrong, X)',
    raises: 'ValueError',
    line: 1,
    healthy: 'model = sm.Logit(labels, X)',
  },
  {
    check: 'statistics/target-range',
    name: 'a power transform',
    setup,
    crash: 'values, power = stats.boxcox(y)',
    raises: 'ValueError',
    line: 1,
    healthy: ['values, power = stats.boxcox(np.exp(y))', 'values, power = stats.yeojohnson(y)'],
  },
  {
    check: 'statistics/series-too-short',
    setup,
    crash: 'parts = seasonal_decompose(y, period=16)',
    raises: 'ValueError',
    line: 1,
    healthy: 'parts = seasonal_decompose(y, period=12)',
  },
  {
    check: 'statistics/series-too-short',
    name: 'partial correlations',
    setup,
    crash: 'values = pacf(y, nlags=16)',
    raises: 'ValueError',
    line: 1,
    healthy: 'values = pacf(y, nlags=14)',
  },
  {
    check: 'statistics/formula-column',
    setup: `${setup}weight = np.ones(30)`,
    crash: 'model = smf.ols("Volume ~ girth + C(kind)", data=df)',
    raises: 'PatsyError',
    line: 1,
    healthy: [
      'model = smf.ols("Volume ~ Girth + C(kind)", data=df)',
      'model = smf.ols("Volume ~ np.log(Girth + 10) + weight", data=df)',
      'girth = df["Girth"]\nmodel = smf.ols("Volume ~ girth", data=df)',
    ],
  },
];
