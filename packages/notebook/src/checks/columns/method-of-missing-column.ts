/**
 * # A method that names a column which the frame does not have
 *
 * ## What
 * `sort_values`, `groupby`, `set_index`, `dropna(subset=…)`, `drop_duplicates`, `explode`, `pivot_table`, `nlargest` and the
 * like name a column that the live frame does not have.
 *
 * ## Why it crashes
 * pandas looks the label up among the columns (and the names of the row index) and raises `KeyError`.
 *
 * ## Example
 * ```python state
 * import pandas as pd
 *
 * df = pd.DataFrame({"age": [30], "fare": [7.2]})
 * ```
 * ```python cell
 * df.sort_values(by="Fare")
 * ```
 *
 * ## Fix
 * Use a label that exists.
 * ```python fixed
 * df.sort_values(by="fare")
 * ```
 *
 * ## When it stays silent
 * When a level of the row index has the name or its names are not known, when the argument is a function, a series or an
 * array, and when the columns may have changed.
 */
import type { Literal } from '@grus/kernel/snapshot';
import { argument } from '../../reasoning/arguments.js';
import type { EventOf } from '../../reasoning/events.js';
import { pythonRepr, reprList } from '../../reasoning/literals.js';
import { defineCheck } from '../define-check.js';
import { columnClaim, indexNames, missingFrom, plainLabels, wantedLabels } from './labels.js';

interface Parameter {
  readonly position: number | null;
  readonly name: string;
  /** The names of the row index are accepted too. */
  readonly index: boolean;
  readonly message: (missing: readonly Literal[]) => string;
}

const single = (missing: readonly Literal[]) => pythonRepr(missing[0]!);
const listed = (missing: readonly Literal[]) => reprList(missing);
const noneOf = (missing: readonly Literal[]) => `"None of ${reprList(missing)} are in the columns"`;

const methods: Record<string, Parameter> = {
  sort_values: { position: 0, name: 'by', index: true, message: single },
  groupby: { position: 0, name: 'by', index: true, message: single },
  set_index: { position: 0, name: 'keys', index: false, message: noneOf },
  dropna: { position: null, name: 'subset', index: false, message: listed },
  drop_duplicates: {
    position: 0,
    name: 'subset',
    index: false,
    message: (missing) => `Index(${reprList(missing)}, dtype='str')`,
  },
  duplicated: {
    position: 0,
    name: 'subset',
    index: false,
    message: (missing) => `Index(${reprList(missing)}, dtype='str')`,
  },
  explode: { position: 0, name: 'column', index: false, message: single },
  nlargest: { position: 1, name: 'columns', index: false, message: single },
  nsmallest: { position: 1, name: 'columns', index: false, message: single },
  pivot_table: { position: null, name: 'values', index: false, message: single },
};

export default defineCheck({
  id: 'columns/method-of-missing-column',
  title: 'A method that names a column which the frame does not have',
  rung: 'contracts',
  libraries: ['pandas'],
  on: {
    call(event, context) {
      const frame = event.receiver?.fact;
      const parameter =
        event.method !== null && Object.hasOwn(methods, event.method) ? methods[event.method]! : undefined;
      if (!parameter || frame?.kind !== 'dataframe' || !event.args.complete || isAlongRows(event, context))
        return;
      const given = argument(event, parameter.position, parameter.name);
      if (!given || given.fact.kind === 'tuple') return;
      const labels = plainLabels(frame);
      const names = parameter.index ? indexNames(frame) : [];
      const wanted = wantedLabels(context, given);
      if (
        !labels ||
        !wanted ||
        (parameter.index && !names && frame.index?.range === undefined && !frame.unordered)
      )
        return;
      if (event.method === 'groupby' && argument(event, null, 'level')) return;
      const missing = missingFrom([...labels, ...(names ?? [])], wanted);
      if (
        missing.length === 0 ||
        (event.method === 'groupby' && missing.some((label) => typeof label === 'number'))
      )
        return;
      context.report(
        columnClaim(context, context.text(event.receiver!.node), event.receiver!, labels, missing, {
          message: parameter.message(missing),
          action: `\`${context.text(event.node)}\``,
          within: event.node,
        }),
      );
    },
  },
});

function isAlongRows(
  event: EventOf<'call'>,
  context: { literal: (ref: number) => Literal | undefined },
): boolean {
  const axis = event.args.keywords.get('axis');
  const value = axis && context.literal(axis.ref);
  return axis !== undefined && value !== 0 && value !== 'index';
}
