// Helpers on the facts of frames and series that the pandas transfer functions share.
import type { Literal } from '@grus/kernel/snapshot';
import { flag } from '../../reasoning/arguments.js';
import type { Context } from '../../reasoning/context.js';
import { type Fact, known, type Ref, type ValueFacts } from '../../reasoning/facts.js';
import type { CallSite } from '../../reasoning/library.js';
import { keyOf, sameLiteral } from '../../reasoning/literals.js';
import { putNone } from '../../reasoning/plain-objects.js';
import type { Column, Frame, IndexFacts, Series } from './kinds.js';

const frameClass = 'pandas.DataFrame';
const seriesClass = 'pandas.Series';

export function newFrame(fields: Omit<Frame, 'kind' | 'class'>): Frame {
  return known({ kind: 'dataframe', class: frameClass, ...fields });
}

export function newSeries(fields: Omit<Series, 'kind' | 'class'>): Series {
  return known({ kind: 'series', class: seriesClass, ...fields });
}

export function columnOf(frame: Frame, label: Literal): Column | undefined {
  return frame.columns?.find((column) => sameLiteral(column.label, label));
}

export function labelsOfFrame(frame: Frame): readonly Literal[] | undefined {
  return frame.columns?.map((column) => column.label);
}

/** The column as a series of the frame. */
export function seriesOf(frame: Frame, column: Column): Series {
  return newSeries({
    name: column.label,
    dtype: column.dtype,
    rows: frame.rows,
    index: frame.index,
    values: column.values,
    memory: frame.memory,
    source: frame.source,
  });
}

/** Fields of a frame that a derived one starts from; the live object's identity is not among them. */
export function keep(frame: Frame): Omit<Frame, 'kind' | 'class'> {
  return known({
    columns: frame.columns,
    ...(frame.unordered && { unordered: true }),
    columnLevels: frame.columnLevels,
    rows: frame.rows,
    index: frame.index,
    source: frame.source,
  });
}

export function keepSeries(series: Series): Omit<Series, 'kind' | 'class'> {
  const { kind: _, class: __, path: ___, memory: ____, members: _____, cells: ______, ...rest } = series;
  return rest;
}

/** What still holds of the values when only some of them are left. */
export function subset(values: ValueFacts | undefined): ValueFacts | undefined {
  if (!values) return undefined;
  return {
    ...(values.hasNan === false && { hasNan: false }),
    ...(values.hasInf === false && { hasInf: false }),
    ...(values.categories && { categories: values.categories }),
  };
}

export function someRows(frame: Frame, rows: number | undefined): Frame {
  const { rows: _, index: __, columns, ...rest } = keep(frame);
  return newFrame({
    ...rest,
    ...(columns && {
      columns: columns.map(({ label, dtype, values }) => ({
        label,
        ...(dtype !== undefined && { dtype }),
        ...(values && { values: subset(values)! }),
      })),
    }),
    rows,
    ...(frame.index && { index: someLabels(frame.index) }),
  });
}

/** What a selection of rows keeps of the row labels. */
export function someLabels(index: IndexFacts): IndexFacts {
  return known({
    names: index.names,
    dtype: index.dtype,
    ...(index.unique === true && { unique: true }),
    absent: index.absent,
  });
}

export function rangeIndex(rows: number | undefined): IndexFacts {
  return {
    names: [null],
    dtype: 'int64',
    unique: true,
    ...(rows !== undefined && { range: { start: 0, stop: rows, step: 1 } }),
  };
}

/** The frame with one more or replaced column. */
export function withColumn(frame: Frame, column: Column): Frame {
  if (!frame.columns) return unknownColumns(frame);
  const exists = frame.columns.some((other) => sameLiteral(other.label, column.label));
  const columns = exists
    ? frame.columns.map((other) => (sameLiteral(other.label, column.label) ? column : other))
    : [...frame.columns, column];
  return { ...newFrame(keep(frame)), columns };
}

export function withoutColumns(frame: Frame, labels: readonly Literal[]): readonly Column[] | undefined {
  const gone = new Set(labels.map(keyOf));
  return frame.columns?.filter((column) => !gone.has(keyOf(column.label)));
}

/** Ends a method that has `inplace`: changes the receiver and gives None, or gives the new object. */
export function inPlaceOrNew(site: CallSite, context: Context, result: Fact): Ref {
  const inPlace = flag(context, site, null, 'inplace', false);
  const receiver = site.receiver!;
  if (inPlace === false) return context.put(result);
  if (inPlace === undefined) {
    context.state.mayMutate(receiver.ref);
    return context.unknown();
  }
  context.state.update(receiver.ref, {
    ...result,
    ...(receiver.fact.memory !== undefined && { memory: receiver.fact.memory }),
  } as Fact);
  context.state.valuesChanged(receiver.ref);
  context.state.update(receiver.ref, result);
  return putNone(context);
}

/** The frame after its columns may have become others. */
export function unknownColumns(frame: Frame): Frame {
  const { columns: _, unordered: __, columnLevels: ___, ...rest } = keep(frame);
  return newFrame(rest);
}
