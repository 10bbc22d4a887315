// What methods of frames, lazy frames and groups give: their columns, and what will fail later.
import { argument } from '../../reasoning/arguments.js';
import type { Context } from '../../reasoning/context.js';
import type { Ref } from '../../reasoning/facts.js';
import type { CallSite, CallTransfer, Transfers } from '../../reasoning/library.js';
import { putList } from '../../reasoning/plain-objects.js';
import type { Missing, Output, PolarsColumn, PolarsFrame, PolarsGroups, PolarsLazyFrame } from './kinds.js';
import { inputsOfMethod, joinKeys, labelsOfKey, missingOf } from './wanted.js';

type Columns = readonly PolarsColumn[] | undefined;
type Table = PolarsFrame | PolarsLazyFrame;

function table(context: Context, kind: Table['kind'], columns: Columns, missing?: Missing): Ref {
  const known = columns && { columns };
  return kind === 'polars-frame'
    ? context.put({ kind, class: 'polars.DataFrame', ...known })
    : context.put({ kind, class: 'polars.LazyFrame', ...known, missing });
}

/** A method that gives a table: `make` says its columns. */
function giving(make: (columns: Columns, site: CallSite, context: Context) => Columns): CallTransfer {
  return (site, context) => {
    const fact = site.receiver!.fact as Table;
    const earlier = fact.kind === 'polars-lazy' ? fact.missing : undefined;
    const columns = make(fact.columns, site, context);
    const inputs = inputsOfMethod(site, context);
    if (inputs?.isOpen) context.userCodeMayRun();
    return table(context, fact.kind, columns, earlier ?? missingOf(site, context));
  };
}

const same = giving((columns) => columns);

function columnsOf(outputs: readonly Output[] | undefined, columns: Columns): Columns {
  return outputs?.map(({ label, copyOf }) => {
    const dtype = columns?.find((column) => column.label === copyOf)?.dtype;
    return { label, ...(dtype !== undefined && { dtype }) };
  });
}

const select = giving((columns, site, context) => columnsOf(inputsOfMethod(site, context)!.outputs, columns));

const withColumns = giving((columns, site, context) => {
  const made = columnsOf(inputsOfMethod(site, context)!.outputs, columns);
  return columns && made && replaced(columns, made);
});

function replaced(columns: readonly PolarsColumn[], made: readonly PolarsColumn[]): readonly PolarsColumn[] {
  const byLabel = new Map([...columns, ...made].map((column) => [column.label, column]));
  return [...byLabel.values()];
}

const drop = giving((columns, { args }, context) => {
  const labels = args.positional.flatMap(({ fact, ref }) =>
    (fact.kind === 'list' ? (fact.items ?? [ref]) : [ref]).map((each) => context.literal(each)),
  );
  const isPlain = labels.every(
    (label) => typeof label === 'string' && !label.startsWith('^') && label !== '*',
  );
  return isPlain && args.complete ? columns?.filter(({ label }) => !labels.includes(label)) : undefined;
});

const rename = giving((columns, site, context) => {
  const mapping = argument(site, 0, 'mapping')?.fact;
  if (mapping?.kind !== 'dict' || !mapping.complete) return undefined;
  const names = new Map(
    [...(mapping.entries?.values() ?? [])].map(({ key, value }) => [key, context.literal(value)]),
  );
  const renamed = columns?.map((column) => ({
    ...column,
    label: names.has(column.label) ? names.get(column.label) : column.label,
  }));
  return renamed?.every((column): column is PolarsColumn => typeof column.label === 'string')
    ? renamed
    : undefined;
});

