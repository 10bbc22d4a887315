// Selecting from frames and series: `[]`, `.loc`, `.iloc` and plain attributes.
import type { Literal } from '@grus/kernel/snapshot';
import { labelsOf } from '../../reasoning/arguments.js';
import type { Operand } from '../../reasoning/events.js';
import type { Fact, Frame, Indexer, Ref, Series } from '../../reasoning/facts.js';
import type { Interpreter } from '../../reasoning/interpreter/interpreter.js';
import type { AttributeTransfer, CallTransfer, Library } from '../../reasoning/library.js';
import { includesLiteral, keyOf } from '../../reasoning/literals.js';
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

/** Number of rows that a boolean mask leaves, when that is certain. */
export function maskedRows(mask: Fact): number | undefined {
  if (mask.kind !== 'series' && mask.kind !== 'ndarray') return undefined;
  const { values } = mask;
  if (!values?.examplesComplete || values.examples?.length !== 1) return undefined;
  const rows = mask.kind === 'series' ? mask.rows : (mask.shape?.[0] ?? undefined);
  return values.examples[0] === false ? 0 : rows;
}

export function isMask(fact: Fact): boolean {
  return (
    (fact.kind === 'series' || fact.kind === 'ndarray') && (fact.dtype === 'bool' || fact.dtype === 'boolean')
  );
}

function frameItem(container: Operand, key: Operand, interpreter: Interpreter): Ref | undefined {
  const frame = container.fact as Frame;
  if (isMask(key.fact)) return interpreter.put(someRows(frame, maskedRows(key.fact)));
  if (key.fact.kind === 'slice') return interpreter.put(slicedRows(frame, key.fact, interpreter));
  if (key.fact.kind === 'list' || key.fact.kind === 'index') {
    const labels = labelsOf(interpreter.look, (ref) => interpreter.literal(ref), key);
    if (!labels) return interpreter.put(unknownColumns(frame));
    if (labels.some((label) => typeof label === 'boolean'))
      return interpreter.put(someRows(frame, undefined));
    return interpreter.put(selectColumns(frame, labels));
  }
  const label = interpreter.literal(key.ref);
  if (label === undefined) return undefined;
  const column = columnOf(frame, label);
  if (!column || frame.columnLevels !== undefined || isDuplicate(frame, label)) return undefined;
  return interpreter.put(seriesOf(frame, column));
}

function isDuplicate(frame: Frame, label: Literal): boolean {
  return (labelsOfFrame(frame) ?? []).filter((other) => other === label).length > 1;
}

export function selectColumns(frame: Frame, labels: readonly Literal[]): Frame {
  const columns = frame.columns && labels.map((label) => columnOf(frame, label) ?? { label });
  const { unordered: _, columns: __, ...rest } = keep(frame);
  return newFrame({ ...rest, columns: columns ?? labels.map((label) => ({ label })) });
}

function slicedRows(frame: Frame, slice: Extract<Fact, { kind: 'slice' }>, interpreter: Interpreter): Frame {
  const bounds = frame.rows === undefined ? undefined : sliceBounds(interpreter, slice, frame.rows);
  return someRows(frame, bounds && sliceLength(bounds));
}

function seriesItem(container: Operand, key: Operand, interpreter: Interpreter): Ref | undefined {
  const series = container.fact as Series;
  const label = series.cells && interpreter.literal(key.ref);
  if (label !== undefined) return series.cells!.get(keyOf(label));
  if (isMask(key.fact) || key.fact.kind === 'slice' || key.fact.kind === 'list') {
    const rows =
      key.fact.kind === 'slice' && series.rows !== undefined
        ? slicedLength(key.fact, series.rows, interpreter)
        : key.fact.kind === 'list'
          ? key.fact.length
          : maskedRows(key.fact);
    return interpreter.put(someOf(series, rows));
  }
  return undefined;
}

