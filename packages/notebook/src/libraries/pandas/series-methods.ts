// Methods of series, operators on them, and grouped frames.

import type { Literal } from '@grus/kernel/snapshot';
import { argument, callbacksIn, literalArgument } from '../../reasoning/arguments.js';
import { comparisons } from '../../reasoning/comparisons.js';
import type { Context } from '../../reasoning/context.js';
import type { Ref, ValueFacts } from '../../reasoning/facts.js';
import type { CallSite, CallTransfer, Transfers } from '../../reasoning/library.js';
import { includesLiteral } from '../../reasoning/literals.js';
import { witnessesIn } from '../../reasoning/witnesses.js';
import {
  columnOf,
  inPlaceOrNew,
  keepSeries,
  labelsOfFrame,
  newFrame,
  newSeries,
  seriesOf,
  someRows,
  subset,
} from './frames.js';
import type { GroupBy, Series } from './kinds.js';
import { labelsOf } from './labels.js';
import { pandasMembers } from './members.js';
import { seriesArray, someOf } from './selection.js';

/** Elements that a live column was seen to hold, as `apply`, `map` and iteration hand them out. */
function elementWitnesses(context: Context, { values, dtype }: Series): readonly Ref[] {
  return values && dtype !== undefined && dtype !== 'category' ? witnessesIn(context, values, dtype) : [];
}

const seriesAt = (site: CallSite): Series => site.receiver!.fact as Series;

/** Same length and labels, other values. */
const sameLength =
  (dtype?: string): CallTransfer =>
  (site, context) => {
    const { dtype: _, values: __, ...rest } = keepSeries(seriesAt(site));
    return inPlaceOrNew(site, context, newSeries({ ...rest, dtype }));
  };

/** Methods that call the user's function for each element: what it may change is forgotten by the caller. */
const mapped: CallTransfer = (site, context) => {
  for (const { ref } of callbacksIn(site)) context.callbackMayRun(ref);
  const [callee] = site.args.positional;
  if (callee && site.args.complete && site.args.positional.length === 1 && site.args.keywords.size === 0)
    context.callWithEach(site.node, callee, elementWitnesses(context, seriesAt(site)));
  const { dtype: _, values: __, ...rest } = keepSeries(seriesAt(site));
  return context.put(newSeries(rest));
};

const plainDtypes: Record<string, string> = {
  int: 'int64',
  float: 'float64',
  str: 'object',
  bool: 'bool',
  object: 'object',
  category: 'category',
  int64: 'int64',
  int32: 'int32',
  float32: 'float32',
  float64: 'float64',
};

function dtypeNamed(
  site: CallSite,
  context: { literal: (ref: number) => Literal | undefined },
): string | undefined {
  const operand = argument(site, 0, 'dtype');
  if (!operand) return undefined;
  const text = context.literal(operand.ref);
  if (typeof text === 'string') return plainDtypes[text] ?? text;
  if (operand.fact.kind === 'library') return plainDtypes[operand.fact.name.split('.').at(-1)!];
  return undefined;
}

const astype: CallTransfer = (site, context) => {
  const dtype = dtypeNamed(site, context);
  const { dtype: _, values, ...rest } = keepSeries(seriesAt(site));
  const isText = dtype === 'object' || dtype === 'str';
  return context.put(
    newSeries({
      ...rest,
      ...(dtype !== undefined && !isText && { dtype }),
      ...(values && !isText && { values: subset(values)! }),
    }),
  );
};

const fillna: CallTransfer = (site, context) => {
  const { values, ...rest } = keepSeries(seriesAt(site));
  const given = argument(site, 0, 'value');
  const isPlain = given?.fact.kind === 'scalar';
  const { dtype: _, ...untyped } = rest;
  return inPlaceOrNew(
    site,
    context,
    newSeries({ ...untyped, ...(values && isPlain && { values: { hasNan: false } }) }),
  );
};

