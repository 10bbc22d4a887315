// Methods of frames whose result, or effect on the frame, follows from the facts.
import type { Literal } from '@grus/kernel/snapshot';
import { argument, callbacksIn, flag, literalArgument } from '../../reasoning/arguments.js';
import type { Context } from '../../reasoning/context.js';
import { type Fact, known } from '../../reasoning/facts.js';
import type { CallSite, CallTransfer, Transfers } from '../../reasoning/library.js';
import { keyOf, sameLiteral } from '../../reasoning/literals.js';
import { putNone, putTuple } from '../../reasoning/plain-objects.js';
import { columnFrom } from './assignment.js';
import {
  columnOf,
  inPlaceOrNew,
  keep,
  newFrame,
  newSeries,
  rangeIndex,
  seriesOf,
  someLabels,
  someRows,
  unknownColumns,
  withColumn,
  withoutColumns,
} from './frames.js';
import type { Column, Frame } from './kinds.js';
import { labelsOf } from './labels.js';
import { rowWitnesses } from './rows.js';
import { frameArray } from './selection.js';

const frameOf = (site: CallSite): Frame => site.receiver!.fact as Frame;

function labelsGiven(
  context: Context,
  site: CallSite,
  position: number | null,
  name: string,
): Literal[] | undefined {
  const operand = argument(site, position, name);
  return operand && labelsOf(context.look, (ref) => context.literal(ref), operand);
}

/** Which axis a call works on: rows, columns or not known. */
function axisOf(
  context: Context,
  site: CallSite,
  position: number | null,
  fallback: 0 | 1 = 0,
): 0 | 1 | undefined {
  const operand = argument(site, position, 'axis');
  if (!operand) return site.args.complete ? fallback : undefined;
  const value = context.literal(operand.ref);
  if (value === 0 || value === 'index' || value === 'rows') return 0;
  return value === 1 || value === 'columns' ? 1 : undefined;
}

const drop: CallTransfer = (site, context) => {
  const frame = frameOf(site);
  const axis = axisOf(context, site, 1);
  const named = argument(site, null, 'columns');
  const byAxis = argument(site, 0, 'labels');
  const labels = named
    ? labelsGiven(context, site, null, 'columns')
    : axis === 1
      ? labelsGiven(context, site, 0, 'labels')
      : undefined;
  const dropsColumns = named !== undefined || (byAxis !== undefined && axis === 1);
  const dropsRows = argument(site, null, 'index') !== undefined || (byAxis !== undefined && axis === 0);
  if (!dropsColumns && !dropsRows)
    return inPlaceOrNew(site, context, axis === undefined ? newFrame({}) : newFrame(keep(frame)));
  let result: Frame = newFrame(keep(frame));
  if (dropsColumns) {
    const columns = labels && withoutColumns(frame, labels);
    result = columns ? newFrame({ ...keep(frame), columns }) : unknownColumns(frame);
  }
  if (dropsRows)
    result = withoutRows(
      result,
      labelsGiven(context, site, null, 'index') ?? labelsGiven(context, site, 0, 'labels'),
    );
  return inPlaceOrNew(site, context, result);
};

/** The dropped row labels are known to be gone. */
function withoutRows(frame: Frame, labels: readonly Literal[] | undefined): Frame {
  const rest = someRows(frame, undefined);
  if (!labels) return rest;
  return { ...rest, index: { ...rest.index, absent: [...(frame.index?.absent ?? []), ...labels] } };
}

