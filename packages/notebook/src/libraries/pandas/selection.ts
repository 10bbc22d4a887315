// Selecting from frames and series: `[]`, `.loc`, `.iloc` and plain attributes.
import type { Literal } from '@grus/kernel/snapshot';
import type { Context } from '../../reasoning/context.js';
import type { Operand } from '../../reasoning/events.js';
import type { Fact, Ref } from '../../reasoning/facts.js';
import type { AttributeTransfer, CallTransfer, Transfers } from '../../reasoning/library.js';
import { keyOf } from '../../reasoning/literals.js';
import { putList, putScalar, putTuple } from '../../reasoning/plain-objects.js';
import { sliceBounds, sliceLength } from '../python/containers.js';
import {
  columnOf,
  keep,
  labelsOfFrame,
  newFrame,
  newSeries,
  seriesOf,
  someLabels,
  someRows,
  subset,
  unknownColumns,
} from './frames.js';
import type { Frame, Indexer, Series } from './kinds.js';
import { labelsOf } from './labels.js';

/** Number of rows that a boolean mask leaves, when that is certain. */
function maskedRows(mask: Fact): number | undefined {
  if (mask.kind !== 'series' && mask.kind !== 'ndarray') return undefined;
  const { values } = mask;
  if (!values?.examplesComplete || values.examples?.length !== 1) return undefined;
  const rows = mask.kind === 'series' ? mask.rows : (mask.shape?.[0] ?? undefined);
  return values.examples[0] === false ? 0 : rows;
}

function isMask(fact: Fact): boolean {
  return (
    (fact.kind === 'series' || fact.kind === 'ndarray') && (fact.dtype === 'bool' || fact.dtype === 'boolean')
  );
}

function frameItem(container: Operand, key: Operand, context: Context): Ref | undefined {
  const frame = container.fact as Frame;
  if (isMask(key.fact)) return context.put(someRows(frame, maskedRows(key.fact)));
  if (key.fact.kind === 'slice') return context.put(slicedRows(frame, key.fact, context));
  if (key.fact.kind === 'list' || key.fact.kind === 'index') {
    const labels = labelsOf(context.look, (ref) => context.literal(ref), key);
    if (!labels) return context.put(unknownColumns(frame));
    if (labels.some((label) => typeof label === 'boolean')) return context.put(someRows(frame, undefined));
    return context.put(selectColumns(frame, labels));
  }
  const label = context.literal(key.ref);
  if (label === undefined) return undefined;
  const column = columnOf(frame, label);
  if (!column || frame.columnLevels !== undefined || isDuplicate(frame, label)) return undefined;
  return context.put(seriesOf(frame, column));
}

function isDuplicate(frame: Frame, label: Literal): boolean {
  return (labelsOfFrame(frame) ?? []).filter((other) => other === label).length > 1;
}

function selectColumns(frame: Frame, labels: readonly Literal[]): Frame {
  const columns = frame.columns && labels.map((label) => columnOf(frame, label) ?? { label });
  const { unordered: _, columns: __, ...rest } = keep(frame);
  return newFrame({ ...rest, columns: columns ?? labels.map((label) => ({ label })) });
}

function slicedRows(frame: Frame, slice: Extract<Fact, { kind: 'slice' }>, context: Context): Frame {
  const bounds = frame.rows === undefined ? undefined : sliceBounds(context, slice, frame.rows);
  return someRows(frame, bounds && sliceLength(bounds));
}

function seriesItem(container: Operand, key: Operand, context: Context): Ref | undefined {
  const series = container.fact as Series;
  const label = series.cells && context.literal(key.ref);
  if (label !== undefined) return series.cells!.get(keyOf(label));
  if (isMask(key.fact) || key.fact.kind === 'slice' || key.fact.kind === 'list') {
    const rows =
      key.fact.kind === 'slice' && series.rows !== undefined
        ? slicedLength(key.fact, series.rows, context)
        : key.fact.kind === 'list'
          ? key.fact.length
          : maskedRows(key.fact);
    return context.put(someOf(series, rows));
  }
  return undefined;
}

export function someOf(series: Series, rows: number | undefined): Series {
  return newSeries({
    dtype: series.dtype,
    name: series.name,
    rows,
    ...(series.index && { index: someLabels(series.index) }),
    ...(series.values && { values: subset(series.values)! }),
    source: series.source,
  });
}

function slicedLength(
  slice: Extract<Fact, { kind: 'slice' }>,
  length: number,
  context: Context,
): number | undefined {
  const bounds = sliceBounds(context, slice, length);
  return bounds && sliceLength(bounds);
}

