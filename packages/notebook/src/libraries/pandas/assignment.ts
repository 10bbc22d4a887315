// Changing frames: column assignment, deletion, `.loc` stores, `insert`, `pop`, new column labels.

import type { Context } from '../../reasoning/context.js';
import type { Operand } from '../../reasoning/events.js';
import type { Fact } from '../../reasoning/facts.js';
import type { CallTransfer, Transfers } from '../../reasoning/library.js';
import { putNone } from '../../reasoning/plain-objects.js';
import { columnOf, keep, newFrame, seriesOf, unknownColumns, withColumn, withoutColumns } from './frames.js';
import type { Column, Frame, Indexer } from './kinds.js';
import { labelsOf } from './labels.js';

/** The column that holds an assigned value. */
export function columnFrom(label: Column['label'], value: Fact): Column {
  if (value.kind === 'series')
    return {
      label,
      ...(value.dtype !== undefined && { dtype: value.dtype }),
      ...(value.values && alignedValues(value)),
    };
  if (value.kind === 'ndarray' && value.shape?.length === 1)
    return {
      label,
      ...(value.dtype !== undefined && { dtype: value.dtype }),
      ...(value.values && { values: value.values }),
    };
  if (value.kind === 'scalar') {
    const dtype = {
      int: 'int64',
      float: 'float64',
      bool: 'bool',
      str: undefined,
      bytes: 'object',
      complex: 'complex128',
    }[value.type];
    return { label, ...(dtype !== undefined && { dtype }) };
  }
  return { label };
}

/** Alignment by row labels may bring in missing values, so only what survives them is kept. */
function alignedValues(value: Extract<Fact, { kind: 'series' }>): Pick<Column, 'values'> {
  const { hasNan: _, unique: __, exhaustive: ___, ...rest } = value.values!;
  return { values: rest };
}

function storeColumn(container: Operand, key: Operand, value: Operand, context: Context): boolean {
  const frame = container.fact as Frame;
  const { state } = context;
  if (key.fact.kind === 'list') {
    const labels = labelsOf(context.look, (ref) => context.literal(ref), key);
    if (!labels || !frame.columns) return false;
    let next: Frame = frame;
    for (const label of labels) next = withColumn(next, { label });
    state.update(container.ref, changed(next, frame));
    return true;
  }
  const label = context.literal(key.ref);
  if (label === undefined || !frame.columns) {
    if (key.fact.kind === 'series' || key.fact.kind === 'ndarray') {
      state.update(container.ref, changed(forgetValues(frame), frame));
      return true;
    }
    return false;
  }
  const isEmptyFrame = frame.rows === 0 || frame.columns.length === 0;
  const next = withColumn(frame, columnFrom(label, value.fact));
  if (!isEmptyFrame) {
    state.update(container.ref, changed(next, frame));
    return true;
  }
  const { rows: _, index: __, ...rest } = keep(next);
  state.update(container.ref, newFrame(rest));
  return true;
}

/** The same live object with other columns: still the same memory, no longer what the kernel described. */
function changed(next: Frame, before: Frame): Frame {
  return { ...newFrame(keep(next)), ...(before.memory !== undefined && { memory: before.memory }) };
}

function forgetValues(frame: Frame): Frame {
  return {
    ...newFrame(keep(frame)),
    ...(frame.columns && { columns: frame.columns.map(({ label }) => ({ label })) }),
  };
}