const rename: CallTransfer = (site, context) => {
  const frame = frameOf(site);
  const axis = axisOf(context, site, null);
  const mapping = argument(site, null, 'columns') ?? (axis === 1 ? argument(site, 0, 'mapper') : undefined);
  const touchesIndex =
    argument(site, null, 'index') !== undefined || (axis === 0 && argument(site, 0, 'mapper') !== undefined);
  const { index, ...rest } = keep(frame);
  const base = touchesIndex ? rest : { ...rest, ...(index && { index }) };
  if (!mapping) return inPlaceOrNew(site, context, newFrame(base));
  const { fact } = mapping;
  if (fact.kind !== 'dict' || !fact.complete || !fact.entries || !frame.columns)
    return inPlaceOrNew(site, context, unknownColumns(newFrame(base)));
  const columns: Column[] = [];
  for (const column of frame.columns) {
    const entry = fact.entries.get(keyOf(column.label));
    const label = entry ? context.literal(entry.value) : column.label;
    if (label === undefined) return inPlaceOrNew(site, context, unknownColumns(newFrame(base)));
    columns.push({ ...column, label });
  }
  return inPlaceOrNew(site, context, newFrame({ ...base, columns }));
};

const resetIndex: CallTransfer = (site, context) => {
  const frame = frameOf(site);
  const drops = flag(context, site, null, 'drop', false);
  const { columns, index, rows, ...rest } = keep(frame);
  const fresh = { ...rest, ...(rows !== undefined && { rows }), index: rangeIndex(rows) };
  if (drops === true) return inPlaceOrNew(site, context, newFrame({ ...fresh, columns }));
  const names = index?.names;
  if (
    drops === undefined ||
    !columns ||
    !names ||
    names.length !== 1 ||
    site.args.positional.length > 0 ||
    argument(site, null, 'level')
  )
    return inPlaceOrNew(site, context, newFrame(fresh));
  const label = names[0] ?? (columns.some((column) => column.label === 'index') ? 'level_0' : 'index');
  const added: Column = { label, ...(index?.dtype !== undefined && { dtype: index.dtype }) };
  return inPlaceOrNew(site, context, newFrame({ ...fresh, columns: [added, ...columns] }));
};

const setIndex: CallTransfer = (site, context) => {
  const frame = frameOf(site);
  const labels = labelsGiven(context, site, 0, 'keys');
  const drops = flag(context, site, 1, 'drop', true);
  const { columns: _, index: __, ...rest } = keep(frame);
  if (!labels || drops === undefined) return inPlaceOrNew(site, context, newFrame(rest));
  const columns = drops ? withoutColumns(frame, labels) : frame.columns;
  const index = { names: labels };
  return inPlaceOrNew(site, context, newFrame({ ...rest, columns, index }));
};

/** Same rows and columns, in another order or with other values, perhaps all of one dtype. */
const sameForm =
  (keepsValues: boolean, keepsOrder: boolean, dtype?: string): CallTransfer =>
  (site, context) => {
    const { columns, index, ...rest } = keep(frameOf(site));
    const others = columns?.map(({ label }) => known({ label, dtype }));
    return inPlaceOrNew(
      site,
      context,
      newFrame({
        ...rest,
        columns: keepsValues ? columns : others,
        index: index && !keepsOrder ? someLabels(index) : index,
      }),
    );
  };

const fewerRows: CallTransfer = (site, context) => {
  if (site.method === 'dropna' && axisOf(context, site, null) !== 0)
    return inPlaceOrNew(site, context, unknownColumns(frameOf(site)));
  const result = someRows(frameOf(site), undefined);
  const dropsNan =
    site.method === 'dropna' &&
    !argument(site, null, 'subset') &&
    !argument(site, null, 'how') &&
    !argument(site, null, 'thresh') &&
    site.args.complete;
  return inPlaceOrNew(site, context, dropsNan ? withoutNan(result) : result);
};

function withoutNan(frame: Frame): Frame {
  if (!frame.columns) return frame;
  return {
    ...frame,
    columns: frame.columns.map((column) => ({ ...column, values: { ...column.values, hasNan: false } })),
  };
}

const headOrTail: CallTransfer = (site, context) => {
  const frame = frameOf(site);
  const n = argument(site, 0, 'n') ? literalArgument(context, site, 0, 'n') : 5;
  const rows =
    typeof n === 'number' && n >= 0 && frame.rows !== undefined ? Math.min(n, frame.rows) : undefined;
  return context.put(someRows(frame, rows));
};