/** `.loc[rows, columns]` and `.iloc[rows, columns]` on a frame; only forms whose result is plain are followed. */
function indexerItem(container: Operand, key: Operand, context: Context): Ref | undefined {
  const { owner, accessor } = container.fact as Indexer;
  const fact = context.look(owner);
  if (fact.kind === 'series') {
    if (key.fact.kind === 'slice' || key.fact.kind === 'list' || isMask(key.fact)) {
      const rows =
        accessor === 'iloc' && key.fact.kind === 'slice' && fact.rows !== undefined
          ? slicedLength(key.fact, fact.rows, context)
          : maskedRows(key.fact);
      return context.put(someOf(fact, rows));
    }
    return undefined;
  }
  if (fact.kind !== 'dataframe') return undefined;
  const parts = key.fact.kind === 'tuple' ? key.fact.items : [key.ref];
  if (!parts || parts.length > 2) return undefined;
  const rowKey = context.look(parts[0]!);
  const selectsRows = rowKey.kind === 'slice' || rowKey.kind === 'list' || isMask(rowKey);
  const columns = parts[1] === undefined ? fact : selectedColumns(fact, parts[1], accessor, context);
  if (columns === undefined) return undefined;
  if (columns.kind === 'series') {
    if (!selectsRows) return undefined;
    return context.put(rowsOfSeries(columns, rowKey, accessor, context));
  }
  if (!selectsRows) return undefined;
  return context.put(rowsOfFrame(columns, rowKey, accessor, context));
}

function isWhole(slice: Fact): boolean {
  return (
    slice.kind === 'slice' &&
    slice.lower === undefined &&
    slice.upper === undefined &&
    slice.step === undefined
  );
}

function rowsOfFrame(frame: Frame, rowKey: Fact, accessor: string, context: Context): Frame {
  if (isWhole(rowKey)) return newFrame(keep(frame));
  if (accessor === 'iloc' && rowKey.kind === 'slice') return slicedRows(frame, rowKey, context);
  return someRows(frame, rowKey.kind === 'list' ? rowKey.length : maskedRows(rowKey));
}

function rowsOfSeries(series: Series, rowKey: Fact, accessor: string, context: Context): Series {
  if (isWhole(rowKey)) return series;
  if (accessor === 'iloc' && rowKey.kind === 'slice' && series.rows !== undefined)
    return someOf(series, slicedLength(rowKey, series.rows, context));
  return someOf(series, rowKey.kind === 'list' ? rowKey.length : maskedRows(rowKey));
}

function selectedColumns(
  frame: Frame,
  ref: Ref,
  accessor: string,
  context: Context,
): Frame | Series | undefined {
  const fact = context.look(ref);
  if (isWhole(fact)) return frame;
  if (!frame.columns || frame.columnLevels !== undefined) return undefined;
  if (accessor === 'iloc') {
    if (frame.unordered) return undefined;
    if (fact.kind === 'slice') {
      const bounds = sliceBounds(context, fact, frame.columns.length);
      if (bounds?.step !== 1) return undefined;
      return newFrame({ ...keep(frame), columns: frame.columns.slice(bounds.start, bounds.stop) });
    }
    const position = context.literal(ref);
    const column = typeof position === 'number' ? frame.columns.at(position) : undefined;
    return column && seriesOf(frame, column);
  }
  if (fact.kind === 'list' || fact.kind === 'index') {
    const labels = labelsOf(context.look, (inner) => context.literal(inner), {
      ref,
      fact,
      node: undefined as never,
    });
    return labels && selectColumns(frame, labels);
  }
  const label = context.literal(ref);
  const column = label === undefined ? undefined : columnOf(frame, label);
  return column && seriesOf(frame, column);
}

const columns: AttributeTransfer = (receiver, context) => {
  const frame = receiver.fact as Frame;
  const labels = labelsOfFrame(frame);
  return context.put({
    kind: 'index',
    class: 'pandas.Index',
    ...(labels && { labels, length: labels.length }),
    ...(frame.unordered && { unordered: true }),
    source: frame.source,
    owner: receiver.ref,
  });
};

const shape: AttributeTransfer = (receiver, context) => {
  const frame = receiver.fact as Frame;
  const items = [frame.rows, frame.columns?.length].map((value) => putScalar(context, 'int', value));
  return putTuple(context, items);
};

const index: AttributeTransfer = (receiver, context) => {
  const { index: facts, rows } = receiver.fact as Frame | Series;
  return context.put({
    kind: 'index',
    class: 'pandas.Index',
    ...(facts?.labels && { labels: facts.labels }),
    ...(facts?.dtype !== undefined && { dtype: facts.dtype }),
    length: rows,
    owner: receiver.ref,
  });
};

