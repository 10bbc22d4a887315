/**
 * # A column of strings where numbers are needed
 *
 * ## What
 * `column.astype(int)`, `column.astype(float)` or `pd.to_numeric(column)` meets a string that is not a number: "10,000+", "N/A".
 * Or a statistic that needs numbers is taken of all columns, with text among them: `frame.corr()`, `frame.groupby(key).mean()`,
 * `frame.agg({column: "mean"})`.
 *
 * ## Why it crashes
 * Each element goes through `int()` or `float()`, which raise `ValueError` on the first that does not fit. Since pandas 2 a
 * statistic leaves out no column by itself, and raises `TypeError` or `ValueError`.
 *
 * ## Example
 * ```python state
 * import pandas as pd
 *
 * df = pd.DataFrame({"installs": ["100", "10,000+"]})
 * ```
 * ```python cell
 * df["installs"].astype(int)
 * ```
 *
 * ## Fix
 * Clean the strings first (`str.replace`), or use `pd.to_numeric(…, errors="coerce")`. Take statistics with `numeric_only=True`.
 * ```python fixed
 * df["installs"].str.replace("[,+]", "", regex=True).astype(int)
 * ```
 *
 * ## When it stays silent
 * When no offending element is known, with `errors=` or `numeric_only=` given, and after the column may have changed.
 */

import type { ArrayLike } from '../../libraries/numpy/kinds.js';
import type { Series } from '../../libraries/pandas/kinds.js';
import { statisticsTaken } from '../../libraries/pandas/statistics.js';
import { argument } from '../../reasoning/arguments.js';
import type { EventOf } from '../../reasoning/events.js';
import { pythonRepr } from '../../reasoning/literals.js';
import { type CheckContext, defineCheck } from '../define-check.js';
import { atLeast } from '../versions.js';
import { refusedBy, textDtypes, textIn } from './numbers.js';

export default defineCheck({
  id: 'conversions/column-not-numeric',
  title: 'A column of strings where numbers are needed',
  rung: 'contracts',
  libraries: ['pandas'],
  on: {
    call(event, context) {
      const { receiver } = event;
      if (
        event.method === 'astype' &&
        (receiver?.fact.kind === 'series' || receiver?.fact.kind === 'ndarray')
      ) {
        const type = targetType(event, context);
        if (type && !argument(event, null, 'errors'))
          check(event, context, receiver.fact, receiver.node, type);
      }
      if (event.target === 'pandas.to_numeric' && !argument(event, 1, 'errors')) {
        const given = argument(event, 0, 'arg');
        if (given?.fact.kind === 'series') check(event, context, given.fact, given.node, 'to_numeric');
      }
      checkStatistics(event, context);
    },
  },
});

function checkStatistics(event: EventOf<'call'>, context: CheckContext): void {
  if (!atLeast(context, 'pandas', [2])) return;
  for (const { statistic, columns, converts, isGrouped } of statisticsTaken(event, context)) {
    const found = textIn(columns);
    if (!found) continue;
    const value = pythonRepr(found.value);
    const isStr = found.dtype?.startsWith('str') === true;
    const asNumbers = converts && !(isGrouped && isStr && statistic !== 'corr' && statistic !== 'cov');
    const exception = asNumbers ? 'ValueError' : 'TypeError';
    const where = found.column === null ? 'it' : `the column ${pythonRepr(found.column)}`;
    context.report({
      exception,
      message: asNumbers
        ? `could not convert string to float: ${value}`
        : isStr || found.dtype === 'category'
          ? `…'${statistic}'…`
          : isGrouped
            ? `agg function failed [how->${statistic},dtype->…]`
            : 'Could not convert … to numeric',
      evidence: [{ fact: `${where} holds ${value}`, source: context.source(event.receiver!) }],
      explanation: `\`${context.text(event.node)}\` raises ${exception}: \`${statistic}\` needs numbers, and ${where} holds ${value}.`,
      remedy: 'Give `numeric_only=True`, or choose the columns with numbers first.',
    });
    return;
  }
}

function targetType(event: EventOf<'call'>, context: CheckContext): 'int' | 'float' | undefined {
  const given = argument(event, 0, 'dtype');
  if (!given || !event.args.complete) return undefined;
  const text = context.literal(given.ref);
  const name =
    typeof text === 'string'
      ? text
      : given.fact.kind === 'library' || given.fact.kind === 'class'
        ? given.fact.name.split('.').at(-1)!
        : '';
  if (/^u?int\d*$/.test(name)) return 'int';
  return /^float\d*$/.test(name) ? 'float' : undefined;
}

function check(
  event: EventOf<'call'>,
  context: CheckContext,
  series: Series | ArrayLike,
  node: EventOf<'call'>['node'] | Parameters<CheckContext['text']>[0],
  type: 'int' | 'float' | 'to_numeric',
): void {
  if (series.dtype !== undefined && !textDtypes.test(series.dtype) && !/^<U/.test(series.dtype)) return;
  const value = refusedBy(series.values, type === 'int' ? 'int' : 'float');
  if (typeof value !== 'string') return;
  const message =
    type === 'int'
      ? `invalid literal for int() with base 10: ${pythonRepr(value)}`
      : type === 'float'
        ? `could not convert string to float: ${pythonRepr(value)}`
        : `Unable to parse string ${JSON.stringify(value)}`;
  const name = context.text(node);
  context.report({
    exception: 'ValueError',
    message,
    evidence: [
      {
        fact: `${name} holds ${pythonRepr(value)}`,
        source: series.source ?? `line ${'lineno' in node ? node.lineno : 1}`,
      },
    ],
    explanation: `\`${context.text(event.node)}\` raises ValueError: ${name} holds ${pythonRepr(value)}, which is no ${type === 'int' ? 'whole number' : 'number'}.`,
    remedy: 'Clean the texts first, or use `pd.to_numeric(…, errors="coerce")`.',
  });
}