const assign: CallTransfer = (site, context) => {
  if (!site.args.complete) return context.put(unknownColumns(frameOf(site)));
  let frame: Frame = newFrame(keep(frameOf(site)));
  for (const [label, value] of site.args.keywords) frame = withColumn(frame, columnFrom(label, value.fact));
  return context.put(frame);
};

/** Merging on known keys: the union of the columns, overlapping ones with suffixes. */
export function mergeFrames(context: Context, site: CallSite, left: Fact, right: Fact, offset: number): Fact {
  if (
    left.kind !== 'dataframe' ||
    right.kind !== 'dataframe' ||
    !left.columns ||
    !right.columns ||
    !site.args.complete
  )
    return newFrame({});
  const on = mergeKeys(context, site, left, right, offset);
  if (
    !on ||
    argument(site, null, 'suffixes') ||
    argument(site, null, 'left_index') ||
    argument(site, null, 'right_index')
  )
    return newFrame({});
  const shared = new Set(on.shared.map(keyOf));
  const rightLabels = right.columns.map((column) => column.label);
  const leftLabels = left.columns.map((column) => column.label);
  const suffixed = (column: Column, others: readonly Literal[], suffix: string): Column => {
    const overlaps =
      !shared.has(keyOf(column.label)) && others.some((label) => sameLiteral(label, column.label));
    return {
      label: overlaps && typeof column.label === 'string' ? column.label + suffix : column.label,
      ...(shared.has(keyOf(column.label)) || !column.dtype?.startsWith('int')
        ? column.dtype !== undefined && { dtype: column.dtype }
        : {}),
    };
  };
  const columns = [
    ...left.columns.map((column) => suffixed(column, rightLabels, '_x')),
    ...right.columns
      .filter((column) => !shared.has(keyOf(column.label)))
      .map((column) => suffixed(column, leftLabels, '_y')),
  ];
  if (argument(site, null, 'indicator')) columns.push({ label: '_merge' });
  return newFrame({ columns, ...((left.unordered || right.unordered) && { unordered: true }) });
}

function mergeKeys(
  context: Context,
  site: CallSite,
  left: Frame,
  right: Frame,
  offset: number,
): { shared: Literal[] } | undefined {
  const how = literalArgument(context, site, offset, 'how');
  if (how === 'cross') return undefined;
  if (argument(site, offset + 1, 'on')) {
    const labels = labelsGiven(context, site, offset + 1, 'on');
    return labels && { shared: labels };
  }
  if (argument(site, null, 'left_on') || argument(site, null, 'right_on')) {
    const a = labelsGiven(context, site, null, 'left_on');
    const b = labelsGiven(context, site, null, 'right_on');
    if (!a || !b || a.length !== b.length) return undefined;
    return { shared: a.filter((label, position) => sameLiteral(label, b[position]!)) };
  }
  const labels = right.columns!.map((column) => column.label).filter((label) => columnOf(left, label));
  return { shared: labels };
}

const merge: CallTransfer = (site, context) => {
  const right = argument(site, 0, 'right');
  return context.put(right ? mergeFrames(context, site, frameOf(site), right.fact, 1) : newFrame({}));
};

/** A frame of which nothing more is known. */
export const anyFrame: CallTransfer = (_site, context) => context.put(newFrame({}));

const selectDtypes: CallTransfer = (site, context) => {
  const { columns: _, ...rest } = keep(frameOf(site));
  return context.put(newFrame(rest));
};

/** One value for each column. */
const perColumn: CallTransfer = (site, context) => {
  const frame = frameOf(site);
  if (argument(site, 0, 'axis') || !site.args.complete) return context.put(newSeries({}));
  const isCount = ['count', 'nunique'].includes(site.method!);
  const labels = isCount ? frame.columns?.map((column) => column.label) : undefined;
  return context.put(
    newSeries({ ...(labels && !frame.unordered && { index: { labels }, rows: labels.length }) }),
  );
};

