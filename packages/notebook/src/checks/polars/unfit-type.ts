/**
 * # Columns whose types do not fit the expression
 *
 * ## What
 * An expression adds, subtracts or multiplies a column of strings and a column of numbers, or uses `.str` on a column of numbers.
 *
 * ## Why it crashes
 * Polars converts nothing by itself: it raises `InvalidOperationError` or `SchemaError`.
 *
 * ## Example
 * ```python state
 * import polars as pl
 *
 * df = pl.DataFrame({"city": ["Rome", "Oslo"], "zip": [118, 150]})
 * ```
 * ```python cell
 * df.with_columns(place=pl.col("city") + pl.col("zip"))
 * ```
 *
 * ## Fix
 * Convert the column first, with `.cast(pl.String)` or `.cast(pl.Float64)`.
 * ```python fixed
 * df.with_columns(place=pl.col("city") + pl.col("zip").cast(pl.String))
 * ```
 *
 * ## When it stays silent
 * When a type is not known or a column was changed on the way, and for lazy frames and aggregations.
 */

import { inputsOf } from '../../libraries/polars/expressions.js';
import type { Demand, PolarsColumn } from '../../libraries/polars/kinds.js';
import { missingOf } from '../../libraries/polars/wanted.js';
import { defineCheck } from '../define-check.js';

interface Refusal {
  readonly exception: string;
  readonly message: string;
  readonly columns: readonly PolarsColumn[];
  readonly target: string;
}

export default defineCheck({
  id: 'polars/unfit-type',
  title: 'Columns whose types do not fit the expression',
  rung: 'contracts',
  libraries: ['polars'],
  on: {
    call(event, context) {
      const { receiver, method, args, node } = event;
      if (receiver?.fact.kind !== 'polars-frame' || !/^(select|with_columns|filter)$/.test(method ?? ''))
        return;
      const { columns } = receiver.fact;
      if (!columns || missingOf(event, context)) return;
      const { demands } = inputsOf(context, [...args.positional, ...args.keywords.values()]);
      // Which of several is met first is the library's affair.
      const [refusal, ...others] = demands.flatMap((demand) => refusalOf(demand, columns) ?? []);
      if (!refusal || others.length > 0) return;
      const types = refusal.columns.map(({ label, dtype }) => `'${label}' is of type ${dtype}`).join(', ');
      context.report({
        exception: refusal.exception,
        message: refusal.message,
        evidence: [{ fact: types, source: context.source(receiver) }],
        explanation: `\`${context.text(node)}\` raises ${refusal.exception}: ${types}.`,
        remedy: `Convert the column of numbers with \`.cast(pl.String)\`${refusal.target}.`,
      });
    },
  },
});

/** How Polars calls a type of numbers in its messages; undefined for other types. */
function shortNumber(dtype: string | undefined): string | undefined {
  const match = /^(Int|UInt|Float)(8|16|32|64)$/.exec(dtype ?? '');
  return match ? `${match[1]![0]!.toLowerCase()}${match[2]}` : undefined;
}

/** Methods that look for something in the texts; they word the refusal otherwise. */
const searching = new Set('contains replace replace_all starts_with ends_with extract'.split(' '));
const converting = new Set(
  'to_uppercase to_lowercase len_chars len_bytes split strip_chars to_integer to_date to_datetime slice zfill head strip_prefix'.split(
    ' ',
  ),
);

function refusalOf(demand: Demand, columns: readonly PolarsColumn[]): Refusal | undefined {
  const find = (label: string) => columns.find((column) => column.label === label);
  if (demand.is === 'text') {
    const column = find(demand.column);
    const dtype = shortNumber(column?.dtype);
    if (!column || dtype === undefined) return undefined;
    const told = { columns: [column], target: ' first' };
    if (searching.has(demand.method))
      return { ...told, exception: 'InvalidOperationError', message: `expected String type, got: ${dtype}…` };
    if (!converting.has(demand.method)) return undefined;
    const message = `invalid series dtype: expected \`String\`, got \`${dtype}\` for series with name \`${column.label}\`…`;
    return { ...told, exception: 'SchemaError', message };
  }
  const sides = [find(demand.left), find(demand.right)];
  const short = sides.map((column) => (column?.dtype === 'String' ? 'str' : shortNumber(column?.dtype)));
  const isMixed =
    short.every((dtype) => dtype !== undefined) && short.filter((dtype) => dtype === 'str').length === 1;
  if (!isMixed) return undefined;
  return {
    exception: 'InvalidOperationError',
    message: `arithmetic on dtypes ${short[0]} and ${short[1]} is not allowed (lhs: column '${demand.left}', rhs: column '${demand.right}'); try an explicit cast first…`,
    columns: sides.filter((column) => column !== undefined),
    target: ', or the column of texts with `.cast(pl.Float64)`',
  };
}
