// statsmodels: what models, results, forecasts and tests refuse, most of it told by the library itself.
import type { CheckCase } from './case.js';

const setup = `
import numpy as np, pandas as pd
import statsmodels.api as sm
import statsmodels.formula.api as smf
from statsmodels.tsa.api import ARDL
from statsmodels.tsa.arima.model import ARIMA
from statsmodels.tsa.holtwinters import ExponentialSmoothing
from statsmodels.tsa.seasonal import seasonal_decompose, STL
from statsmodels.tsa.stattools import adfuller, acf, grangercausalitytests
from statsmodels.stats.outliers_influence import variance_inflation_factor
from statsmodels.stats.multicomp import pairwise_tukeyhsd
from statsmodels.stats.proportion import proportions_ztest
from statsmodels.stats.diagnostic import het_breuschpagan
rng = np.random.default_rng(0)
df = pd.DataFrame({'price': rng.normal(10, 2, 40), 'area': rng.normal(80, 9, 40), 'rooms': rng.integers(1, 6, 40)})
df['town'] = ['Ulm', 'Bonn'] * 20
df['sold'] = rng.integers(0, 2, 40)
holes = df.assign(area=df['area'].where(df.index != 7))
X = sm.add_constant(df[['area', 'rooms']])
y = df['price']
sales = pd.Series(rng.normal(100, 5, 48), index=pd.date_range('2020-01-01', periods=48, freq='MS'))
plain = pd.Series(sales.to_numpy())
new = pd.DataFrame({'area': [70.0, 90.0], 'rooms': [2, 3]})
results = sm.OLS(y, X).fit()
formula_results = smf.ols('price ~ area + rooms', data=df).fit()
series_results = ARIMA(sales, order=(1, 0, 0)).fit()
model = sm.OLS(y, X)
`;

const refused = { check: 'calls/refused-by-library', setup, line: 1 } as const;
const attribute = {
  check: 'attributes/missing-attribute',
  setup,
  line: 1,
  raises: 'AttributeError',
} as const;

