/**
 * # A series that is too short for its period or lags
 *
 * ## What
 * `seasonal_decompose` gets fewer than two full periods, or `pacf` more lags than half of the observations.
 *
 * ## Why it crashes
 * The season or the partial correlations cannot be estimated; statsmodels raises `ValueError`.
 *
 * ## Example
 * ```python state
 * import numpy as np
 * from statsmodels.tsa.seasonal import seasonal_decompose
 *
 * sales = np.arange(20.0)
 * ```
 * ```python cell
 * seasonal_decompose(sales, period=12)
 * ```
 *
 * ## Fix
 * Use a shorter period or fewer lags, or more data.
 * ```python fixed
 * seasonal_decompose(sales, period=6)
 * ```
 *
 * ## When it stays silent
 * When the length or the period is not known.
 */
import { argument } from '../../reasoning/arguments.js';
import { defineCheck } from '../define-check.js';
import { dataOf } from '../estimators/shared.js';

export default defineCheck({
  id: 'statistics/series-too-short',
  title: 'A series that is too short for its period or lags',
  rung: 'contracts',
  libraries: ['statsmodels'],
  on: {
    call(event, context) {
      const isSeason = /^statsmodels\.(\w+\.)*seasonal_decompose$/.test(event.target ?? '');
      const isPartial = /^statsmodels\.(\w+\.)*(pacf|plot_pacf)$/.test(event.target ?? '');
      if (!isSeason && !isPartial) return;
      const series = argument(event, 0, 'x');
      const isPlot = event.target!.endsWith('plot_pacf');
      const given = isSeason
        ? argument(event, 3, 'period')
        : isPlot
          ? argument(event, 2, 'lags')
          : argument(event, 1, 'nlags');
      const count = given && context.literal(given.ref);
      const rows = series && dataOf(context, series.fact).rows;
      if (!series || rows === undefined || typeof count !== 'number') return;
      const needed = isSeason ? 2 * count : 2 * count + 1;
      const fits = isSeason ? rows >= needed : count <= Math.floor(rows / 2);
      if (fits) return;
      const name = context.text(series.node);
      context.report({
        exception: 'ValueError',
        message: isSeason
          ? `x must have 2 complete cycles requires ${needed} observations. x only has ${rows} observation(s)`
          : `Can only compute partial correlations for lags up to 50% of the sample size. The requested nlags ${count} must be < ${Math.floor(rows / 2)}.`,
        evidence: [{ fact: `${name} has ${rows} observations`, source: context.source(series) }],
        explanation: `\`${context.text(event.node.func)}\` raises ValueError: ${name} has ${rows} observations, which is too few for ${isSeason ? `a period of ${count}` : `${count} lags`}.`,
        remedy: isSeason
          ? `Use a period of at most ${Math.floor(rows / 2)}, or more data.`
          : `Use at most ${Math.floor(rows / 2) - 1} lags.`,
      });
    },
  },
});
