// Methods of series, operators on them, and grouped frames.

import type { Literal } from '@grus/kernel/snapshot';
import { argument, labelsOf, literalArgument } from '../../reasoning/arguments.js';
import { comparisons } from '../../reasoning/comparisons.js';
import type { GroupBy, Ref, Series, ValueFacts } from '../../reasoning/facts.js';
import { callWithEach } from '../../reasoning/interpreter/callbacks.js';
import type { Interpreter } from '../../reasoning/interpreter/interpreter.js';
import type { CallSite, CallTransfer, Library } from '../../reasoning/library.js';
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
import { pandasMembers } from './members.js';
import { seriesArray, someOf } from './selection.js';

/** Elements that a live column was seen to hold, as `apply`, `map` and iteration hand them out. */
function elementWitnesses(interpreter: Interpreter, { values, dtype }: Series): readonly Ref[] {
  return values && dtype !== undefined && dtype !== 'category' ? witnessesIn(interpreter, values, dtype) : [];
}

const seriesAt = (site: CallSite): Series => site.receiver!.fact as Series;

/** Same length and labels, other values. */
const sameLength =
  (dtype?: string): CallTransfer =>
  (site, interpreter) => {
    const { dtype: _, values: __, ...rest } = keepSeries(seriesAt(site));
    return inPlaceOrNew(site, interpreter, newSeries({ ...rest, ...(dtype !== undefined && { dtype }) }));
  };