function storeThroughIndexer(container: Operand, key: Operand, _value: Operand, context: Context): boolean {
  const { owner, accessor } = container.fact as Indexer;
  const fact = context.look(owner);
  if (fact.kind === 'series') {
    context.state.valuesChanged(owner);
    const { dtype: _, values: __, index: ___, rows: ____, path: _____, cells: ______, ...rest } = fact;
    context.state.update(owner, {
      ...rest,
      ...(accessor === 'iloc' && fact.rows !== undefined && { rows: fact.rows }),
    });
    return true;
  }
  if (fact.kind !== 'dataframe') return false;
  context.state.valuesChanged(owner);
  const parts = key.fact.kind === 'tuple' ? key.fact.items : undefined;
  const columnRef = parts?.[1];
  const rowFact = parts?.[0] === undefined ? key.fact : context.look(parts[0]);
  const addsNoRow =
    accessor === 'iloc' ||
    accessor === 'iat' ||
    rowFact.kind === 'slice' ||
    rowFact.kind === 'series' ||
    rowFact.kind === 'ndarray';
  const { rows, index, ...rest } = keep(forgetValues(fact));
  let next: Frame = newFrame({
    ...rest,
    ...(addsNoRow && rows !== undefined && { rows }),
    ...(addsNoRow && index && { index }),
  });
  if (accessor === 'loc' || accessor === 'at') {
    const label = columnRef === undefined ? undefined : context.literal(columnRef);
    const column = columnRef === undefined ? undefined : context.look(columnRef);
    if (label !== undefined) next = columnOf(next, label) ? next : withColumn(next, { label });
    else if (column !== undefined && !(column.kind === 'slice')) next = unknownColumns(next);
  }
  context.state.update(owner, { ...next, ...(fact.memory !== undefined && { memory: fact.memory }) });
  return true;
}

function deleteColumn(container: Operand, key: Operand, context: Context): boolean {
  const frame = container.fact as Frame;
  const label = context.literal(key.ref);
  const columns = label === undefined ? undefined : withoutColumns(frame, [label]);
  const { columns: _, ...rest } = keep(frame);
  context.state.update(container.ref, newFrame({ ...rest, columns }));
  return true;
}

const insert: CallTransfer = (site, context) => {
  const { ref, fact } = site.receiver!;
  const [, name] = site.args.positional;
  const column = name ?? site.args.keywords.get('column');
  const label = column && context.literal(column.ref);
  if (fact.kind !== 'dataframe') return undefined;
  const frame =
    label === undefined ? unknownColumns(fact) : { ...withColumn(fact, { label }), unordered: true };
  context.state.update(ref, changed(frame, fact));
  return putNone(context);
};

const pop: CallTransfer = (site, context) => {
  const { ref, fact } = site.receiver!;
  const [item] = site.args.positional;
  const label = item && context.literal(item.ref);
  if (fact.kind !== 'dataframe') return undefined;
  const column = label === undefined ? undefined : columnOf(fact, label);
  const columns = label === undefined ? undefined : withoutColumns(fact, [label]);
  const { columns: _, ...rest } = keep(fact);
  context.state.update(ref, newFrame({ ...rest, columns }));
  return column ? context.put(seriesOf(fact, column)) : context.unknown();
};

export const assignment: Transfers = {
  storeItem: {
    dataframe: storeColumn,
    indexer: storeThroughIndexer,
    series(container, _key, _value, context) {
      context.state.valuesChanged(container.ref);
      const { fact } = container;
      if (fact.kind !== 'series') return false;
      const { dtype: _, index: __, rows: ___, values: ____, path: _____, cells: ______, ...rest } = fact;
      context.state.update(container.ref, rest);
      return true;
    },
  },
  deleteItem: { dataframe: deleteColumn },
  storeAttribute: {
    dataframe(receiver, name, value, context) {
      const frame = receiver.fact as Frame;
      if (name === 'columns') {
        const labels = labelsOf(context.look, (ref) => context.literal(ref), value);
        const isSame = frame.columns?.length === labels?.length;
        const columns = labels?.map((label, position) =>
          isSame && frame.columns && !frame.unordered ? { ...frame.columns[position], label } : { label },
        );
        const { columns: _, unordered: __, ...rest } = keep(frame);
        context.state.update(receiver.ref, newFrame({ ...rest, columns }));
        return true;
      }
      if (name === 'index') {
        const { index: _, ...rest } = keep(frame);
        context.state.update(receiver.ref, newFrame(rest));
        return true;
      }
      if (!columnOf(frame, name)) return true;
      context.state.update(receiver.ref, changed(withColumn(frame, columnFrom(name, value.fact)), frame));
      return true;
    },
    series(receiver, name, _value, context) {
      const { fact } = receiver;
      if (fact.kind !== 'series') return false;
      const { index: _, name: __, path: ___, cells: ____, ...rest } = fact;
      context.state.update(
        receiver.ref,
        name === 'index' ? rest : { ...rest, ...(fact.index && { index: fact.index }) },
      );
      return true;
    },
  },
  methods: { dataframe: { insert, pop } },
};
