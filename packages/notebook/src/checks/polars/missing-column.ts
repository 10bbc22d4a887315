/**
 * # A column that the Polars frame does not have
 *
 * ## What
 * The cell names a column that the frame lacks: in `frame["x"]`, in an expression (`pl.col("x")`), or as an argument of
 * `select`, `filter`, `with_columns`, `group_by`, `sort`, `join`, `drop` and the like.
 *
 * ## Why it crashes
 * Polars raises `ColumnNotFoundError`: a frame at once, groups when they are aggregated, a lazy frame when it is collected.
 *
 * ## Example
 * ```python state
 * import polars as pl
 *
 * df = pl.DataFrame({"age": [30, 40], "fare": [7.2, 71.3]})
 * ```
 * ```python cell
 * df.filter(pl.col("Age") > 30)
 * ```
 *
 * ## Fix
 * Use a name that exists. All expressions of one `with_columns` see the frame as it was before: a column that is made there
 * can be used in the next call.
 * ```python fixed
 * df.filter(pl.col("age") > 30)
 * ```
 *
 * ## When it stays silent
 * When the columns are not known (a lazy frame of an earlier cell, a method that is not followed), and for patterns such as
 * `"^x.*$"`.
 */
import { nearest } from '@grus/core';
import type { Node } from '@grus/python';
import type { Missing } from '../../libraries/polars/kinds.js';
import { labelsOfKey, missingFrom, missingOf } from '../../libraries/polars/wanted.js';
import type { Operand } from '../../reasoning/events.js';
import { listed } from '../../reasoning/literals.js';
import { type CheckContext, defineCheck } from '../define-check.js';
import { labelEdit } from '../near-edit.js';

/** Methods of a lazy frame that run its plan or resolve its columns. */
const running = new Set(['collect', 'collect_schema']);
/** Methods of groups that are known to aggregate them. */
const aggregating = new Set([
  'agg',
  'len',
  'sum',
  'mean',
  'min',
  'max',
  'first',
  'last',
  'head',
  'tail',
  'all',
]);

export default defineCheck({
  id: 'polars/missing-column',
  title: 'A column that the Polars frame does not have',
  rung: 'contracts',
  libraries: ['polars'],
  on: {
    loadItem({ container, key, node }, context) {
      if (container.fact.kind !== 'polars-frame') return;
      report(context, container, node, missingFrom(container.fact.columns, labelsOfKey(context, key)));
    },
    call(event, context) {
      const { receiver, method, node } = event;
      if (!receiver || method === null) return;
      const { fact } = receiver;
      if (fact.kind === 'polars-frame' && method !== 'group_by')
        report(context, receiver, node, missingOf(event, context));
      if (fact.kind === 'polars-groups' && fact.of === 'polars-frame' && aggregating.has(method))
        report(context, receiver, node, fact.missing ?? missingOf(event, context));
      if (fact.kind === 'polars-lazy' && running.has(method)) report(context, receiver, node, fact.missing);
    },
  },
});

function report(context: CheckContext, owner: Operand, node: Node, missing: Missing | undefined): void {
  if (!missing) return;
  const { labels, columns } = missing;
  const [label] = labels as [string];
  const near = nearest(label, columns);
  const names = labels.map((each) => `'${each}'`).join(', ');
  const there = columns.length === 0 ? 'there are no columns' : `the columns are ${listed(columns)}`;
  context.report({
    exception: 'ColumnNotFoundError',
    message: messageOf(missing, owner.fact.kind === 'polars-lazy'),
    evidence: [{ fact: there, source: context.source(owner) }],
    explanation: `\`${context.text(node)}\` raises ColumnNotFoundError: there is no column ${names}.`,
    remedy:
      near.length > 0
        ? `Did you mean ${near.map((name) => `'${name}'`).join(' or ')}?`
        : `Use one of the columns that are there, or make ${labels.length > 1 ? 'them' : 'it'} in a call before this one.`,
    ...(labels.length === 1 && labelEdit(context, node, label, near)),
  });
}

/** Polars lists the columns that are there, and goes on with a suggestion of its own or with the plan. */
function messageOf({ labels, amongMany, columns }: Missing, isLazy: boolean): string {
  const label = labels.length === 1 ? quoted(labels[0]!) : '"…"';
  return amongMany
    ? `${label} not found${isLazy ? '…' : ''}`
    : `unable to find column ${label}; valid columns: [${columns.map(quoted).join(', ')}]…`;
}

/** Rust writes signs that are not plain in a way of its own. */
function quoted(label: string): string {
  return /^[ !#-[\]-~]*$/.test(label) ? `"${label}"` : '"…"';
}