const fewer: CallTransfer = (site, context) => {
  const result = someOf(seriesAt(site), undefined);
  const final =
    site.method === 'dropna' ? { ...result, values: { ...result.values, hasNan: false } } : result;
  return inPlaceOrNew(site, context, final);
};

const nunique: CallTransfer = (site, context) => {
  const { values } = seriesAt(site);
  const value = values?.hasNan === false ? values.unique : undefined;
  return context.put({ kind: 'scalar', type: 'int', value });
};

/** One number for the whole column. */
const reduced =
  (result?: 'float64'): CallTransfer =>
  (site, context) => {
    const dtype = seriesAt(site).dtype ?? '';
    const { positional, keywords, complete } = site.args;
    if (!/^(int|float)64$/.test(dtype) || !complete || positional.length + keywords.size > 0)
      return context.unknown();
    const given = result ?? dtype;
    return context.put({
      kind: 'scalar',
      type: given === 'int64' ? 'int' : 'float',
      class: `numpy.${given}`,
    });
  };

const toArray: CallTransfer = (site, context) => {
  const fact = seriesArray(seriesAt(site));
  return fact ? context.put(fact) : context.unknown();
};

const resetIndex: CallTransfer = (site, context) => {
  const drops = literalArgument(context, site, null, 'drop');
  const { index: _, ...rest } = keepSeries(seriesAt(site));
  return drops === true ? inPlaceOrNew(site, context, newSeries(rest)) : context.put(newFrame({}));
};

const numeric = /^u?int\d*$|^float\d*$/;

/** Element-wise comparison with a plain value: certain when no element, or every element, can be equal. */
function compared(series: Series, operator: string, literal: Literal): ValueFacts | undefined {
  if (operator !== 'Eq' && operator !== 'NotEq') return undefined;
  const { values, dtype } = series;
  const isNumber = typeof literal === 'number' || typeof literal === 'boolean';
  const differs =
    (dtype !== undefined && numeric.test(dtype) && typeof literal === 'string') ||
    (values?.examplesComplete === true &&
      values.examples !== undefined &&
      !includesLiteral(values.examples, literal) &&
      sameSort(values.examples, literal)) ||
    (isNumber &&
      dtype !== undefined &&
      numeric.test(dtype) &&
      values?.min !== undefined &&
      values.max !== undefined &&
      (Number(literal) < values.min || Number(literal) > values.max));
  return differs ? { examples: [operator === 'NotEq'], examplesComplete: true } : undefined;
}

/** Examples written by the kernel are comparable with a literal of the same sort only. */
function sameSort(examples: readonly Literal[], literal: Literal): boolean {
  return examples.every((example) => typeof example === typeof literal);
}

