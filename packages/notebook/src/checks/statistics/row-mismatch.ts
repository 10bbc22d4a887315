/**
 * # Observations that belong together, of different numbers
 *
 * ## What
 * A statsmodels model, or a function of SciPy or NumPy that takes pairs (a paired test, a correlation, an interpolation, a
 * distance, a fitted polynomial), gets inputs of different lengths. Distances between tables of different widths, and labels of
 * `pd.cut` that are not one for each piece, are of the same sort.
 *
 * ## Why it crashes
 * Observations are paired one by one; the libraries raise `ValueError` or `TypeError` when the lengths differ.
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
import { type Pairing, pairingOf } from '../../libraries/scipy/needs.js';
import { argument } from '../../reasoning/arguments.js';
import type { Operand } from '../../reasoning/events.js';
import { type CheckContext, defineCheck } from '../define-check.js';
import { dataOf } from '../estimators/shared.js';

const models = /^statsmodels\.(\w+\.)*(OLS|WLS|GLS|Logit|Probit|MNLogit|Poisson|GLM|QuantReg|RLM)$/;
const modelled: Pairing = {
  parameters: [
    [0, 'endog'],
    [1, 'exog'],
  ],
  exception: 'ValueError',
  message: 'endog and exog matrices are different sizes',
};

export default defineCheck({
  id: 'statistics/row-mismatch',
  title: 'Observations that belong together, of different numbers',
  rung: 'contracts',
  libraries: ['statsmodels', 'scipy', 'numpy', 'pandas', 'sklearn'],
  on: {
    call(event, context) {
      if (event.target === null) return;
      const isModel = models.test(event.target);
      const pairing = isModel ? modelled : pairingOf(event.target);
      if (!pairing || event.args.keywords.has('axis')) return;
      const [first, second] = pairing.parameters.map(([position, name]) => argument(event, position, name));
      if (!first || !second) return;
      const [a, b] = [countOf(context, first, pairing, isModel), countOf(context, second, pairing, isModel)];
      const { fewer = 0, counts = 'rows' } = pairing;
      if (a === undefined || b === undefined || a - fewer === b) return;
      // A single value goes with any number of others.
      if (!isModel && pairing.fewer === undefined && counts === 'rows' && (a === 1 || b === 1)) return;
      const names = [context.text(first.node), context.text(second.node)];
      context.report({
        exception: pairing.exception,
        message: pairing.message,
        evidence: [
          { fact: `${names[0]} has ${a} ${counts}`, source: context.source(first) },
          { fact: `${names[1]} has ${b} ${counts}`, source: context.source(second) },
        ],
        explanation: `\`${context.text(event.node.func)}\` raises ${pairing.exception}: ${names[0]} has ${a} ${counts} and ${names[1]} has ${b}.`,
        remedy: fewer > 0 ? `Give ${fewer} fewer labels than edges.` : `Make both from the same ${counts}.`,
      });
    },
  },
});

/** How many the operand has of what must agree; undefined where that is not known, or it is not of the form that counts. */
function countOf(
  context: CheckContext,
  operand: Operand,
  { counts, fewer }: Pairing,
  isModel: boolean,
): number | undefined {
  const { rows, columns, ndim } = dataOf(context, operand.fact);
  if (counts === 'columns') return ndim === 2 ? columns : undefined;
  const number = fewer === undefined ? undefined : context.literal(operand.ref);
  if (typeof number === 'number') return number + fewer!;
  return isModel || ndim === 1 ? rows : undefined;
}