export function someOf(series: Series, rows: number | undefined): Series {
  return newSeries({
    ...(series.dtype !== undefined && { dtype: series.dtype }),
    ...(series.name !== undefined && { name: series.name }),
    ...(rows !== undefined && { rows }),
    ...(series.index && { index: someLabels(series.index) }),
    ...(series.values && { values: subset(series.values)! }),
    ...(series.source !== undefined && { source: series.source }),
  });
}

function slicedLength(
  slice: Extract<Fact, { kind: 'slice' }>,
  length: number,
  interpreter: Interpreter,
): number | undefined {
  const bounds = sliceBounds(interpreter, slice, length);
  return bounds && sliceLength(bounds);
}

/** `.loc[rows, columns]` and `.iloc[rows, columns]` on a frame; only forms whose result is plain are followed. */
function indexerItem(container: Operand, key: Operand, interpreter: Interpreter): Ref | undefined {
  const { owner, accessor } = container.fact as Indexer;
  const fact = interpreter.look(owner);
  if (fact.kind === 'series') {
    if (key.fact.kind === 'slice' || key.fact.kind === 'list' || isMask(key.fact)) {
      const rows =
        accessor === 'iloc' && key.fact.kind === 'slice' && fact.rows !== undefined
          ? slicedLength(key.fact, fact.rows, interpreter)
          : maskedRows(key.fact);
      return interpreter.put(someOf(fact, rows));
    }
    return undefined;
  }
  if (fact.kind !== 'dataframe') return undefined;
  const parts = key.fact.kind === 'tuple' ? key.fact.items : [key.ref];
  if (!parts || parts.length > 2) return undefined;
  const rowKey = interpreter.look(parts[0]!);
  const selectsRows = rowKey.kind === 'slice' || rowKey.kind === 'list' || isMask(rowKey);
  const columns = parts[1] === undefined ? fact : selectedColumns(fact, parts[1], accessor, interpreter);
  if (columns === undefined) return undefined;
  if (columns.kind === 'series') {
    if (!selectsRows) return undefined;
    return interpreter.put(rowsOfSeries(columns, rowKey, accessor, interpreter));
  }
  if (!selectsRows) return undefined;
  return interpreter.put(rowsOfFrame(columns, rowKey, accessor, interpreter));
}

function isWhole(slice: Fact): boolean {
  return (
    slice.kind === 'slice' &&
    slice.lower === undefined &&
    slice.upper === undefined &&
    slice.step === undefined
  );
}

function rowsOfFrame(frame: Frame, rowKey: Fact, accessor: string, interpreter: Interpreter): Frame {
  if (isWhole(rowKey)) return newFrame(keep(frame));
  if (accessor === 'iloc' && rowKey.kind === 'slice') return slicedRows(frame, rowKey, interpreter);
  return someRows(frame, rowKey.kind === 'list' ? rowKey.length : maskedRows(rowKey));
}

function rowsOfSeries(series: Series, rowKey: Fact, accessor: string, interpreter: Interpreter): Series {
  if (isWhole(rowKey)) return series;
  if (accessor === 'iloc' && rowKey.kind === 'slice' && series.rows !== undefined)
    return someOf(series, slicedLength(rowKey, series.rows, interpreter));
  return someOf(series, rowKey.kind === 'list' ? rowKey.length : maskedRows(rowKey));
}

