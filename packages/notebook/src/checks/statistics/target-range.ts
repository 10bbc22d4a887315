/**
 * # Values outside of what a model or transform is defined for
 *
 * ## What
 * `Logit` or `Probit` gets a target outside of 0 to 1, or `scipy.stats.boxcox` data that is not positive.
 *
 * ## Why it crashes
 * Probabilities lie between 0 and 1 and logarithms need positive values; both raise `ValueError`.
 *
 * ## Example
 * ```python state
 * import numpy as np
 * import statsmodels.api as sm
 *
 * X, y = np.random.rand(8, 1), np.array([1, 2] * 4)
 * ```
 * ```python cell
 * sm.Logit(y, X)
 * ```
 *
 * ## Fix
 * Recode the target to 0 and 1; shift the data above zero, or use the Yeo-Johnson transform.
 * ```python fixed
 * sm.Logit(y - 1, X)
 * ```
 *
 * ## When it stays silent
 * When the range of the values is not known.
 */
import { argument } from '../../reasoning/arguments.js';
import { defineCheck } from '../define-check.js';

export default defineCheck({
  id: 'statistics/target-range',
  title: 'Values outside of what a model or transform is defined for',
  rung: 'contracts',
  libraries: ['statsmodels', 'scipy'],
  on: {
    call(event, context) {
      const isModel = /^statsmodels\.(\w+\.)*(Logit|Probit)$/.test(event.target ?? '');
      const isPower = event.target === 'scipy.stats.boxcox';
      if (!isModel && !isPower) return;
      const data = argument(event, 0, isModel ? 'endog' : 'x');
      if (data?.fact.kind !== 'series' && data?.fact.kind !== 'ndarray') return;
      const { values } = data.fact;
      if (values?.min === undefined || values.max === undefined || values.hasNan !== false) return;
      const isWrong = isModel ? values.min < 0 || values.max > 1 : values.min <= 0;
      if (!isWrong || !/^(int|float|uint)/.test(data.fact.dtype ?? '')) return;
      const name = context.text(data.node);
      context.report({
        exception: 'ValueError',
        message: isModel ? 'endog must be in the unit interval.' : 'Data must be positive.',
        evidence: [
          { fact: `${name} ranges from ${values.min} to ${values.max}`, source: context.source(data) },
        ],
        explanation: `\`${context.text(event.node.func)}\` raises ValueError: ${name} ranges from ${values.min} to ${values.max}.`,
        remedy: isModel
          ? 'Recode the target to 0 and 1.'
          : 'Shift the data above zero, or use `scipy.stats.yeojohnson`, which takes all real numbers.',
      });
    },
  },
});
