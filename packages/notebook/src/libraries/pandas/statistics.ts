// Statistics that need numbers, and which columns a call takes them of. pandas leaves out no column by itself since version 2;
// each was tried with a column of text, and raised (pandas 3.1).
import type { Literal } from '@grus/kernel/snapshot';
import { argument } from '../../reasoning/arguments.js';
import type { CallArguments, Operand } from '../../reasoning/events.js';
import type { Fact, Ref } from '../../reasoning/facts.js';
import { includesLiteral } from '../../reasoning/literals.js';
import type { Column } from './kinds.js';

const ofOne = new Set(['mean', 'median', 'std', 'var', 'sem', 'skew', 'kurt']);
const ofTwo = new Set(['corr', 'cov']);

/** A statistic of columns. */
interface Taken {
  readonly statistic: string;
  readonly columns: readonly Column[];
  /** Its columns are turned into numbers first, which raises what `float` does. */
  readonly converts: boolean;
  readonly isGrouped: boolean;
}

interface Call {
  readonly receiver: Operand | null;
  readonly method: string | null;
  readonly args: CallArguments;
}
interface Reader {
  look(ref: Ref): Fact;
  literal(ref: Ref): Literal | undefined;
}

/** What the call takes, in the order in which it does; nothing where that is not known, or text may be left out. */
export function statisticsTaken(call: Call, context: Reader): readonly Taken[] {
  const { receiver, method, args } = call;
  if (!receiver || method === null || !args.complete || args.keywords.has('numeric_only')) return [];
  const columns = columnsOf(receiver.fact, context);
  if (!columns) return [];
  const isGrouped = receiver.fact.kind === 'groupby';
  const taken = (statistic: string, of: readonly Column[]): Taken => ({
    statistic,
    columns: of,
    converts: ofTwo.has(statistic) || (isGrouped && ['std', 'sem', 'skew'].includes(statistic)),
    isGrouped,
  });
  if (ofOne.has(method) || (ofTwo.has(method) && receiver.fact.kind !== 'series'))
    return args.positional.length === 0 && !args.keywords.has('axis') ? [taken(method, columns)] : [];
  if (method !== 'agg' && method !== 'aggregate') return [];
  const how = argument(call, 0, 'func');
  if (!how || args.positional.length + args.keywords.size !== 1) return [];
  const named = (fact: Fact, ref: Ref, of: readonly Column[]): Taken[] => {
    const value =
      fact.kind === 'list' ? (fact.items ?? []).map((item) => context.literal(item)) : [context.literal(ref)];
    return value
      .filter((name): name is string => typeof name === 'string' && ofOne.has(name))
      .map((name) => taken(name, of));
  };
  if (how.fact.kind !== 'dict') return named(how.fact, how.ref, columns);
  return [...(how.fact.entries?.values() ?? [])].flatMap(({ key, value }) =>
    named(
      context.look(value),
      value,
      columns.filter(({ label }) => includesLiteral([label], key)),
    ),
  );
}

/** The columns that a method of the object works on. */
function columnsOf(fact: Fact, context: Reader): readonly Column[] | undefined {
  if (fact.kind === 'series') {
    const { dtype, values, name = null } = fact;
    return [{ label: name, ...(dtype !== undefined && { dtype }), ...(values && { values }) }];
  }
  if (fact.kind === 'dataframe') return fact.columns;
  if (fact.kind !== 'groupby' || fact.frame === undefined) return undefined;
  const frame = context.look(fact.frame);
  const { keys, selection } = fact;
  if (frame.kind !== 'dataframe' || !keys) return undefined;
  return frame.columns?.filter(({ label }) =>
    selection ? includesLiteral(selection, label) : !includesLiteral(keys, label),
  );
}