/** Methods that call the user's function for each element: what it may change is forgotten by the caller. */
const mapped: CallTransfer = (site, interpreter) => {
  for (const operand of [...site.args.positional, ...site.args.keywords.values()])
    if (operand.fact.kind === 'function' || operand.fact.kind === 'method') {
      interpreter.forgetCallback(operand.ref);
    }
  const [callee] = site.args.positional;
  if (callee && site.args.complete && site.args.positional.length === 1 && site.args.keywords.size === 0)
    callWithEach(interpreter, site.node, callee, elementWitnesses(interpreter, seriesAt(site)));
  const { dtype: _, values: __, ...rest } = keepSeries(seriesAt(site));
  return interpreter.put(newSeries(rest));
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

export function dtypeNamed(
  site: CallSite,
  interpreter: { literal: (ref: number) => Literal | undefined },
): string | undefined {
  const operand = argument(site, 0, 'dtype');
  if (!operand) return undefined;
  const text = interpreter.literal(operand.ref);
  if (typeof text === 'string') return plainDtypes[text] ?? text;
  if (operand.fact.kind === 'library') return plainDtypes[operand.fact.name.split('.').at(-1)!];
  return undefined;
}

const astype: CallTransfer = (site, interpreter) => {
  const dtype = dtypeNamed(site, interpreter);
  const { dtype: _, values, ...rest } = keepSeries(seriesAt(site));
  const isText = dtype === 'object' || dtype === 'str';
  return interpreter.put(
    newSeries({
      ...rest,
      ...(dtype !== undefined && !isText && { dtype }),
      ...(values && !isText && { values: subset(values)! }),
    }),
  );
};

const fillna: CallTransfer = (site, interpreter) => {
  const { values, ...rest } = keepSeries(seriesAt(site));
  const given = argument(site, 0, 'value');
  const isPlain = given?.fact.kind === 'scalar';
  const { dtype: _, ...untyped } = rest;
  return inPlaceOrNew(
    site,
    interpreter,
    newSeries({ ...untyped, ...(values && isPlain && { values: { hasNan: false } }) }),
  );
};

const fewer: CallTransfer = (site, interpreter) => {
  const result = someOf(seriesAt(site), undefined);
  const final =
    site.method === 'dropna' ? { ...result, values: { ...result.values, hasNan: false } } : result;
  return inPlaceOrNew(site, interpreter, final);
};

const headOrTail: CallTransfer = (site, interpreter) => {
  const series = seriesAt(site);
  const n = argument(site, 0, 'n') ? literalArgument(interpreter, site, 0, 'n') : 5;
  const rows =
    typeof n === 'number' && n >= 0 && series.rows !== undefined ? Math.min(n, series.rows) : undefined;
  return interpreter.put(someOf(series, rows));
};

const valueCounts: CallTransfer = (site, interpreter) => {
  const { values, name } = seriesAt(site);
  const known =
    values?.examplesComplete && values.unique !== undefined && site.args.keywords.size === 0
      ? values.unique
      : undefined;
  return interpreter.put(
    newSeries({ ...(name !== undefined && { name: 'count' }), ...(known !== undefined && { rows: known }) }),
  );
};

const unique: CallTransfer = (site, interpreter) => {
  const { dtype, values } = seriesAt(site);
  if (dtype === undefined || !/^(u?int|float)\d+$|^bool$|^object$/.test(dtype)) return interpreter.unknown();
  return interpreter.put({
    kind: 'ndarray',
    class: 'numpy.ndarray',
    shape: [values?.unique !== undefined && values.hasNan === false ? values.unique : null],
    dtype,
  });
};

const scalar =
  (type: 'int' | 'float' | 'bool' | undefined): CallTransfer =>
  (site, interpreter) => {
    const value =
      site.method === 'nunique' && seriesAt(site).values?.hasNan === false
        ? seriesAt(site).values?.unique
        : undefined;
    return type === undefined
      ? interpreter.unknown()
      : interpreter.put({ kind: 'scalar', type, ...(value !== undefined && { value }) });
  };

const toList: CallTransfer = (site, interpreter) => {
  const { rows } = seriesAt(site);
  return interpreter.put({
    kind: 'list',
    class: 'builtins.list',
    ...(rows !== undefined && { length: rows }),
  });
};

const toArray: CallTransfer = (site, interpreter) => {
  const fact = seriesArray(seriesAt(site));
  return fact ? interpreter.put(fact) : interpreter.unknown();
};

const resetIndex: CallTransfer = (site, interpreter) => {
  const drops = literalArgument(interpreter, site, null, 'drop');
  const { index: _, ...rest } = keepSeries(seriesAt(site));
  return drops === true ? inPlaceOrNew(site, interpreter, newSeries(rest)) : interpreter.put(newFrame({}));
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

export const seriesMethods: Library = {
  anyAttribute: {
    dataframe(receiver, name, interpreter) {
      const { fact } = receiver;
      if (fact.kind !== 'dataframe' || pandasMembers.get('pandas.DataFrame')!.includes(name))
        return undefined;
      const column = columnOf(fact, name);
      return column && interpreter.put(seriesOf(fact, column));
    },
  },
  binary(operator, left, right, interpreter) {
    const series =
      left.fact.kind === 'series' ? left.fact : right.fact.kind === 'series' ? right.fact : undefined;
    const frame =
      left.fact.kind === 'dataframe' ? left.fact : right.fact.kind === 'dataframe' ? right.fact : undefined;
    if (frame) {
      const isPlain = left.fact.kind === 'scalar' || right.fact.kind === 'scalar';
      return interpreter.put(
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
    const literal = interpreter.literal(other.ref);
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
    return interpreter.put(
      newSeries({
        ...(dtype && { dtype }),
        ...(isAligned && series.rows !== undefined && { rows: series.rows }),
        ...(isAligned && series.index && { index: series.index }),
        ...(values && { values }),
      }),
    );
  },
  unary(operator, operand, interpreter) {
    const { fact } = operand;
    if (fact.kind !== 'series') return undefined;
    const { values: _, ...rest } = keepSeries(fact);
    const { dtype: __, ...untyped } = rest;
    return interpreter.put(newSeries(operator === 'Invert' && fact.dtype === 'bool' ? rest : untyped));
  },
  loadItem: {
    groupby(container, key, interpreter) {
      const fact = container.fact as GroupBy;
      const labels = labelsOf(interpreter.look, (ref) => interpreter.literal(ref), key);
      const { selection: _, ...rest } = fact;
      if (!labels) return interpreter.put({ ...rest, kind: 'groupby' });
      return interpreter.put({
        ...rest,
        selection: labels,
        single: key.fact.kind !== 'list',
        class: key.fact.kind === 'list' ? 'pandas.DataFrameGroupBy' : 'pandas.SeriesGroupBy',
      });
    },
  },
  methods: {
    groupby: {
      get_group: (site, interpreter) => {
        const { frame, selection } = site.receiver!.fact as GroupBy;
        const whole = frame === undefined ? undefined : interpreter.look(frame);
        return whole?.kind === 'dataframe' && !selection
          ? interpreter.put(someRows(whole, undefined))
          : interpreter.unknown();
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
          (site, interpreter) => {
            const fact = site.receiver!.fact as GroupBy;
            if (!fact.keys || fact.asIndex !== true || name === 'size') return interpreter.unknown();
            const index = { names: fact.keys };
            if (fact.single)
              return interpreter.put(
                newSeries({ index, ...(fact.selection?.[0] !== undefined && { name: fact.selection[0] }) }),
              );
            return fact.selection
              ? interpreter.put(newFrame({ index, columns: fact.selection.map((label) => ({ label })) }))
              : interpreter.put(newFrame({ index }));
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
      head: headOrTail,
      tail: headOrTail,
      copy: (site, interpreter) => interpreter.put(newSeries(keepSeries(seriesAt(site)))),
      value_counts: valueCounts,
      unique,
      nunique: scalar('int'),
      mean: scalar(undefined),
      sum: scalar(undefined),
      min: scalar(undefined),
      max: scalar(undefined),
      std: scalar(undefined),
      median: scalar(undefined),
      mode: (_site, interpreter) => interpreter.put(newSeries({})),
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
      to_frame: (site, interpreter) => {
        const series = seriesAt(site);
        const named = argument(site, 0, 'name');
        const label = named ? interpreter.literal(named.ref) : series.name;
        return interpreter.put(
          newFrame({
            ...(series.rows !== undefined && { rows: series.rows }),
            ...(label !== undefined &&
              label !== null && {
                columns: [{ label, ...(series.dtype !== undefined && { dtype: series.dtype }) }],
              }),
          }),
        );
      },
      tolist: toList,
      to_list: toList,
      to_numpy: toArray,
    },
  },
  iterate: {
    groupby(iterable, interpreter) {
      const { frame, selection } = iterable.fact as GroupBy;
      const whole = frame === undefined ? undefined : interpreter.look(frame);
      const group =
        whole?.kind === 'dataframe' && !selection
          ? interpreter.put(someRows(whole, undefined))
          : interpreter.unknown();
      return {
        element: interpreter.put({
          kind: 'tuple',
          class: 'builtins.tuple',
          items: [interpreter.unknown(), group],
          length: 2,
        }),
      };
    },
    index(iterable, interpreter) {
      const { fact } = iterable;
      if (fact.kind !== 'index' || !fact.labels) return undefined;
      return { items: fact.labels.map((label) => interpreter.putLiteral(label)), count: fact.labels.length };
    },
    dataframe(iterable, interpreter) {
      const { fact } = iterable;
      const labels = fact.kind === 'dataframe' ? labelsOfFrame(fact) : undefined;
      return labels && { items: labels.map((label) => interpreter.putLiteral(label)), count: labels.length };
    },
    series(iterable, interpreter) {
      const { fact } = iterable;
      if (fact.kind !== 'series') return undefined;
      return {
        ...(fact.rows !== undefined && { count: fact.rows }),
        witnesses: elementWitnesses(interpreter, fact),
      };
    },
  },
};
