/**
 * # A column that the frame does not have
 *
 * ## What
 * The cell reads `frame[label]` (or a list of labels) and the live frame has no such column.
 *
 * ## Why it crashes
 * pandas raises `KeyError` for a label that is not among the columns.
 *
 * ## Example
 * State: `df = pd.DataFrame({"age": [30, 40], "fare": [7.2, 71.3]})`. Cell: `df["Age"].mean()`.
 *
 * ## Fix
 * Use a label that exists; labels are case-sensitive and keep their blanks.
 *
 * ## When it stays silent
 * When the cell may have added, renamed or dropped columns in a way that is not followed, and when the label is not known.
 */
import { nearest } from '@grus/core';
import type { Literal } from '@grus/kernel/snapshot';
import { includesLiteral, listed, literalsOf, pythonRepr, reprList } from '../../reasoning/literals.js';
import { defineCheck } from '../define-check.js';

export default defineCheck({
  id: 'columns/missing-column',
  title: 'A column that the frame does not have',
  rung: 'contracts',
  libraries: ['pandas'],
  status: 'stable',
  on: {
    loadItem(event, context) {
      const { container, key } = event;
      if (container.fact.kind !== 'dataframe' || !container.fact.columns) return;
      const labels = container.fact.columns.map((column) => column.label);
      if (labels.some((label) => Array.isArray(label))) return;
      const single = context.literal(key.ref);
      const isList = key.fact.kind === 'list';
      const wanted: Literal[] | undefined = isList
        ? key.fact.kind === 'list' && key.fact.items
          ? literalsOf(key.fact.items, context.look)
          : undefined
        : single === undefined
          ? undefined
          : [single];
      if (!wanted || wanted.some((label) => typeof label === 'boolean')) return;
      const missing = wanted.filter((label) => !includesLiteral(labels, label));
      if (missing.length === 0) return;
      const owner = context.text(container.node);
      const near = nearest(
        String(missing[0]),
        labels.filter((label) => typeof label === 'string'),
      );
      context.report({
        exception: 'KeyError',
        message: isList ? listMessage(missing, wanted.length) : pythonRepr(missing[0]!),
        evidence: [
          {
            fact:
              labels.length === 0 ? `${owner} has no columns` : `${owner} has the columns ${listed(labels)}`,
            source: context.source(container),
          },
        ],
        explanation: `\`${context.text(event.node)}\` raises KeyError: ${owner} has no column ${missing.map(pythonRepr).join(', ')}.`,
        remedy:
          near.length > 0
            ? `Did you mean ${near.map((name) => pythonRepr(name)).join(' or ')}?`
            : `Use one of the columns of ${owner}, or create the column first.`,
      });
    },
  },
});

function listMessage(missing: readonly Literal[], wanted: number): string {
  return missing.length === wanted
    ? `"None of [Index(${reprList(missing)}, dtype='str')] are in the [columns]"`
    : `"${reprList(missing)} not in index"`;
}