function selectedColumns(
  frame: Frame,
  ref: Ref,
  accessor: string,
  interpreter: Interpreter,
): Frame | Series | undefined {
  const fact = interpreter.look(ref);
  if (isWhole(fact)) return frame;
  if (!frame.columns || frame.columnLevels !== undefined) return undefined;
  if (accessor === 'iloc') {
    if (frame.unordered) return undefined;
    if (fact.kind === 'slice') {
      const bounds = sliceBounds(interpreter, fact, frame.columns.length);
      if (bounds?.step !== 1) return undefined;
      return newFrame({ ...keep(frame), columns: frame.columns.slice(bounds.start, bounds.stop) });
    }
    const position = interpreter.literal(ref);
    const column = typeof position === 'number' ? frame.columns.at(position) : undefined;
    return column && seriesOf(frame, column);
  }
  if (fact.kind === 'list' || fact.kind === 'index') {
    const labels = labelsOf(interpreter.look, (inner) => interpreter.literal(inner), {
      ref,
      fact,
      node: undefined as never,
    });
    return labels && selectColumns(frame, labels);
  }
  const label = interpreter.literal(ref);
  const column = label === undefined ? undefined : columnOf(frame, label);
  return column && seriesOf(frame, column);
}

/** Set operations on labels; the result is sorted by pandas where it can be, so its order is not known. */
function indexOperation(
  combine: (labels: readonly Literal[], others: readonly Literal[]) => Literal[],
): CallTransfer {
  return (site, interpreter) => {
    const { fact } = site.receiver!;
    const [other] = site.args.positional;
    const others = other && labelsOf(interpreter.look, (ref) => interpreter.literal(ref), other);
    if (fact.kind !== 'index' || !fact.labels || !others || site.args.keywords.size > 0) return undefined;
    const labels = combine(fact.labels, others);
    return interpreter.put({
      kind: 'index',
      class: 'pandas.Index',
      labels,
      length: labels.length,
      unordered: true,
    });
  };
}

const columns: AttributeTransfer = (receiver, interpreter) => {
  const frame = receiver.fact as Frame;
  const labels = labelsOfFrame(frame);
  return interpreter.put({
    kind: 'index',
    class: 'pandas.Index',
    ...(labels && { labels, length: labels.length }),
    ...(frame.unordered && { unordered: true }),
    ...(frame.source !== undefined && { source: frame.source }),
    owner: receiver.ref,
  });
};

const shape: AttributeTransfer = (receiver, interpreter) => {
  const frame = receiver.fact as Frame;
  const items = [frame.rows, frame.columns?.length].map((value) =>
    interpreter.put({
      kind: 'scalar',
      type: 'int',
      class: 'builtins.int',
      ...(value !== undefined && { value }),
    }),
  );
  return interpreter.put({ kind: 'tuple', class: 'builtins.tuple', items, length: 2 });
};

const seriesShape: AttributeTransfer = (receiver, interpreter) => {
  const { rows } = receiver.fact as Series;
  const item = interpreter.put({
    kind: 'scalar',
    type: 'int',
    class: 'builtins.int',
    ...(rows !== undefined && { value: rows }),
  });
  return interpreter.put({ kind: 'tuple', class: 'builtins.tuple', items: [item], length: 1 });
};