export function frameArray(frame: Frame): Fact {
  const dtypes = new Set(frame.columns?.map((column) => column.dtype));
  const [dtype] = dtypes;
  return {
    kind: 'ndarray',
    class: 'numpy.ndarray',
    shape: [frame.rows ?? null, frame.columns?.length ?? null],
    ...(dtypes.size === 1 && dtype !== undefined && isNumpyDtype(dtype) && { dtype }),
    ...(frame.columns?.every((column) => column.values?.hasNan === false) && { values: { hasNan: false } }),
  };
}

function isNumpyDtype(dtype: string): boolean {
  return /^(u?int|float|complex)\d+$|^bool$|^object$/.test(dtype);
}

export function seriesArray(series: Series): Fact | undefined {
  // Of other types it is an array of pandas' own, of the same length.
  if (series.dtype === undefined || !isNumpyDtype(series.dtype))
    return { kind: 'unknown', ...(series.rows !== undefined && { length: series.rows }) };
  return {
    kind: 'ndarray',
    class: 'numpy.ndarray',
    shape: [series.rows ?? null],
    dtype: series.dtype,
    ...(series.values && { values: series.values }),
  };
}

const dtypes: AttributeTransfer = (receiver, context) => {
  const labels = labelsOfFrame(receiver.fact as Frame);
  return context.put(
    newSeries({ dtype: 'object', ...(labels && { rows: labels.length, index: { labels } }) }),
  );
};

const accessor =
  (name: Indexer['accessor']): AttributeTransfer =>
  (receiver, context) =>
    context.put({
      kind: 'indexer',
      accessor: name,
      owner: receiver.ref,
      class: `pandas.${name}`,
      callable: true,
    });

const isEmpty: AttributeTransfer = (receiver, context) => {
  const { rows } = receiver.fact as Frame;
  const known = rows !== undefined && rows > 0;
  return context.put({
    kind: 'scalar',
    type: 'bool',
    class: 'builtins.bool',
    ...(known && { value: false }),
  });
};

const indexers = { loc: accessor('loc'), iloc: accessor('iloc'), at: accessor('at'), iat: accessor('iat') };

/** The labels as an array or list of their own. */
const labelArray: AttributeTransfer = (receiver, context) => {
  const { fact } = receiver;
  if (fact.kind !== 'index' || !fact.labels) return undefined;
  return context.put({
    kind: 'index',
    class: 'numpy.ndarray',
    labels: fact.labels,
    length: fact.labels.length,
    ...(fact.unordered && { unordered: true }),
    owner: fact.owner,
  });
};

const labelList: CallTransfer = (site, context) => {
  const { fact } = site.receiver!;
  if (fact.kind !== 'index' || !fact.labels) return undefined;
  const items = fact.labels.map((label) => context.putLiteral(label));
  return putList(context, items);
};

export const selection: Transfers = {
  methods: {
    index: {
      tolist: labelList,
      to_list: labelList,
    },
  },
  storeAttribute: {
    index(receiver, _name, _value, context) {
      const { fact } = receiver;
      const owner = fact.kind === 'index' ? fact.owner : undefined;
      const held = owner === undefined ? undefined : context.look(owner);
      if (held?.kind === 'dataframe' || held?.kind === 'series') {
        const { index: _, path: __, ...rest } = held;
        context.state.update(owner!, rest as Fact);
      }
      return true;
    },
  },
  loadItem: {
    dataframe: frameItem,
    series: seriesItem,
    indexer: indexerItem,
    index(container, key, context) {
      const fact = container.fact;
      if (fact.kind !== 'index' || !fact.labels || fact.unordered) return undefined;
      if (key.fact.kind === 'slice') {
        const bounds = sliceBounds(context, key.fact, fact.labels.length);
        if (bounds?.step !== 1) return undefined;
        const labels = fact.labels.slice(bounds.start, bounds.stop);
        return context.put({ kind: 'index', class: 'pandas.Index', labels, length: labels.length });
      }
      const position = context.literal(key.ref);
      const label = typeof position === 'number' ? fact.labels.at(position) : undefined;
      return label === undefined ? undefined : context.putLiteral(label);
    },
  },
  attributes: {
    index: { values: labelArray },
    dataframe: {
      columns,
      shape,
      index,
      empty: isEmpty,
      dtypes,
      values: (receiver, context) => context.put(frameArray(receiver.fact as Frame)),
      ...indexers,
    },
    series: {
      index,
      values: (receiver, context) => {
        const fact = seriesArray(receiver.fact as Series);
        return fact && context.put(fact);
      },
      ...indexers,
    },
  },
};