export const statsmodels: readonly CheckCase[] = [
  {
    ...refused,
    name: 'NaN among the regressors',
    crash: "fitted = sm.OLS(holes['price'], sm.add_constant(holes[['area', 'rooms']])).fit()",
    raises: 'MissingDataError',
    healthy: [
      "fitted = sm.OLS(holes['price'], sm.add_constant(holes[['area', 'rooms']]), missing='drop').fit()",
      "fitted = sm.OLS(df['price'], sm.add_constant(df[['area', 'rooms']])).fit()",
    ],
  },
  {
    ...refused,
    name: 'words among the regressors',
    crash: "fitted = sm.OLS(y, sm.add_constant(df[['area', 'town']])).fit()",
    raises: 'ValueError',
    healthy:
      "fitted = sm.OLS(y, sm.add_constant(pd.get_dummies(df[['area', 'town']], drop_first=True).astype(float))).fit()",
  },
  {
    ...refused,
    name: 'infinity after a logarithm',
    crash: "X['log'] = np.log(df['sold'])\nfitted = sm.OLS(y, X).fit()",
    line: 2,
    raises: 'LinAlgError',
    healthy: "X['log'] = np.log1p(df['sold'])\nfitted = sm.OLS(y, X).fit()",
  },
  {
    ...refused,
    name: 'indices that differ',
    crash: "fitted = sm.OLS(y, X.sort_values('area')).fit()",
    raises: 'ValueError',
    healthy: 'fitted = sm.OLS(y, X.sort_index()).fit()',
  },
  {
    ...refused,
    check: 'statistics/target-range',
    name: 'a target of counts for Logit',
    crash: "fitted = sm.Logit(df['rooms'], X[['const', 'area']]).fit(disp=0)",
    raises: 'ValueError',
    healthy: "fitted = sm.Logit(df['sold'], X[['const', 'area']]).fit(disp=0)",
  },
  {
    ...refused,
    name: 'words as the target of a formula',
    crash: "fitted = smf.logit('town ~ area', data=df).fit(disp=0)",
    raises: 'ValueError',
    healthy: "fitted = smf.logit('sold ~ area', data=df).fit(disp=0)",
  },
  {
    ...refused,
    name: 'a formula without its right side',
    crash: "fitted = smf.ols('price ~ area +', data=df).fit()",
    raises: 'PatsyError',
    healthy: [
      "fitted = smf.ols('price ~ area + rooms', data=df).fit()",
      "model = ARDL.from_formula('price ~ area | rooms', df, 2, 2)",
    ],
  },
  {
    ...refused,
    name: 'prediction without the constant',
    crash: 'predicted = results.predict(new)',
    raises: 'ValueError',
    healthy: "predicted = results.predict(sm.add_constant(new, has_constant='add'))",
  },
  {
    ...refused,
    name: 'prediction without a column of the formula',
    crash: "predicted = formula_results.predict(new[['area']])",
    raises: 'PatsyError',
    healthy: 'predicted = formula_results.predict(new)',
  },
  {
    ...refused,
    name: 'prediction of a model fitted in the cell',
    crash: "fitted = smf.ols('price ~ area + C(town)', data=df).fit()\npredicted = fitted.predict(new)",
    line: 2,
    raises: 'PatsyError',
    healthy:
      "fitted = smf.ols('price ~ area + C(town)', data=df).fit()\npredicted = fitted.predict(new.assign(town='Ulm'))",
  },
  {
    ...refused,
    name: 'a level that the formula has not seen',
    crash:
      "fitted = smf.ols('price ~ C(town)', data=df).fit()\npredicted = fitted.predict(pd.DataFrame({'town': ['Köln']}))",
    line: 2,
    raises: 'PatsyError',
    healthy:
      "fitted = smf.ols('price ~ C(town)', data=df).fit()\npredicted = fitted.predict(pd.DataFrame({'town': ['Bonn']}))",
  },
  {
    ...attribute,
    name: 'p-values misspelt',
    crash: 'significant = results.pvalue < 0.05',
    healthy: 'significant = results.pvalues < 0.05',
  },
  {
    ...attribute,
    name: 'a statistic of results made in the cell',
    crash: 'fitted = sm.OLS(y, X).fit()\nprint(fitted.r_squared)',
    line: 2,
    healthy: 'fitted = sm.OLS(y, X).fit()\nprint(fitted.rsquared)',
  },
  {
    ...attribute,
    name: 'parameters of a model that is not fitted',
    crash: 'print(model.params)',
    healthy: 'print(model.fit().params)',
  },
  {
    ...attribute,
    name: 'a summary of a model that is not fitted',
    crash: 'print(model.summary())',
    healthy: 'print(model.fit().summary())',
  },
  {
    ...refused,
    name: 'a test without its hypothesis',
    crash: 'table = results.f_test()',
    raises: 'TypeError',
    healthy: "table = results.f_test('area = 0')",
  },
  {
    ...refused,
    name: 'a test of an unknown parameter',
    crash: "test = results.t_test('surface = 0')",
    raises: 'PatsyError',
    healthy: "test = results.t_test('area = 0')",
  },
  {
    ...refused,
    name: 'a parameter that the results lack',
    crash: "effect = results.params['Area']",
    raises: 'KeyError',
    healthy: "effect = results.params['area']",
  },
  {
    ...refused,
    name: 'an order of two numbers',
    crash: 'fitted = ARIMA(sales, order=(1, 1)).fit()',
    raises: 'ValueError',
    healthy: 'fitted = ARIMA(sales, order=(1, 1, 0)).fit()',
  },
  {
    ...refused,
    name: 'a season of one step',
    crash: 'model = ARIMA(sales, order=(1, 0, 0), seasonal_order=(1, 0, 0, 1))',
    raises: 'ValueError',
    healthy: 'model = ARIMA(sales, order=(1, 0, 0), seasonal_order=(1, 0, 0, 12))',
  },
  {
    ...refused,
    name: 'a forecast to a date before the series',
    crash: "forecast = series_results.get_prediction(start='2019-01-01')",
    raises: 'KeyError',
    healthy: "forecast = series_results.get_prediction(start='2023-01-01')",
  },
  {
    ...refused,
    name: 'a forecast without its regressors',
    setup: `${setup}with_exog = ARIMA(sales, exog=np.arange(48.0), order=(1, 0, 0)).fit()\n`,
    crash: 'forecast = with_exog.get_forecast(3)',
    raises: 'ValueError',
    healthy: 'forecast = with_exog.get_forecast(3, exog=[48.0, 49.0, 50.0])',
  },
  {
    ...refused,
    name: 'a decomposition without a period',
    crash: 'parts = seasonal_decompose(plain)',
    raises: 'ValueError',
    healthy: ['parts = seasonal_decompose(plain, period=12)', 'parts = seasonal_decompose(sales)'],
  },
  {
    ...refused,
    name: 'a decomposition with gaps',
    crash: 'parts = seasonal_decompose(sales.where(sales.index.month != 3))',
    raises: 'ValueError',
    healthy: 'parts = seasonal_decompose(sales.where(sales.index.month != 3).interpolate())',
  },
  {
    ...refused,
    name: 'a multiplicative decomposition of values below zero',
    crash: "parts = seasonal_decompose(sales - 100, model='multiplicative')",
    raises: 'ValueError',
    healthy: "parts = seasonal_decompose(sales, model='multiplicative')",
  },
  {
    ...refused,
    name: 'smoothing without the length of the season',
    crash: "fitted = ExponentialSmoothing(plain, seasonal='add').fit()",
    raises: 'ValueError',
    healthy: "fitted = ExponentialSmoothing(plain, seasonal='add', seasonal_periods=12).fit()",
  },
  {
    ...refused,
    name: 'a unit root test of a frame',
    crash: "test = adfuller(df[['price', 'area']])",
    raises: 'ValueError',
    healthy: "test = adfuller(df['price'])",
  },
  {
    ...refused,
    name: 'a unit root test of differences with their first gap',
    crash: 'test = adfuller(sales.diff())',
    raises: 'MissingDataError',
    healthy: 'test = adfuller(sales.diff().dropna())',
  },
  {
    ...refused,
    name: 'an inflation factor of a column that is not there',
    crash: 'factors = [variance_inflation_factor(X.values, i) for i in range(4)]',
    raises: 'IndexError',
    healthy: 'factors = [variance_inflation_factor(X.values, i) for i in range(3)]',
  },
  {
    ...refused,
    name: 'groups of another length',
    crash: "table = pairwise_tukeyhsd(df['price'], df['town'][:30])",
    raises: 'ValueError',
    healthy: "table = pairwise_tukeyhsd(df['price'], df['town'])",
  },
  {
    ...refused,
    name: 'a heteroscedasticity test without a constant',
    crash: "test = het_breuschpagan(results.resid, df[['area']])",
    raises: 'ValueError',
    healthy: "test = het_breuschpagan(results.resid, X[['const', 'area']])",
  },
  {
    ...refused,
    name: 'an unknown family',
    crash: "fitted = sm.GLM(df['rooms'], X[['const', 'area']], family='poisson').fit()",
    raises: 'AttributeError',
    healthy: "fitted = sm.GLM(df['rooms'], X[['const', 'area']], family=sm.families.Poisson()).fit()",
  },
  {
    ...attribute,
    name: 'a model class that is not in the module',
    crash: 'fitted = sm.ols(y, X).fit()',
    healthy: 'fitted = sm.OLS(y, X).fit()',
  },
  {
    ...refused,
    name: 'an analysis of variance of array results',
    crash: 'table = sm.stats.anova_lm(results)',
    raises: 'AttributeError',
    healthy: 'table = sm.stats.anova_lm(formula_results)',
  },
  {
    ...refused,
    name: 'a covariance that does not exist',
    crash: "robust = results.get_robustcov_results(cov_type='HC9')",
    raises: 'ValueError',
    healthy: "robust = results.get_robustcov_results(cov_type='HC3')",
  },
  {
    ...attribute,
    name: 'an information criterion misspelt',
    crash: 'print(series_results.AIC)',
    healthy: ['print(series_results.aic)', "print(getattr(series_results, 'AIC', None))"],
  },
  {
    ...attribute,
    name: 'a method of results misspelt',
    crash: 'print(results.sumary())',
    healthy: ['print(results.summary())', 'results.note = 1\nprint(results.note)'],
  },
  {
    ...refused,
    name: 'an unknown model of a decomposition',
    crash: "parts = seasonal_decompose(sales, model='exponential')",
    raises: 'ValueError',
    healthy: "parts = seasonal_decompose(sales, model='additive')",
  },
  {
    ...refused,
    name: 'smoothing of a series without a period',
    crash: 'parts = STL(plain).fit()',
    raises: 'ValueError',
    healthy: 'parts = STL(plain, period=12).fit()',
  },
  {
    ...refused,
    name: 'causality of one series',
    crash: "tests = grangercausalitytests(df['price'], maxlag=2)",
    raises: 'ValueError',
    healthy: "tests = grangercausalitytests(df[['price', 'area']], maxlag=2)",
  },
  {
    ...refused,
    name: 'more lags than the series allows',
    crash: "tests = grangercausalitytests(df[['price', 'area']], maxlag=20)",
    raises: 'ValueError',
    healthy: "tests = grangercausalitytests(df[['price', 'area']], maxlag=3)",
  },
  {
    ...refused,
    name: 'an order as text',
    crash: "fitted = ARIMA(sales, order='auto').fit()",
    raises: 'TypeError',
    healthy: 'fitted = ARIMA(sales, order=(0, 1, 1)).fit()',
  },
  {
    ...refused,
    name: 'words as a series',
    crash: "fitted = ARIMA(df['town'], order=(1, 0, 0)).fit()",
    raises: 'ValueError',
    healthy: "fitted = ARIMA(df['price'], order=(1, 0, 0)).fit()",
  },
  {
    ...refused,
    name: 'weights of another length',
    crash: 'fitted = sm.WLS(y, X, weights=np.ones(30)).fit()',
    raises: 'ValueError',
    healthy: 'fitted = sm.WLS(y, X, weights=np.ones(40)).fit()',
  },
  {
    ...refused,
    name: 'an unknown way of fitting',
    crash: "fitted = sm.OLS(y, X).fit(method='svd')",
    raises: 'ValueError',
    healthy: "fitted = sm.OLS(y, X).fit(method='qr')",
  },
  {
    ...refused,
    name: 'an unknown treatment of missing values',
    crash: "fitted = smf.ols('price ~ area', data=holes, missing='ignore').fit()",
    raises: 'ValueError',
    healthy: [
      "fitted = smf.ols('price ~ area', data=holes, missing='drop').fit()",
      "fitted = smf.ols('np.log(price + 50) ~ area + I(area ** 2)', data=df).fit()",
      "size = df['area'] / 10\nfitted = smf.ols('price ~ size', data=df).fit()",
    ],
  },
  {
    ...refused,
    name: 'a mixed model without groups',
    crash: "fitted = smf.mixedlm('price ~ area', data=df).fit()",
    raises: 'AttributeError',
    healthy: "fitted = smf.mixedlm('price ~ area', data=df, groups=df['town']).fit()",
  },
  {
    ...refused,
    name: 'words as the target',
    crash: "fitted = sm.OLS(df[['town']], X).fit()",
    raises: 'ValueError',
    healthy: "fitted = sm.OLS(df[['price']], X).fit()",
  },
  {
    ...refused,
    check: 'columns/missing-column',
    name: 'a bound that the intervals do not name',
    crash: "low = results.conf_int()['lower']",
    raises: 'KeyError',
    healthy: 'low = results.conf_int()[0]',
  },
  {
    ...refused,
    check: 'calls/wrong-arguments',
    name: 'counts without the number of trials',
    crash: 'z, p = proportions_ztest([30, 60])',
    raises: 'TypeError',
    healthy: 'z, p = proportions_ztest([30, 60], [100, 120])',
  },
];
