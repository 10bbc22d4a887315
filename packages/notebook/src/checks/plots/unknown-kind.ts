/**
 * # A kind of plot that does not exist
 *
 * ## What
 * `frame.plot(kind=...)` or a figure-level function of seaborn gets a kind that it does not know.
 *
 * ## Why it crashes
 * The kind selects the function that draws; an unknown one raises `ValueError`.
 *
 * ## Example
 * ```python state
 * import pandas as pd
 *
 * df = pd.DataFrame({"age": [30, 40]})
 * ```
 * ```python cell
 * df.plot(kind="donut")
 * ```
 *
 * ## Fix
 * Use a kind from the list in the message.
 * ```python fixed
 * df.plot(kind="bar")
 * ```
 *
 * ## When it stays silent
 * When the kind is not a constant.
 */
import { nearest } from '@grus/core';
import { argument } from '../../reasoning/arguments.js';
import { defineCheck } from '../define-check.js';

const ofPandas = 'line bar barh kde density area hist box pie scatter hexbin'.split(' ');
const ofSeaborn: Record<string, readonly string[]> = {
  'seaborn.relplot': ['scatter', 'line'],
  'seaborn.displot': ['hist', 'kde', 'ecdf'],
  'seaborn.catplot': ['strip', 'swarm', 'box', 'boxen', 'violin', 'bar', 'count', 'point'],
};

export default defineCheck({
  id: 'plots/unknown-kind',
  title: 'A kind of plot that does not exist',
  rung: 'contracts',
  libraries: ['pandas', 'seaborn'],
  on: {
    call(event, context) {
      const owner = event.receiver?.fact.kind;
      const isPandas = event.method === 'plot' && (owner === 'dataframe' || owner === 'series');
      const kinds = isPandas
        ? ofPandas
        : event.target !== null && Object.hasOwn(ofSeaborn, event.target)
          ? ofSeaborn[event.target]!
          : undefined;
      const given = kinds && argument(event, isPandas && owner === 'series' ? 0 : null, 'kind');
      const kind = given && context.literal(given.ref);
      if (!kinds || !given || typeof kind !== 'string' || kinds.includes(kind)) return;
      if (isPandas && event.args.keywords.has('backend')) return;
      const near = nearest(kind, kinds);
      context.report({
        exception: 'ValueError',
        message: isPandas
          ? `${kind} is not a valid plot kind Valid plot kinds: (${ofPandas.map((name) => `'${name}'`).join(', ')})`
          : `Plot kind ${kind} not recognized`,
        evidence: [{ fact: `the kinds are ${kinds.join(', ')}`, source: context.source(given) }],
        explanation: `\`${context.text(event.node)}\` raises ValueError: there is no kind '${kind}'.`,
        remedy: near.length > 0 ? `Did you mean '${near[0]}'?` : `Use one of ${kinds.join(', ')}.`,
      });
    },
  },
});
