// Functions of the pandas module: constructors, readers, concat, merge, get_dummies and conversions.

import { argument, flag } from '../../reasoning/arguments.js';
import type { Fact } from '../../reasoning/facts.js';
import { lengthOf } from '../../reasoning/kinds.js';
import type { CallTransfer, Transfers } from '../../reasoning/library.js';
import { columnFrom } from './assignment.js';
import { anyFrame, mergeFrames } from './frame-methods.js';
import { keep, keepSeries, newFrame, newSeries, rangeIndex } from './frames.js';
import type { Column, Frame } from './kinds.js';
import { labelsOf } from './labels.js';

/** `DataFrame({label: values, …})` and `DataFrame(array, columns=[…])`. */
const makeFrame: CallTransfer = (site, context) => {
  const data = argument(site, 0, 'data');
  const given = argument(site, 2, 'columns');
  const names = given && labelsOf(context.look, (ref) => context.literal(ref), given);
  const hasIndex = argument(site, 1, 'index') !== undefined;
  if (!site.args.complete) return context.put(newFrame({}));
  if (!data)
    return context.put(
      newFrame(given && !names ? {} : { columns: (names ?? []).map((label) => ({ label })), rows: 0 }),
    );
  const { fact } = data;
  if (given && !names) return context.put(newFrame({}));
  if (fact.kind === 'dict') {
    if (!fact.complete || !fact.entries)
      return context.put(newFrame(names ? { columns: names.map((label) => ({ label })) } : {}));
    const entries = [...fact.entries.values()];
    const columns = entries.map(({ key, value }): Column => columnFrom(key, context.look(value)));
    const lengths = entries
      .map(({ value }) => context.look(value))
      .filter((inner) => inner.kind === 'list' || inner.kind === 'ndarray')
      .map(lengthOf);
    const [rows] = lengths;
    const known = rows !== undefined && !hasIndex && lengths.length === entries.length;
    return context.put(
      newFrame({
        columns: names ? names.map((label) => ({ label })) : columns,
        ...(known && { rows, index: rangeIndex(rows) }),
      }),
    );
  }
  if (fact.kind === 'dataframe')
    return context.put(
      names
        ? newFrame({ columns: names.map((label) => ({ label })), rows: fact.rows })
        : newFrame(keep(fact)),
    );
  if (fact.kind === 'ndarray' && fact.shape?.length === 2) {
    const [rows, width] = fact.shape;
    const labels =
      names ??
      (width === null || width === undefined
        ? undefined
        : Array.from({ length: width }, (_, position) => position));
    const columns = labels?.map(
      (label): Column => ({ label, ...(fact.dtype !== undefined && { dtype: fact.dtype }) }),
    );
    return context.put(
      newFrame({
        columns,
        ...(typeof rows === 'number' && { rows }),
        ...(!hasIndex && typeof rows === 'number' && { index: rangeIndex(rows) }),
      }),
    );
  }
  const isRows = fact.kind === 'list' || fact.kind === 'ndarray' || fact.kind === 'iterator';
  const first =
    fact.kind === 'list' && fact.items?.[0] !== undefined ? context.look(fact.items[0]) : undefined;
  const rows =
    fact.kind === 'list' && first && first.kind !== 'dict' && first.kind !== 'unknown'
      ? lengthOf(fact)
      : undefined;
  return context.put(
    newFrame({ ...(names && isRows && { columns: names.map((label) => ({ label })) }), rows }),
  );
};

