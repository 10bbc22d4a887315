/**
 * # A merge key that one of the frames does not have
 *
 * ## What
 * `merge(on=…)`, `left_on`, `right_on` name a column that the frame on that side does not have, or two frames without any
 * common column are merged without a key.
 *
 * ## Why it crashes
 * pandas raises `KeyError` for a missing key and `MergeError` when there is no common column to merge on.
 *
 * ## Example
 * ```python state
 * import pandas as pd
 *
 * a = pd.DataFrame({"id": [1]})
 * b = pd.DataFrame({"ID": [1]})
 * ```
 * ```python cell
 * a.merge(b, on="id")
 * ```
 *
 * ## Fix
 * Name a column of each side with `left_on` and `right_on`, or rename one of them.
 * ```python fixed
 * a.merge(b, left_on="id", right_on="ID")
 * ```
 *
 * ## When it stays silent
 * When a level of a row index may be meant, and when the columns of a side are not known.
 */

import { argument } from '../../reasoning/arguments.js';
import type { Operand } from '../../reasoning/events.js';
import { listed, pythonRepr } from '../../reasoning/literals.js';
import { type CheckContext, defineCheck } from '../define-check.js';
import { columnClaim, missingFrom, plainLabels, wantedLabels } from './labels.js';

export default defineCheck({
  id: 'columns/merge-key-missing',
  title: 'A merge key that one of the frames does not have',
  rung: 'contracts',
  libraries: ['pandas'],
  on: {
    call(event, context) {
      const isFunction = event.target === 'pandas.merge';
      if ((!isFunction && event.method !== 'merge') || !event.args.complete) return;
      const left = isFunction ? argument(event, 0, 'left') : event.receiver!;
      const offset = isFunction ? 1 : 0;
      const right = argument(event, offset, 'right');
      if (left?.fact.kind !== 'dataframe' || right?.fact.kind !== 'dataframe') return;
      const on = argument(event, offset + 2, 'on');
      const action = `\`${context.text(event.node)}\``;
      for (const [side, given] of [
        [left, on ?? argument(event, offset + 3, 'left_on')],
        [right, on ?? argument(event, offset + 4, 'right_on')],
      ] as const)
        if (given && lacks(context, side, given, action)) return;
      const how = argument(event, offset + 1, 'how');
      const hasKeys = [...event.args.keywords.keys()].some((name) =>
        /^(on|left_on|right_on|left_index|right_index)$/.test(name),
      );
      if (
        hasKeys ||
        on ||
        event.args.positional.length > offset + 2 ||
        (how && context.literal(how.ref) === 'cross')
      )
        return;
      const a = plainLabels(left.fact);
      const b = plainLabels(right.fact);
      if (!a || !b || a.some((label) => missingFrom(b, [label]).length === 0)) return;
      context.report({
        exception: 'MergeError',
        message: 'No common columns to perform merge on.…',
        evidence: [
          { fact: `the left frame has the columns ${listed(a)}`, source: context.source(left) },
          { fact: `the right frame has the columns ${listed(b)}`, source: context.source(right) },
        ],
        explanation: `${action} raises MergeError: the two frames have no column in common and no key is given.`,
        remedy: 'Name the keys with `left_on` and `right_on`.',
      });
    },
  },
});

function lacks(context: CheckContext, side: Operand, given: Operand, action: string): boolean {
  if (side.fact.kind !== 'dataframe') return false;
  const labels = plainLabels(side.fact);
  const wanted = wantedLabels(context, given);
  const names = side.fact.index?.names ?? (side.fact.unordered || side.fact.index?.range ? [] : undefined);
  if (!labels || !wanted || !names) return false;
  const missing = missingFrom([...labels, ...names], wanted);
  if (missing.length === 0) return false;
  context.report(
    columnClaim(context, context.text(side.node), side, labels, missing, {
      message: pythonRepr(missing[0]!),
      action,
    }),
  );
  return true;
}
