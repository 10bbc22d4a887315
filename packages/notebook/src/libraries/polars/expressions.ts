// Expressions: which columns they read, what they make, and what they ask of the types of columns.
import type { Context } from '../../reasoning/context.js';
import type { CallArguments, Operand } from '../../reasoning/events.js';
import type { Fact, Ref } from '../../reasoning/facts.js';
import type { CallSite, CallTransfer, Transfers } from '../../reasoning/library.js';
import type { Demand, Output, PolarsExpression, Read } from './kinds.js';

export type Looking = Pick<Context, 'look' | 'literal'>;

/** What a call is given to work with: columns by name, expressions, series, plain values. */
export interface Inputs {
  readonly reads: readonly Read[];
  readonly demands: readonly Demand[];
  readonly outputs?: readonly Output[];
  /** Something among them is not known, and may hold functions of the user's. */
  readonly isOpen: boolean;
}

const nothing: Inputs = { reads: [], demands: [], outputs: [], isOpen: false };
const open: Inputs = { reads: [], demands: [], isOpen: true };

/** Not one column: all of them, or those that match. */
const isPattern = (label: string) => label === '*' || (label.startsWith('^') && label.endsWith('$'));

function merged(all: readonly Inputs[]): Inputs {
  const isNamed = all.every(({ outputs }) => outputs);
  return {
    reads: all.flatMap(({ reads }) => reads),
    demands: all.flatMap(({ demands }) => demands),
    ...(isNamed && { outputs: all.flatMap(({ outputs }) => outputs!) }),
    isOpen: all.some(({ isOpen }) => isOpen),
  };
}

function inputOf(context: Looking, ref: Ref): Inputs {
  const fact = context.look(ref);
  if (fact.kind === 'polars-expression') return { ...fact, isOpen: false };
  if (fact.kind === 'list' || fact.kind === 'tuple')
    return fact.items ? merged(fact.items.map((item) => inputOf(context, item))) : open;
  if (fact.kind === 'polars-series')
    return fact.name === undefined ? open : { ...nothing, outputs: [{ label: fact.name }] };
  const value = context.literal(ref);
  if (value === undefined) return open;
  if (typeof value !== 'string') return { ...nothing, outputs: [{ label: 'literal' }] };
  return isPattern(value) ? open : column(value);
}

function column(label: string): Inputs {
  return { ...nothing, reads: [{ label }], outputs: [{ label, copyOf: label }] };
}

export function inputsOf(context: Looking, operands: readonly Operand[]): Inputs {
  return merged(operands.map(({ ref }) => inputOf(context, ref)));
}

/** Positional arguments, and keywords that name what they make; `options` are keywords of the method itself. */
export function inputsOfCall(context: Looking, args: CallArguments, options: readonly string[] = []): Inputs {
  const named = [...args.keywords]
    .filter(([name]) => !options.includes(name))
    .map(([label, { ref }]): Inputs => {
      const { outputs, ...input } = inputOf(context, ref);
      const copied = outputs?.length === 1 ? outputs[0]?.copyOf : undefined;
      return { ...input, outputs: [{ label, ...(copied !== undefined && { copyOf: copied }) }] };
    });
  return merged([inputsOf(context, args.positional), ...named, ...(args.complete ? [] : [open])]);
}

function put(context: Context, fields: Omit<PolarsExpression, 'kind'>): Ref {
  return context.put({ kind: 'polars-expression', ...fields });
}

function expression(context: Context, { reads, demands, outputs }: Inputs): Ref {
  return put(context, { class: 'polars.Expr', reads, demands, ...(outputs && { outputs }) });
}

/** `pl.col("x")`, `pl.sum("x", "y")`: the columns themselves, or one value of each. */
function ofColumns(isCopy: boolean): CallTransfer {
  return ({ args }, context) => {
    const input = inputsOf(context, args.positional);
    const isPlain = args.complete && args.keywords.size === 0 && input.outputs && input.outputs.length > 0;
    if (!isPlain || input.outputs!.some(({ copyOf }) => copyOf === undefined)) return undefined;
    const amongMany = input.reads.length > 1;
    return expression(context, {
      ...input,
      reads: input.reads.map(({ label }) => ({ label, ...(amongMany && { amongMany }) })),
      outputs: input.outputs!.map(({ label }) => ({ label, ...(isCopy && { copyOf: label }) })),
    });
  };
}

/** A function of several columns, whose result is named after one of them. */
const ofAll: CallTransfer = ({ args }, context) => {
  const { outputs: _, ...input } = inputsOf(context, args.positional);
  return input.isOpen ? undefined : expression(context, input);
};

/** `pl.lit(3)`, `pl.len()`. A series as a literal keeps its own name. */
function made(label: string): CallTransfer {
  return ({ args }, context) =>
    args.positional.every(({ ref }) => context.literal(ref) !== undefined)
      ? expression(context, { ...nothing, outputs: [{ label }] })
      : undefined;
}

const when: CallTransfer = ({ args }, context) => {
  const { reads, demands, isOpen } = inputsOfCall(context, { ...args, keywords: new Map() });
  return isOpen ? undefined : put(context, { reads, demands, space: 'when' });
};

