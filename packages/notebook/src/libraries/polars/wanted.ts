// Which columns a method of a frame wants, and which of them are not there. The checks and the transfers share it: a
// frame fails at once, groups when they are aggregated, a lazy frame when it is collected.
import { argument, flag } from '../../reasoning/arguments.js';
import type { Operand } from '../../reasoning/events.js';
import type { CallSite } from '../../reasoning/library.js';
import { type Inputs, inputsOf, inputsOfCall, type Looking } from './expressions.js';
import type { Missing, PolarsColumn, PolarsFrame, PolarsGroups, PolarsLazyFrame, Read } from './kinds.js';

export type Site = Pick<CallSite, 'receiver' | 'method' | 'args'>;

/** The columns among `reads` that a table does not have. */
export function missingFrom(
  columns: readonly PolarsColumn[] | undefined,
  reads: readonly Read[],
): Missing | undefined {
  if (!columns) return undefined;
  const labels = columns.map(({ label }) => label);
  const absent = reads.filter(({ label }) => !labels.includes(label));
  if (absent.length === 0) return undefined;
  // Columns that are named together are looked up before expressions are.
  const together = absent.filter(({ amongMany }) => amongMany);
  const first = together.length > 0 ? together : absent;
  return {
    labels: [...new Set(first.map(({ label }) => label))],
    amongMany: together.length > 0,
    columns: labels,
  };
}

/** Names of columns, as texts. */
function named(context: Looking, operands: readonly (Operand | undefined)[]): readonly Read[] {
  const given = operands.filter((operand) => operand !== undefined);
  const { outputs = [] } = inputsOf(context, given);
  return outputs.flatMap(({ label, copyOf }) => (label === copyOf ? [{ label, amongMany: true }] : []));
}

const single = (reads: readonly Read[]): readonly Read[] => reads.map(({ label }) => ({ label }));

/** Columns that a method of a frame reads, and what it makes of them. */
export function inputsOfMethod(site: Site, context: Looking): Inputs | undefined {
  return site.method === 'select' || site.method === 'with_columns'
    ? inputsOfCall(context, site.args)
    : site.method === 'group_by' || site.method === 'agg'
      ? inputsOfCall(context, site.args, ['maintain_order'])
      : undefined;
}

function readsOf(site: Site, context: Looking): readonly Read[] {
  const { args, method } = site;
  const isStrict = () => flag(context, site, null, 'strict', true) === true;
  switch (method) {
    case 'filter': {
      const conditions = args.positional.filter(({ fact }) => fact.kind === 'polars-expression');
      return [
        ...inputsOf(context, conditions).reads,
        ...[...args.keywords.keys()].map((label) => ({ label })),
      ];
    }
    case 'sort': {
      const by = args.keywords.get('by');
      return inputsOf(context, by ? [by] : args.positional).reads;
    }
    case 'drop':
      return isStrict() ? named(context, args.positional) : [];
    case 'explode':
      return named(context, args.positional);
    case 'get_column':
      return args.positional.length === 1 && args.keywords.size === 0 ? named(context, args.positional) : [];
    case 'drop_nulls':
      return named(context, [argument(site, 0, 'subset')]);
    case 'unique':
      return single(named(context, [argument(site, 0, 'subset')]));
    case 'rename': {
      const mapping = argument(site, 0, 'mapping')?.fact;
      if (mapping?.kind !== 'dict' || !isStrict()) return [];
      return [...(mapping.entries?.values() ?? [])].flatMap(({ key }) =>
        typeof key === 'string' ? [{ label: key, amongMany: true }] : [],
      );
    }
    default:
      return inputsOfMethod(site, context)?.reads ?? [];
  }
}

type Table = PolarsFrame | PolarsLazyFrame;

/** The keys that a join takes from each side, where they are all known. */
export function joinKeys(
  site: Site,
  context: Looking,
): { readonly left: readonly Read[]; readonly right: readonly Read[] } | undefined {
  const on = argument(site, 1, 'on');
  const left = on ?? site.args.keywords.get('left_on');
  const right = on ?? site.args.keywords.get('right_on');
  if (!left || !right) return undefined;
  const keys = [inputsOf(context, [left]), inputsOf(context, [right])] as const;
  if (keys.some(({ outputs }) => !outputs?.every(({ label, copyOf }) => label === copyOf))) return undefined;
  return { left: keys[0].reads, right: keys[1].reads };
}

/** Of a call on a frame, a lazy frame or groups: the columns that it will not find. */
export function missingOf(site: Site, context: Looking): Missing | undefined {
  const table = site.receiver?.fact as Table | PolarsGroups | undefined;
  if (table === undefined) return undefined;
  if (site.method !== 'join') return missingFrom(table.columns, readsOf(site, context));
  const other = argument(site, 0, 'other')?.fact;
  const keys = joinKeys(site, context);
  if (!keys || other?.kind !== table.kind) return undefined;
  const [left, right] = [missingFrom(table.columns, keys.left), missingFrom(other.columns, keys.right)];
  // Which side is looked at first is the library's affair.
  return left && right ? undefined : (left ?? right);
}

/** The labels that `frame[key]` names. */
export function labelsOfKey(context: Looking, key: Operand): readonly Read[] {
  const { fact } = key;
  if (fact.kind === 'tuple' && fact.items?.length === 2) {
    const column = context.literal(fact.items[1]!);
    const row = context.look(fact.items[0]!);
    const isRow = row.kind === 'slice' || (row.kind === 'scalar' && row.type === 'int');
    return isRow && typeof column === 'string' ? [{ label: column, amongMany: true }] : [];
  }
  if (fact.kind !== 'list' && fact.kind !== 'scalar') return [];
  return namesOfKey(context, key).map((label) => ({ label, amongMany: true }));
}

function namesOfKey(context: Looking, { fact, ref }: Operand): readonly string[] {
  const refs = fact.kind === 'list' ? (fact.items ?? []) : [ref];
  const labels = refs.map((item) => context.literal(item));
  return labels.every((label) => typeof label === 'string') ? labels : [];
}