const groupby: CallTransfer = (site, context) => {
  const keys = labelsGiven(context, site, 0, 'by');
  const asIndex = flag(context, site, null, 'as_index', true);
  return context.put({
    kind: 'groupby',
    class: 'pandas.DataFrameGroupBy',
    frame: context.put(newFrame(keep(frameOf(site)))),
    ...(keys && argument(site, 0, 'by')?.fact.kind !== 'series' && { keys }),
    asIndex,
  });
};

/** `items()`: one pair of label and column for each column. */
const items: CallTransfer = (site, context) => {
  const frame = frameOf(site);
  const pairs = frame.columns?.map((column) => {
    const pair = [context.putLiteral(column.label), context.put(seriesOf(frame, column))];
    return putTuple(context, pair);
  });
  return context.put({ kind: 'iterator', class: 'builtins.generator', items: pairs });
};

/** `iterrows()`: one pair of row label and row for each row. */
const rows: CallTransfer = (site, context) => {
  const { rows: count, columns } = frameOf(site);
  const labels = columns?.map((column) => column.label);
  const row = context.put(newSeries({ ...(labels && { rows: labels.length, index: { labels } }) }));
  const element = putTuple(context, [context.unknown(), row]);
  const witnesses = rowWitnesses(context, frameOf(site)).map((witness) =>
    putTuple(context, [context.unknown(), witness]),
  );
  return context.put({ kind: 'iterator', class: 'builtins.generator', element, witnesses, length: count });
};

/** `apply(function, axis=1)` calls the function with every row, `apply(function)` with every column. */
const apply: CallTransfer = (site, context) => {
  for (const { ref } of callbacksIn(site)) context.callbackMayRun(ref);
  const callee = argument(site, 0, 'func');
  const isPlain =
    site.args.complete &&
    site.args.positional.length <= 2 &&
    [...site.args.keywords.keys()].every((name) => name === 'axis' || name === 'func');
  if (callee?.fact.kind === 'function' && isPlain && axisOf(context, site, 1) === 1)
    context.callWithEach(site.node, callee, rowWitnesses(context, frameOf(site)));
  return context.unknown();
};

export const frameMethods: Transfers = {
  methods: {
    dataframe: {
      drop,
      rename,
      reset_index: resetIndex,
      set_index: setIndex,
      sort_values: sameForm(true, false),
      sort_index: sameForm(true, false),
      fillna: sameForm(false, true),
      replace: sameForm(false, true),
      ffill: sameForm(false, true),
      bfill: sameForm(false, true),
      interpolate: sameForm(false, true),
      round: sameForm(false, true),
      abs: sameForm(false, true),
      clip: sameForm(false, true),
      dropna: fewerRows,
      drop_duplicates: fewerRows,
      query: fewerRows,
      sample: fewerRows,
      nlargest: fewerRows,
      nsmallest: fewerRows,
      head: headOrTail,
      tail: headOrTail,
      copy: sameForm(true, true),
      astype: sameForm(false, true),
      isnull: sameForm(false, true, 'bool'),
      isna: sameForm(false, true, 'bool'),
      notnull: sameForm(false, true, 'bool'),
      notna: sameForm(false, true, 'bool'),
      assign,
      merge,
      select_dtypes: selectDtypes,
      groupby,
      to_numpy: (site, context) => context.put(frameArray(frameOf(site))),
      sum: perColumn,
      mean: perColumn,
      median: perColumn,
      std: perColumn,
      min: perColumn,
      max: perColumn,
      count: perColumn,
      nunique: perColumn,
      describe: anyFrame,
      corr: anyFrame,
      info: (_site, context) => putNone(context),
      to_csv: (_site, context) => {
        context.state.effects.files = true;
        return context.unknown();
      },
      join: anyFrame,
      pivot_table: anyFrame,
      pivot: anyFrame,
      melt: anyFrame,
      items,
      iterrows: rows,
      apply,
    },
  },
};