const index: AttributeTransfer = (receiver, interpreter) => {
  const { index: facts, rows } = receiver.fact as Frame | Series;
  return interpreter.put({
    kind: 'index',
    class: 'pandas.Index',
    ...(facts?.labels && { labels: facts.labels }),
    ...(facts?.dtype !== undefined && { dtype: facts.dtype }),
    ...(rows !== undefined && { length: rows }),
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
  if (series.dtype === 'category' || series.dtype === undefined || !isNumpyDtype(series.dtype))
    return series.dtype === undefined ? undefined : { kind: 'unknown' };
  return {
    kind: 'ndarray',
    class: 'numpy.ndarray',
    shape: [series.rows ?? null],
    dtype: series.dtype,
    ...(series.values && { values: series.values }),
  };
}

const dtypes: AttributeTransfer = (receiver, interpreter) => {
  const labels = labelsOfFrame(receiver.fact as Frame);
  return interpreter.put(
    newSeries({ dtype: 'object', ...(labels && { rows: labels.length, index: { labels } }) }),
  );
};

const accessor =
  (name: Indexer['accessor']): AttributeTransfer =>
  (receiver, interpreter) =>
    interpreter.put({
      kind: 'indexer',
      accessor: name,
      owner: receiver.ref,
      class: `pandas.${name}`,
      callable: true,
    });

const size: AttributeTransfer = (receiver, interpreter) => {
  const { rows } = receiver.fact as Series;
  return interpreter.put({
    kind: 'scalar',
    type: 'int',
    class: 'builtins.int',
    ...(rows !== undefined && { value: rows }),
  });
};

const isEmpty: AttributeTransfer = (receiver, interpreter) => {
  const { rows } = receiver.fact as Frame;
  const known = rows !== undefined && (rows > 0 || receiver.fact.kind === 'series');
  return interpreter.put({
    kind: 'scalar',
    type: 'bool',
    class: 'builtins.bool',
    ...(known && { value: rows === 0 }),
  });
};

const indexers = { loc: accessor('loc'), iloc: accessor('iloc'), at: accessor('at'), iat: accessor('iat') };

/** The labels as an array or list of their own. */
const labelArray: AttributeTransfer = (receiver, interpreter) => {
  const { fact } = receiver;
  if (fact.kind !== 'index' || !fact.labels) return undefined;
  return interpreter.put({
    kind: 'index',
    class: 'numpy.ndarray',
    labels: fact.labels,
    length: fact.labels.length,
    ...(fact.unordered && { unordered: true }),
    ...(fact.owner !== undefined && { owner: fact.owner }),
  });
};

const labelList: CallTransfer = (site, interpreter) => {
  const { fact } = site.receiver!;
  if (fact.kind !== 'index' || !fact.labels) return undefined;
  const items = fact.labels.map((label) => interpreter.putLiteral(label));
  return interpreter.put({ kind: 'list', class: 'builtins.list', items, length: items.length });
};

export const selection: Library = {
  methods: {
    index: {
      tolist: labelList,
      to_list: labelList,
      difference: indexOperation((labels, others) =>
        labels.filter((label) => !includesLiteral(others, label)),
      ),
      intersection: indexOperation((labels, others) =>
        labels.filter((label) => includesLiteral(others, label)),
      ),
      drop: indexOperation((labels, others) => labels.filter((label) => !includesLiteral(others, label))),
    },
  },
  storeAttribute: {
    index(receiver, _name, _value, interpreter) {
      const { fact } = receiver;
      const owner = fact.kind === 'index' ? fact.owner : undefined;
      const held = owner === undefined ? undefined : interpreter.look(owner);
      if (held?.kind === 'dataframe' || held?.kind === 'series') {
        const { index: _, path: __, ...rest } = held;
        interpreter.state.update(owner!, rest as Fact);
      }
      return true;
    },
  },
  loadItem: {
    dataframe: frameItem,
    series: seriesItem,
    indexer: indexerItem,
    index(container, key, interpreter) {
      const fact = container.fact;
      if (fact.kind !== 'index' || !fact.labels || fact.unordered) return undefined;
      if (key.fact.kind === 'slice') {
        const bounds = sliceBounds(interpreter, key.fact, fact.labels.length);
        if (bounds?.step !== 1) return undefined;
        const labels = fact.labels.slice(bounds.start, bounds.stop);
        return interpreter.put({ kind: 'index', class: 'pandas.Index', labels, length: labels.length });
      }
      const position = interpreter.literal(key.ref);
      const label = typeof position === 'number' ? fact.labels.at(position) : undefined;
      return label === undefined ? undefined : interpreter.putLiteral(label);
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
      values: (receiver, interpreter) => interpreter.put(frameArray(receiver.fact as Frame)),
      ...indexers,
    },
    series: {
      shape: seriesShape,
      index,
      size,
      empty: isEmpty,
      values: (receiver, interpreter) => {
        const fact = seriesArray(receiver.fact as Series);
        return fact && interpreter.put(fact);
      },
      ...indexers,
    },
  },
};