export const seriesMethods: Transfers = {
  anyAttribute: {
    dataframe(receiver, name, context) {
      const { fact } = receiver;
      if (fact.kind !== 'dataframe' || pandasMembers.get('pandas.DataFrame')!.includes(name))
        return undefined;
      const column = columnOf(fact, name);
      return column && context.put(seriesOf(fact, column));
    },
  },
  binary(operator, left, right, context) {
    const series =
      left.fact.kind === 'series' ? left.fact : right.fact.kind === 'series' ? right.fact : undefined;
    const frame =
      left.fact.kind === 'dataframe' ? left.fact : right.fact.kind === 'dataframe' ? right.fact : undefined;
    if (frame) {
      const isPlain = left.fact.kind === 'scalar' || right.fact.kind === 'scalar';
      return context.put(
        newFrame({
          ...(isPlain &&
            frame.columns && {
              columns: frame.columns.map(({ label }) => ({
                label,
                ...(comparisons.has(operator) && { dtype: 'bool' }),
              })),
            }),
          ...(isPlain && frame.rows !== undefined && { rows: frame.rows }),
        }),
      );
    }
    if (!series) return undefined;
    const other = series === left.fact ? right : left;
    const literal = context.literal(other.ref);
    const dtype =
      comparisons.has(operator) ||
      (['BitAnd', 'BitOr', 'BitXor'].includes(operator) &&
        series.dtype === 'bool' &&
        (other.fact.kind !== 'series' || other.fact.dtype === 'bool'))
        ? 'bool'
        : undefined;
    const values = literal === undefined ? undefined : compared(series, operator, literal);
    const isAligned =
      other.fact.kind === 'scalar' || other.fact.kind === 'ndarray' || other.fact.kind === 'none';
    return context.put(
      newSeries({
        ...(dtype && { dtype }),
        ...(isAligned && series.rows !== undefined && { rows: series.rows }),
        ...(isAligned && series.index && { index: series.index }),
        values,
      }),
    );
  },
  loadItem: {
    groupby(container, key, context) {
      const fact = container.fact as GroupBy;
      const labels = labelsOf(context.look, (ref) => context.literal(ref), key);
      const { selection: _, ...rest } = fact;
      if (!labels) return context.put({ ...rest, kind: 'groupby' });
      return context.put({
        ...rest,
        selection: labels,
        single: key.fact.kind !== 'list',
        class: key.fact.kind === 'list' ? 'pandas.DataFrameGroupBy' : 'pandas.SeriesGroupBy',
      });
    },
  },
  methods: {
    groupby: {
      get_group: (site, context) => {
        const { frame, selection } = site.receiver!.fact as GroupBy;
        const whole = frame === undefined ? undefined : context.look(frame);
        return whole?.kind === 'dataframe' && !selection
          ? context.put(someRows(whole, undefined))
          : context.unknown();
      },
      ...Object.fromEntries(
        [
          'mean',
          'sum',
          'count',
          'median',
          'std',
          'min',
          'max',
          'size',
          'first',
          'last',
          'nunique',
          'var',
        ].map((name): [string, CallTransfer] => [
          name,
          (site, context) => {
            const fact = site.receiver!.fact as GroupBy;
            if (!fact.keys || fact.asIndex !== true || name === 'size') return context.unknown();
            const index = { names: fact.keys };
            if (fact.single)
              return context.put(
                newSeries({ index, ...(fact.selection?.[0] !== undefined && { name: fact.selection[0] }) }),
              );
            return fact.selection
              ? context.put(newFrame({ index, columns: fact.selection.map((label) => ({ label })) }))
              : context.put(newFrame({ index }));
          },
        ]),
      ),
    },
    series: {
      astype,
      fillna,
      dropna: fewer,
      drop_duplicates: fewer,
      sample: fewer,
      nunique,
      sum: reduced(),
      min: reduced(),
      max: reduced(),
      mean: reduced('float64'),
      median: reduced('float64'),
      std: reduced('float64'),
      var: reduced('float64'),
      isnull: sameLength('bool'),
      isna: sameLength('bool'),
      notnull: sameLength('bool'),
      notna: sameLength('bool'),
      isin: sameLength('bool'),
      between: sameLength('bool'),
      duplicated: sameLength('bool'),
      replace: sameLength(),
      round: sameLength(),
      abs: sameLength(),
      clip: sameLength(),
      apply: mapped,
      map: mapped,
      sort_values: sameLength(),
      reset_index: resetIndex,
      to_numpy: toArray,
    },
  },
  iterate: {
    index(iterable, context) {
      const { fact } = iterable;
      if (fact.kind !== 'index' || !fact.labels) return undefined;
      return { items: fact.labels.map((label) => context.putLiteral(label)), count: fact.labels.length };
    },
    dataframe(iterable, context) {
      const { fact } = iterable;
      const labels = fact.kind === 'dataframe' ? labelsOfFrame(fact) : undefined;
      return labels && { items: labels.map((label) => context.putLiteral(label)), count: labels.length };
    },
    series(iterable, context) {
      const { fact } = iterable;
      if (fact.kind !== 'series') return undefined;
      return {
        ...(fact.rows !== undefined && { count: fact.rows }),
        witnesses: elementWitnesses(context, fact),
      };
    },
  },
};
