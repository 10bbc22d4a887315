/**
 * # A formula that names a column which the data does not have
 *
 * ## What
 * A model of `statsmodels.formula.api` gets a formula with a name that is neither a column of the data nor a variable.
 *
 * ## Why it crashes
 * Names are looked up in the data and then in the notebook; the formula library raises `PatsyError` when neither has it.
 *
 * ## Example
 * ```python state
 * import pandas as pd
 * import statsmodels.formula.api as smf
 *
 * df = pd.DataFrame({"Volume": [10.3, 10.2, 16.4], "Girth": [8.3, 8.6, 10.5]})
 * ```
 * ```python cell
 * smf.ols("Volume ~ girth", data=df)
 * ```
 *
 * ## Fix
 * Use the column's name, with `Q("…")` around names that are not plain words.
 * ```python fixed
 * smf.ols("Volume ~ Girth", data=df)
 * ```
 *
 * ## When it stays silent
 * When the columns are not known, and when the notebook may hold a variable of that name.
 */
import { nearest } from '@grus/core';
import { walk } from '@grus/python';
import { argument } from '../../reasoning/arguments.js';
import { listed } from '../../reasoning/literals.js';
import { isBuiltin } from '../../reasoning/live/origin.js';
import { plainLabels } from '../columns/labels.js';
import { type CheckContext, defineCheck } from '../define-check.js';

const models =
  /^statsmodels\.(\w+\.)*(ols|wls|gls|glm|logit|probit|poisson|quantreg|rlm|mixedlm|gee|mnlogit|negativebinomial)$/;

export default defineCheck({
  id: 'statistics/formula-column',
  title: 'A formula that names a column which the data does not have',
  rung: 'contracts',
  libraries: ['statsmodels'],
  on: {
    call(event, context) {
      const isModel =
        models.test(event.target ?? '') ||
        /^statsmodels\.(\w+\.)*\w+\.from_formula$/.test(event.target ?? '');
      const formula = argument(event, 0, 'formula');
      const data = argument(event, 1, 'data');
      const text = formula && context.literal(formula.ref);
      if (!isModel || typeof text !== 'string' || data?.fact.kind !== 'dataframe') return;
      const labels = plainLabels(data.fact);
      if (!labels) return;
      const columns = labels.filter((label): label is string => typeof label === 'string');
      const missing = namesIn(text).find((name) => !columns.includes(name) && !mayBeBound(name, context));
      if (missing === undefined) return;
      const frame = context.text(data.node);
      const near = nearest(missing, columns);
      context.report({
        exception: 'PatsyError',
        message: `Error evaluating factor: NameError: name '${missing}' is not defined…`,
        evidence: [{ fact: `${frame} has the columns ${listed(labels)}`, source: context.source(data) }],
        explanation: `\`${context.text(event.node.func)}\` raises PatsyError: the formula names '${missing}', which ${frame} does not have.`,
        remedy: near.length > 0 ? `Did you mean '${near[0]}'?` : `Use a column of ${frame}.`,
      });
    },
  },
});

/** Plain names of a formula, without functions, modules, text and keywords of calls. */
function namesIn(formula: string): string[] {
  const bare = formula.replace(/'[^']*'|"[^"]*"/g, ' ');
  const names: string[] = [];
  for (const match of bare.matchAll(/(?<![\w.])([A-Za-z_]\w*)\s*([(.]|=(?!=))?/g))
    if (match[2] === undefined && !/^(in|and|or|not|True|False|None|if|else|for)$/.test(match[1]!))
      names.push(match[1]!);
  return names;
}

/** A namespace as long as this may have been cut. */
const listedAtMost = 2000;

function mayBeBound(name: string, context: CheckContext): boolean {
  const { namespace } = context.snapshot;
  if (
    isBuiltin(name) ||
    name.startsWith('_') ||
    namespace.length === 0 ||
    namespace.length >= listedAtMost ||
    namespace.includes(name)
  )
    return true;
  for (const node of walk(context.cell.module)) if (node.nodeType === 'Name' && node.id === name) return true;
  return context.nameRef(name) !== undefined;
}
