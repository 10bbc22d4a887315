// Models made of a formula. Its names are looked up in the data and then where the cell is, which a copy is not: a formula is
// asked when all its names are columns, and then with nothing around it. Models that cannot be told so are not asked.
import { argument } from '../../reasoning/arguments.js';
import type { Context, Exact } from '../../reasoning/context.js';
import type { Operand } from '../../reasoning/events.js';
import type { Planned } from '../../reasoning/inquiry/planned.js';
import { partsOf, words } from '../../reasoning/inquiry/planning.js';
import type { CallSite } from '../../reasoning/library.js';

const makers = /^statsmodels\.(formula\.(\w+\.)*[a-z]\w*|(\w+\.)*from_formula)$/;

export function isFormulaMaker(target: string | null): boolean {
  return target !== null && makers.test(target);
}

/** What formulas can call without an import. */
const offered = words('C Q I bs cr cc te center scale standardize Treatment Poly Sum Helmert Diff');

export function planFormula(site: CallSite, callee: Operand, context: Context, exact: Exact): Planned | null {
  const formula = argument(site, 0, 'formula');
  const data = argument(site, 1, 'data');
  const text = formula && context.literal(formula.ref);
  if (typeof text !== 'string' || data?.fact.kind !== 'dataframe' || !takesSurroundings(callee, site))
    return null;
  const columns = data.fact.columns?.map(({ label }) => label);
  if (!columns || !namesIn(text).every((name) => columns.includes(name) || offered.has(name))) return null;
  const parts = partsOf(exact, site.args);
  const made = parts && exact.named(callee.fact);
  if (made === undefined) return null;
  const nothing = exact.step({ op: 'literal', value: -1 });
  return {
    step: { op: 'call', callee: made, ...parts, keywords: { ...parts?.keywords, eval_env: nothing } },
    urgency: 'needed',
  };
}

/** Whether the maker can be given what is around the formula, and was not. */
function takesSurroundings({ fact: { signature } }: Operand, { args }: CallSite): boolean {
  return !args.keywords.has('eval_env') && !!signature?.some(({ kind }) => kind === 'var_keyword');
}

/** All names but members (`np.log`), keywords (`C(x, levels=…)`) and what stands in quotes. */
function namesIn(formula: string): string[] {
  const bare = formula.replace(/'[^']*'|"[^"]*"/g, ' ');
  return [...bare.matchAll(/(?<![\w.])[A-Za-z_]\w*(?!\w)(?!\s*=(?!=))/g)].map(([name]) => name);
}
