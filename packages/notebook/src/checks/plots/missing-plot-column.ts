/**
 * # A plot of a column that the data does not have
 *
 * ## What
 * A seaborn function is given `data=frame` and names a column for `x`, `y`, `hue` or another role that is not in the
 * frame.
 *
 * ## Why it crashes
 * seaborn looks the name up in the data and raises `ValueError: Could not interpret value`.
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

const functions =
  /^seaborn\.(scatterplot|lineplot|histplot|kdeplot|ecdfplot|rugplot|barplot|boxplot|boxenplot|violinplot|stripplot|swarmplot|pointplot|countplot|relplot|catplot|displot)$/;

/** What a function looks up in the data. */
function rolesOf(name: string): readonly string[] {
  if (/\.(scatterplot|lineplot|relplot)$/.test(name)) return ['x', 'y', 'hue', 'size', 'style', 'units'];
  return /\.(histplot|kdeplot|ecdfplot|displot)$/.test(name)
    ? ['x', 'y', 'hue', 'weights']
    : ['x', 'y', 'hue'];
}

export default defineCheck({
  id: 'plots/missing-plot-column',
  title: 'A plot of a column that the data does not have',
  rung: 'contracts',
  libraries: ['seaborn'],
  on: {
    call(event, context) {
      if (event.target === null || !functions.test(event.target) || event.args.positional.length > 1) return;
      const data = event.args.keywords.get('data') ?? event.args.positional[0];
      if (data?.fact.kind !== 'dataframe') return;
      const labels = plainLabels(data.fact);
      const names = indexNames(data.fact);
      if (!labels || !names) return;
      for (const role of rolesOf(event.target)) {
        const operand = event.args.keywords.get(role);
        const wanted = operand && context.literal(operand.ref);
        if (
          !operand ||
          typeof wanted !== 'string' ||
          includesLiteral(labels, wanted) ||
          includesLiteral(names, wanted)
        )
          continue;
        const frame = context.text(data.node);
        const near = nearest(
          wanted,
          labels.filter((label) => typeof label === 'string'),
        );
        context.report({
          exception: 'ValueError',
          message: `Could not interpret value \`${wanted}\` for \`${role}\`. An entry with this name does not appear in \`data\`.`,
          evidence: [{ fact: `${frame} has the columns ${listed(labels)}`, source: context.source(data) }],
          explanation: `\`${context.text(event.node)}\` raises ValueError: ${frame} has no column ${pythonRepr(wanted)}.`,
          remedy: near.length > 0 ? `Did you mean ${pythonRepr(near[0]!)}?` : `Use a column of ${frame}.`,
        });
        return;
      }
    },
  },
});
