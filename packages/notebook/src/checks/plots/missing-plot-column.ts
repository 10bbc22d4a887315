/**
 * # A plot of a column that the data does not have
 *
 * ## What
 * A seaborn function is given `data=frame` and names a column for `x`, `y`, `hue` or another role that is not in the
 * frame.
 *
 * ## Why it crashes
 * seaborn looks the name up in the data and raises `ValueError: Could not interpret value`; grids raise `KeyError`.
 *
 * ## Example
 * ```python state
 * import pandas as pd
 * import seaborn as sns
 *
 * df = pd.DataFrame({"age": [30, 40]})
 * ```
 * ```python cell
 * sns.histplot(data=df, x="Age")
 * ```
 *
 * ## Fix
 * Use a column of the frame.
 * ```python fixed
 * sns.histplot(data=df, x="age")
 * ```
 *
 * ## When it stays silent
 * When the columns are not known, and for names of the row index, which seaborn accepts.
 */
import { nearest } from '@grus/core';
import { includesLiteral, listed, pythonRepr } from '../../reasoning/literals.js';
import { indexNames, plainLabels } from '../columns/labels.js';
import { defineCheck } from '../define-check.js';

/** What each function looks up in the data, by keyword (tried with seaborn 0.13). */
const roles: Readonly<Record<string, string>> = {
  ...of('scatterplot lineplot', 'x y hue size style units'),
  ...of('histplot kdeplot ecdfplot', 'x y hue weights'),
  ...of(
    'rugplot barplot boxplot boxenplot violinplot stripplot swarmplot pointplot countplot jointplot',
    'x y hue',
  ),
  ...of('relplot', 'x y hue size style units col row'),
  ...of('catplot', 'x y hue col row'),
  ...of('displot', 'x y hue weights col row'),
  ...of('lmplot', 'x y hue col row'),
  ...of('FacetGrid', 'hue col row'),
  ...of('pairplot', 'hue'),
  ...of('regplot residplot', 'x y'),
};

/** These take the column out of the frame themselves. */
const takers = new Set(['lmplot', 'FacetGrid', 'pairplot', 'regplot', 'residplot']);

function of(names: string, words: string): Record<string, string> {
  return Object.fromEntries(names.split(' ').map((name) => [name, words]));
}

export default defineCheck({
  id: 'plots/missing-plot-column',
  title: 'A plot of a column that the data does not have',
  rung: 'contracts',
  libraries: ['seaborn'],
  on: {
    call(event, context) {
      const name = /^seaborn\.(\w+)$/.exec(event.target ?? '')?.[1] ?? '';
      if (!Object.hasOwn(roles, name) || event.args.positional.length > 1) return;
      const data = event.args.keywords.get('data') ?? event.args.positional[0];
      if (data?.fact.kind !== 'dataframe') return;
      const labels = plainLabels(data.fact);
      const names = indexNames(data.fact);
      if (!labels || !names) return;
      for (const role of roles[name]!.split(' ')) {
        const operand = event.args.keywords.get(role);
        const wanted = operand && context.literal(operand.ref);
        if (
          !operand ||
          typeof wanted !== 'string' ||
          includesLiteral(labels, wanted) ||
          includesLiteral(names, wanted)
        )
          continue;
        const isTaker = takers.has(name);
        const exception = isTaker ? 'KeyError' : 'ValueError';
        const frame = context.text(data.node);
        const near = nearest(
          wanted,
          labels.filter((label) => typeof label === 'string'),
        );
        context.report({
          exception,
          message: isTaker
            ? `…${wanted}…`
            : `Could not interpret value \`${wanted}\` for \`${role}\`. An entry with this name does not appear in \`data\`.`,
          evidence: [{ fact: `${frame} has the columns ${listed(labels)}`, source: context.source(data) }],
          explanation: `\`${context.text(event.node)}\` raises ${exception}: ${frame} has no column ${pythonRepr(wanted)}.`,
          remedy: near.length > 0 ? `Did you mean ${pythonRepr(near[0]!)}?` : `Use a column of ${frame}.`,
        });
        return;
      }
    },
  },
});