const makeSeries: CallTransfer = (site, context) => {
  const data = argument(site, 0, 'data');
  const hasIndex = argument(site, 1, 'index') !== undefined;
  if (!data || !site.args.complete) return context.put(newSeries({}));
  const { fact } = data;
  const rows =
    fact.kind === 'list' || fact.kind === 'ndarray' || fact.kind === 'series' ? lengthOf(fact) : undefined;
  const dtype = fact.kind === 'ndarray' || fact.kind === 'series' ? fact.dtype : undefined;
  return context.put(
    newSeries({
      ...(rows !== undefined && !hasIndex && { rows }),
      ...(dtype !== undefined && !argument(site, 2, 'dtype') && { dtype }),
      ...(fact.kind === 'list' && !hasIndex && rows !== undefined && { index: rangeIndex(rows) }),
      ...((fact.kind === 'ndarray' || fact.kind === 'series') &&
        !hasIndex &&
        fact.values && { values: fact.values }),
    }),
  );
};

const concat: CallTransfer = (site, context) => {
  const objects = argument(site, 0, 'objs');
  const axisOperand = argument(site, 1, 'axis');
  const axis = axisOperand ? context.literal(axisOperand.ref) : site.args.complete ? 0 : undefined;
  const parts = objects && context.elementsOf(objects).items?.map((ref) => context.look(ref));
  if (!parts || argument(site, null, 'keys') || argument(site, null, 'join')) return context.unknown();
  if (parts.every((part) => part.kind === 'series') && (axis === 0 || axis === 'index'))
    return context.put(newSeries({}));
  if (!parts.every((part): part is Frame => part.kind === 'dataframe') || parts.length === 0)
    return parts.some((part) => part.kind === 'dataframe') ? context.put(newFrame({})) : context.unknown();
  const isKnown = parts.every((part) => part.columns && part.columnLevels === undefined);
  if (axis === 1 || axis === 'columns') {
    const ignores = flag(context, site, null, 'ignore_index', false);
    return context.put(
      newFrame(
        isKnown && ignores === false
          ? { columns: parts.flatMap((part) => part.columns!.map(({ label }) => ({ label }))) }
          : {},
      ),
    );
  }
  if (axis !== 0 && axis !== 'index') return context.put(newFrame({}));
  const rows = parts.every((part) => part.rows !== undefined)
    ? parts.reduce((sum, part) => sum + part.rows!, 0)
    : undefined;
  const labels = new Map(
    parts.flatMap((part) => part.columns ?? []).map((column) => [JSON.stringify(column.label), column.label]),
  );
  return context.put(
    newFrame({ ...(isKnown && { columns: [...labels.values()].map((label) => ({ label })) }), rows }),
  );
};

const getDummies: CallTransfer = (site, context) => {
  const data = argument(site, 0, 'data');
  const rows =
    data && (data.fact.kind === 'dataframe' || data.fact.kind === 'series') ? data.fact.rows : undefined;
  return context.put(newFrame(rows === undefined ? {} : { rows }));
};

const convert =
  (dtype: string | undefined): CallTransfer =>
  (site, context) => {
    const fact: Fact | undefined = argument(site, 0, 'arg')?.fact;
    if (fact?.kind !== 'series') return context.unknown();
    const { dtype: _, values: __, ...rest } = keepSeries(fact);
    return context.put(newSeries({ ...rest, dtype }));
  };

export const pandasFunctions: Transfers = {
  functions: {
    'pandas.DataFrame': makeFrame,
    'pandas.Series': makeSeries,
    'pandas.read_csv': anyFrame,
    'pandas.read_table': anyFrame,
    'pandas.read_parquet': anyFrame,
    'pandas.read_json': anyFrame,
    'pandas.concat': concat,
    'pandas.merge': (site, context) => {
      const left = argument(site, 0, 'left');
      const right = argument(site, 1, 'right');
      return context.put(left && right ? mergeFrames(context, site, left.fact, right.fact, 2) : newFrame({}));
    },
    'pandas.get_dummies': getDummies,
    'pandas.Categorical': (_site, context) => context.put({ kind: 'instance', class: 'pandas.Categorical' }),
    'pandas.to_numeric': convert(undefined),
    'pandas.to_datetime': convert(undefined),
    'pandas.crosstab': anyFrame,
  },
};
