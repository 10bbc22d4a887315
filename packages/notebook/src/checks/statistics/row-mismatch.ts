/**
 * # A statistical model with different numbers of observations
 *
 * ## What
 * A statsmodels model, or a paired test or correlation of SciPy, gets inputs of different lengths.
 *
 * ## Why it crashes
 * Observations are paired row by row; both libraries raise `ValueError` when the lengths differ.
 *
 * ## Example
 * ```python state
 * import numpy as np
 * import statsmodels.api as sm
 *
 * X, y = np.random.rand(100, 2), np.random.rand(90)
 * ```
 * ```python cell
 * sm.OLS(y, X)
 * ```
 *
 * ## Fix
 * Drop missing values and filter in both together.
 * ```python fixed
 * sm.OLS(y, X[:90])
 * ```
 *
 * ## When it stays silent
 * When a length is not known.
 */
import { argument } from '../../reasoning/arguments.js';
import { defineCheck } from '../define-check.js';
import { dataOf } from '../estimators/shared.js';

const models = /^statsmodels\.(\w+\.)*(OLS|WLS|GLS|Logit|Probit|MNLogit|Poisson|GLM|QuantReg|RLM)$/;
const paired: Record<string, string> = {
  'scipy.stats.pearsonr': '`x` and `y` must …',
  'scipy.stats.ttest_rel': 'Array shapes are incompatible for broadcasting.',
  'scipy.stats.linregress':
    'all the input array dimensions except for the concatenation axis must match exactly…',
};

export default defineCheck({
  id: 'statistics/row-mismatch',
  title: 'A statistical model with different numbers of observations',
  rung: 'contracts',
  libraries: ['statsmodels', 'scipy'],
  on: {
    call(event, context) {
      if (event.target === null) return;
      const isModel = models.test(event.target);
      const message = isModel
        ? 'endog and exog matrices are different sizes'
        : Object.hasOwn(paired, event.target)
          ? paired[event.target]
          : undefined;
      const first = argument(event, 0, isModel ? 'endog' : 'x') ?? argument(event, 0, 'a');
      const second = argument(event, 1, isModel ? 'exog' : 'y') ?? argument(event, 1, 'b');
      if (message === undefined || !first || !second) return;
      const [a, b] = [dataOf(context, first.fact).rows, dataOf(context, second.fact).rows];
      if (a === undefined || b === undefined || a === b || (!isModel && (a === 1 || b === 1))) return;
      const names = [context.text(first.node), context.text(second.node)];
      context.report({
        exception: 'ValueError',
        message,
        evidence: [
          { fact: `${names[0]} has ${a} rows`, source: context.source(first) },
          { fact: `${names[1]} has ${b} rows`, source: context.source(second) },
        ],
        explanation: `\`${context.text(event.node.func)}\` raises ValueError: ${names[0]} has ${a} rows and ${names[1]} has ${b}.`,
        remedy: 'Make both from the same rows.',
      });
    },
  },
});
