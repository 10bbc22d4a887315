/**
 * # Values outside of what a model or transform is defined for
 *
 * ## What
 * `Logit` or `Probit` gets a target outside of 0 to 1, `scipy.stats.boxcox` data that is not positive, a filter of
 * `scipy.signal` an edge outside of 0 to 1, or a function of SciPy that solves, fits or clusters data with missing values.
 *
 * ## Why it crashes
 * Probabilities lie between 0 and 1, logarithms need positive values, and no equation holds with NaN; all raise `ValueError`.
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
import { filterEdgeOf, finitenessOf } from '../../libraries/scipy/needs.js';
import { argument } from '../../reasoning/arguments.js';
import type { EventOf, Operand } from '../../reasoning/events.js';
import { type CheckContext, defineCheck } from '../define-check.js';

interface Problem {
  readonly operand: Operand;
  readonly message: string;
  readonly fact: string;
  readonly remedy: string;
}

export default defineCheck({
  id: 'statistics/target-range',
  title: 'Values outside of what a model or transform is defined for',
  rung: 'contracts',
  libraries: ['statsmodels', 'scipy'],
  on: {
    call(event, context) {
      const problem = outOfRange(event) ?? notFinite(event) ?? edgeOutside(event, context);
      if (!problem) return;
      const name = context.text(problem.operand.node);
      context.report({
        exception: 'ValueError',
        message: problem.message,
        evidence: [{ fact: `${name} ${problem.fact}`, source: context.source(problem.operand) }],
        explanation: `\`${context.text(event.node.func)}\` raises ValueError: ${name} ${problem.fact}.`,
        remedy: problem.remedy,
      });
    },
  },
});

function outOfRange(event: EventOf<'call'>): Problem | undefined {
  const isModel = /^statsmodels\.(\w+\.)*(Logit|Probit)$/.test(event.target ?? '');
  if (!isModel && event.target !== 'scipy.stats.boxcox') return undefined;
  const operand = argument(event, 0, isModel ? 'endog' : 'x');
  if (operand?.fact.kind !== 'series' && operand?.fact.kind !== 'ndarray') return undefined;
  const { values, dtype } = operand.fact;
  if (values?.min === undefined || values.max === undefined || values.hasNan !== false) return undefined;
  const isWrong = isModel ? values.min < 0 || values.max > 1 : values.min <= 0;
  if (!isWrong || !/^(int|float|uint)/.test(dtype ?? '')) return undefined;
  return {
    operand,
    message: isModel ? 'endog must be in the unit interval.' : 'Data must be positive.',
    fact: `ranges from ${values.min} to ${values.max}`,
    remedy: isModel
      ? 'Recode the target to 0 and 1.'
      : 'Shift the data above zero, or use `scipy.stats.yeojohnson`, which takes all real numbers.',
  };
}

function notFinite(event: EventOf<'call'>): Problem | undefined {
  const need = event.target === null ? undefined : finitenessOf(event.target);
  if (!need || !event.args.complete || need.unless?.some((name) => event.args.keywords.has(name)))
    return undefined;
  for (const [position, name] of need.parameters) {
    const operand = argument(event, position, name);
    const fact = operand?.fact;
    if (fact?.kind !== 'ndarray' && fact?.kind !== 'series') continue;
    if (fact.values?.hasNan !== true || !/^float/.test(fact.dtype ?? '')) continue;
    return {
      operand: operand!,
      message: need.message,
      fact: 'contains NaN',
      remedy: 'Drop or fill the missing values first.',
    };
  }
  return undefined;
}

function edgeOutside(event: EventOf<'call'>, context: CheckContext): Problem | undefined {
  const position = event.target === null ? undefined : filterEdgeOf(event.target);
  if (position === undefined || !event.args.complete) return undefined;
  const { keywords, positional } = event.args;
  if (keywords.has('fs') || keywords.has('analog') || positional.length > position + 2) return undefined;
  const operand = argument(event, position, 'Wn');
  const edge = operand && context.literal(operand.ref);
  if (!operand || typeof edge !== 'number' || (edge > 0 && edge < 1)) return undefined;
  return {
    operand,
    message:
      edge > 0
        ? 'Digital filter critical frequencies must be 0 < Wn < 1'
        : 'filter critical frequencies must be greater than 0',
    fact: `is ${edge}, and without \`fs\` the edge of a filter lies between 0 and 1`,
    remedy: 'Divide the frequency by half the sampling rate, or pass `fs`.',
  };
}