const reductions = 'sum mean median min max count n_unique std var'.split(' ');
const combinations =
  'max_horizontal min_horizontal sum_horizontal mean_horizontal coalesce concat_str struct'.split(' ');

/** Methods that run a function of the user's, leave columns out again, or look at something else than the frame. */
const isOpaque = (method: string) => /^(map_\w+|pipe|inspect|exclude|eval|agg)$/.test(method);
/** In these rooms names are not those of columns, or what comes back is no expression. */
const innerSpaces = new Set(['list', 'arr', 'struct', 'meta', 'bin', 'ext']);
/** Methods whose plain texts are names of columns. */
const takesColumns = new Set(['over', 'sort_by']);

function method({ receiver, method: name, args }: CallSite, context: Context): Ref | undefined {
  const fact = receiver?.fact;
  if (fact?.kind !== 'polars-expression' || name === null) return undefined;
  if (isOpaque(name) || (fact.space !== undefined && innerSpaces.has(fact.space))) return undefined;
  const operands = [...args.positional, ...args.keywords.values()];
  if (
    operands.some(({ fact: { kind } }) => kind === 'function' || kind === 'library' || kind === 'unknown')
  ) {
    // Types are given as members of the library: `cast(pl.Int64)`.
    if (name !== 'cast') return undefined;
  }
  const given = inputsOf(
    context,
    takesColumns.has(name) ? operands : operands.filter(({ fact: { kind } }) => kind === 'polars-expression'),
  );
  const [only, ...others] = fact.outputs ?? [];
  const text = fact.space === 'str' ? bareColumn(fact) : undefined;
  const demands: readonly Demand[] = text === undefined ? [] : [{ is: 'text', column: text, method: name }];
  const common = {
    reads: [...fact.reads, ...given.reads],
    demands: [...fact.demands, ...given.demands, ...demands],
  };
  if (fact.space === 'when') return put(context, { ...common, space: 'when' });
  if (name === 'alias') {
    const label = args.positional[0] && context.literal(args.positional[0].ref);
    const copied = others.length === 0 ? only?.copyOf : undefined;
    return put(context, {
      class: 'polars.Expr',
      ...common,
      ...(typeof label === 'string' && {
        outputs: [{ label, ...(copied !== undefined && { copyOf: copied }) }],
      }),
    });
  }
  const outputs = fact.space === 'name' ? undefined : fact.outputs?.map(({ label }) => ({ label }));
  return put(context, { class: 'polars.Expr', ...common, ...(outputs && { outputs }) });
}

/** The column that the expression is, without anything done to it. */
function bareColumn(fact: Fact): string | undefined {
  const [only, ...others] = fact.kind === 'polars-expression' ? (fact.outputs ?? []) : [];
  return only && others.length === 0 && only.copyOf === only.label ? only.label : undefined;
}

const arithmetic = new Set(['Add', 'Sub', 'Mult', 'Mod']);

function binary(operator: string, left: Operand, right: Operand, context: Context): Ref | undefined {
  const sides = [left.fact, right.fact];
  const expressions = sides.filter((fact) => fact.kind === 'polars-expression');
  // Anything else on the left answers by itself.
  if (expressions.length === 0 || (left.fact.kind !== 'polars-expression' && left.fact.kind !== 'scalar'))
    return undefined;
  const [a, b] = [bareColumn(left.fact), bareColumn(right.fact)];
  const isArithmetic = arithmetic.has(operator) && a !== undefined && b !== undefined;
  const outputs = left.fact.kind === 'polars-expression' ? left.fact.outputs : undefined;
  return put(context, {
    class: 'polars.Expr',
    reads: expressions.flatMap(({ reads }) => reads),
    demands: [
      ...expressions.flatMap(({ demands }) => demands),
      ...(isArithmetic ? [{ is: 'number', left: a, right: b } as const] : []),
    ],
    ...(outputs && { outputs: outputs.map(({ label }) => ({ label })) }),
  });
}

const spaces = new Set([...innerSpaces, 'str', 'dt', 'cat', 'name']);

export const expressions: Transfers = {
  functions: {
    'polars.col': ofColumns(true),
    'polars.lit': made('literal'),
    'polars.len': made('len'),
    'polars.when': when,
    ...Object.fromEntries(reductions.map((name) => [`polars.${name}`, ofColumns(false)])),
    ...Object.fromEntries(combinations.map((name) => [`polars.${name}`, ofAll])),
  },
  anyFunction: (site, _, context) => method(site, context),
  anyAttribute: {
    'polars-expression'({ fact }, name, context) {
      if (fact.kind !== 'polars-expression' || !spaces.has(name)) return undefined;
      const { class: _, ...rest } = fact;
      return put(context, { ...rest, space: name });
    },
  },
  binary,
  unary: (_, { fact }, context) =>
    fact.kind === 'polars-expression'
      ? put(context, {
          class: 'polars.Expr',
          reads: fact.reads,
          demands: fact.demands,
          ...(fact.outputs && { outputs: fact.outputs.map(({ label }) => ({ label })) }),
        })
      : undefined,
};
