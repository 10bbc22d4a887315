/**
 * # A row label that the frame or series does not have
 *
 * ## What
 * `frame.loc[label]`, `frame.drop(label)` or `series[label]` names a row label that is not in the index.
 *
 * ## Why it crashes
 * pandas raises `KeyError` for a label that is not in the index. After filtering, the labels keep their old values with
 * gaps; a cell run twice has already dropped the rows.
 *
 * ## Example
 * ```python state
 * import pandas as pd
 *
 * df = pd.DataFrame({"a": [1, 2, 3]}).drop(1)
 * ```
 * ```python cell
 * df.loc[1]
 * ```
 *
 * ## Fix
 * Use a label that exists, `.iloc` for positions, or `errors="ignore"` for `drop`.
 * ```python fixed
 * df.iloc[1]
 * ```
 *
 * ## When it stays silent
 * When the labels are not known, for slices, masks and callables, and for indexes with several levels.
 */
import type { Literal } from '@grus/kernel/snapshot';
import type { IndexFacts } from '../../libraries/pandas/kinds.js';
import { argument } from '../../reasoning/arguments.js';
import type { EventOf, Operand } from '../../reasoning/events.js';
import type { Fact } from '../../reasoning/facts.js';
import { includesLiteral, listed, pythonRepr, reprList } from '../../reasoning/literals.js';
import { wantedLabels } from '../columns/labels.js';
import { type CheckContext, defineCheck } from '../define-check.js';

export default defineCheck({
  id: 'labels/missing-row-label',
  title: 'A row label that the frame or series does not have',
  rung: 'contracts',
  libraries: ['pandas'],
  on: {
    loadItem(event, context) {
      const { container, key } = event;
      if (container.fact.kind === 'series') claimOfSeries(context, event);
      if (container.fact.kind !== 'indexer' || container.fact.accessor !== 'loc') return;
      const owner = context.look(container.fact.owner);
      const isPair = key.fact.kind === 'tuple';
      const rowRef = key.fact.kind === 'tuple' ? key.fact.items?.[0] : key.ref;
      if (rowRef === undefined || (isPair && owner.kind !== 'dataframe')) return;
      const row: Operand = { ref: rowRef, fact: context.look(rowRef), node: key.node };
      if (row.fact.kind === 'slice') return;
      claim(context, container, owner, row, `\`${context.text(event.node)}\``, (missing, isList) =>
        isList ? `"${reprList(missing)} not in index"` : pythonRepr(missing[0]!),
      );
    },
    call(event, context) {
      if (
        event.method !== 'drop' ||
        !event.receiver ||
        !event.args.complete ||
        argument(event, null, 'errors')
      )
        return;
      const { fact } = event.receiver;
      const axis = argument(event, 1, 'axis');
      const axisValue = axis ? context.literal(axis.ref) : 0;
      const byAxis = axisValue === 0 || axisValue === 'index' ? argument(event, 0, 'labels') : undefined;
      const given = argument(event, null, 'index') ?? byAxis;
      if (!given || (fact.kind !== 'dataframe' && fact.kind !== 'series')) return;
      claim(context, event.receiver, fact, given, `\`${context.text(event.node)}\``, (missing) =>
        pythonRepr(`${reprList(missing)} not found in axis`),
      );
    },
  },
});

/** `row["label"]` of a series whose labels are all known and all texts, such as a row of a frame. */
function claimOfSeries(context: CheckContext, { container, key, node }: EventOf<'loadItem'>): void {
  const { fact } = container;
  if (
    fact.kind !== 'series' ||
    fact.class !== 'pandas.Series' ||
    typeof context.literal(key.ref) !== 'string'
  )
    return;
  if (fact.index?.labels?.every((label) => typeof label === 'string'))
    claim(context, container, fact, key, `\`${context.text(node)}\``, (missing) => pythonRepr(missing[0]!));
}

function claim(
  context: CheckContext,
  operand: Operand,
  owner: Fact,
  given: Operand,
  action: string,
  message: (missing: readonly Literal[], isList: boolean) => string,
): void {
  if (owner.kind !== 'dataframe' && owner.kind !== 'series') return;
  const wanted = wantedLabels(context, given);
  if (
    !wanted ||
    (owner.index?.names?.length ?? 1) > 1 ||
    /^(datetime|period|timedelta|interval)/.test(owner.index?.dtype ?? '')
  )
    return;
  const missing = wanted.filter((label) => hasLabel(owner, label, context) === false);
  if (missing.length === 0) return;
  const name = context.text(operand.node).replace(/\.loc$/, '');
  const described = describeIndex(owner.index);
  context.report({
    exception: 'KeyError',
    message: message(missing, given.fact.kind === 'list'),
    evidence: [
      {
        fact: described
          ? `the row labels of ${name} are ${described}`
          : `${name} has no row label ${missing.map(pythonRepr).join(', ')}`,
        source: owner.source ?? context.source(operand),
      },
    ],
    explanation: `${action} raises KeyError: ${name} has no row label ${missing.map(pythonRepr).join(', ')}.`,
    remedy: `Use a label that exists, or \`.iloc\` for positions${described ? '' : '; the rows may have been dropped by an earlier run of the cell'}.`,
  });
}

function hasLabel(
  owner: Extract<Fact, { kind: 'dataframe' | 'series' }>,
  label: Literal,
  context: CheckContext,
): boolean | undefined {
  const { index } = owner;
  if (index?.labels) return includesLiteral(index.labels, label);
  if (index?.range) {
    const { start, stop, step } = index.range;
    if (typeof label !== 'number') return typeof label === 'string' ? false : undefined;
    const low = step > 0 ? start : stop + 1;
    const high = step > 0 ? stop : start + 1;
    return label >= low && label < high && (label - start) % step === 0;
  }
  if (index?.absent?.some((gone) => gone === label)) return false;
  if (owner.path === undefined) return undefined;
  const answer = context.ask({ ask: 'has_label', path: owner.path, value: label })?.status;
  return answer === 'no' ? false : answer === 'yes' ? true : undefined;
}

function describeIndex(index: IndexFacts | undefined): string | null {
  if (index?.labels) return listed(index.labels);
  if (index?.range) return `${index.range.start} to ${index.range.stop - 1}`;
  return null;
}