const join = giving((columns, site, context) => {
  const how = argument(site, 2, 'how');
  const kind = how ? context.literal(how.ref) : 'inner';
  if (kind === 'semi' || kind === 'anti') return columns;
  const other = argument(site, 0, 'other')?.fact;
  const keys = joinKeys(site, context);
  const isPlain = ['suffix', 'coalesce'].every((name) => !site.args.keywords.has(name));
  if ((kind !== 'inner' && kind !== 'left') || !isPlain || !site.args.complete || !keys) return undefined;
  const others = other?.kind === site.receiver!.fact.kind ? (other as Table).columns : undefined;
  if (!columns || !others) return undefined;
  const taken = others.filter(({ label }) => !keys.right.some((key) => key.label === label));
  const isDouble = (label: string) => columns.some((column) => column.label === label);
  return [
    ...columns,
    ...taken.map((column) =>
      isDouble(column.label) ? { ...column, label: `${column.label}_right` } : column,
    ),
  ];
});

const groupBy: CallTransfer = (site, context) => {
  const fact = site.receiver!.fact as Table;
  const { outputs, isOpen } = inputsOfMethod(site, context)!;
  const missing = (fact.kind === 'polars-lazy' ? fact.missing : undefined) ?? missingOf(site, context);
  if (isOpen) context.userCodeMayRun();
  return context.put({ kind: 'polars-groups', of: fact.kind, columns: fact.columns, keys: outputs, missing });
};

/** Aggregates: the keys, and what `make` adds. */
function aggregating(
  make: (site: CallSite, context: Context) => readonly Output[] | undefined,
): CallTransfer {
  return (site, context) => {
    const { of, columns, keys, missing } = site.receiver!.fact as PolarsGroups;
    const made = make(site, context);
    if (inputsOfMethod(site, context)?.isOpen) context.userCodeMayRun();
    const results =
      keys && made ? [...columnsOf(keys, columns)!, ...made.map(({ label }) => ({ label }))] : undefined;
    return table(context, of, results, missing ?? missingOf(site, context));
  };
}

const methods: { readonly [name: string]: CallTransfer } = {
  select,
  with_columns: withColumns,
  drop,
  rename,
  join,
  group_by: groupBy,
  ...Object.fromEntries(
    'filter sort head tail limit slice unique drop_nulls clone reverse sample'
      .split(' ')
      .map((name) => [name, same]),
  ),
};

export const frames: Transfers = {
  methods: {
    'polars-frame': {
      ...methods,
      lazy: (site, context) => table(context, 'polars-lazy', (site.receiver!.fact as PolarsFrame).columns),
    },
    'polars-lazy': {
      ...methods,
      collect: ({ receiver, args }, context) =>
        args.keywords.size === 0 && args.complete
          ? table(context, 'polars-frame', (receiver!.fact as PolarsLazyFrame).columns)
          : undefined,
    },
    'polars-groups': {
      agg: aggregating((site, context) => inputsOfMethod(site, context)!.outputs),
      len: aggregating(({ args }) =>
        args.positional.length + args.keywords.size === 0 ? [{ label: 'len' }] : undefined,
      ),
    },
  },
  attributes: {
    'polars-frame': {
      columns({ fact }, context) {
        const { columns } = fact as PolarsFrame;
        const items = columns?.map(({ label }) => context.putLiteral(label));
        return items && putList(context, items);
      },
    },
  },
  loadItem: {
    'polars-frame'({ fact }, key, context) {
      const { columns } = fact as PolarsFrame;
      const labels = labelsOfKey(context, key).map(({ label }) => label);
      if (labels.length === 0 || key.fact.kind === 'tuple') return undefined;
      if (key.fact.kind === 'list')
        return table(
          context,
          'polars-frame',
          columnsOf(
            labels.map((label) => ({ label, copyOf: label })),
            columns,
          ),
        );
      const dtype = columns?.find(({ label }) => label === labels[0])?.dtype;
      return context.put({ kind: 'polars-series', class: 'polars.Series', name: labels[0]!, dtype });
    },
  },
  contains: {
    'polars-frame': (fact, item) => (fact as PolarsFrame).columns?.some(({ label }) => label === item),
  },
};
