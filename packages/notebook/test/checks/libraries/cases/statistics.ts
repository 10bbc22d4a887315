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
    check: 'statistics/row-mismatch',
    name: 'an interpolation',
    setup: `${setup}from scipy import interpolate\ntimes = np.arange(29.0)`,
    healthySetup: `${setup}from scipy import interpolate\ntimes = np.arange(30.0)`,
    crash: 'curve = interpolate.interp1d(times, y)',
    raises: 'ValueError',
    line: 1,
    healthy: ['curve = interpolate.interp1d(times, y)', 'curve = interpolate.interp1d(times, X, axis=0)'],
  },
  {
    check: 'statistics/row-mismatch',
    name: 'a distance',
    setup: `${setup}from scipy.spatial import distance\nother = y[:20]`,
    crash: 'far = distance.cosine(y, other)',
    raises: 'ValueError',
    line: 1,
    healthy: ['far = distance.cosine(y, labels)', 'far = distance.cdist(X, X[:4])'],
  },
  {
    check: 'statistics/row-mismatch',
    name: 'a polynomial',
    setup: `${setup}other = y[:20]`,
    crash: 'line = np.polyfit(other, y, 1)',
    raises: 'TypeError',
    line: 1,
    healthy: 'line = np.polyfit(labels, y, 1)',
  },
  {
    check: 'statistics/target-range',
    name: 'missing values in a fitted curve',
    setup: `${setup}from scipy.optimize import curve_fit\nspoilt = y.copy()\nspoilt[3] = np.nan`,
    crash: 'best, spread = curve_fit(lambda x, a: a * x, labels, spoilt)',
    raises: 'ValueError',
    line: 1,
    healthy: [
      'best, spread = curve_fit(lambda x, a: a * x, labels, y)',
      "best, spread = curve_fit(lambda x, a: a * x, labels, spoilt, nan_policy='omit')",
    ],
  },
  {
    check: 'statistics/target-range',
    name: 'the edge of a filter',
    setup: `${setup}from scipy import signal\nrate = 100`,
    crash: "b, a = signal.butter(4, 60 / (rate / 2), btype='low')",
    raises: 'ValueError',
    line: 1,
    healthy: [
      "b, a = signal.butter(4, 20 / (rate / 2), btype='low')",
      'b, a = signal.butter(4, 20, fs=rate)',
    ],
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
