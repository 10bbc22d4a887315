// Values that were seen among the elements of a live column, array or list: whatever code does with each element, it does
// with these.
import type { Literal } from '@grus/kernel/snapshot';
import type { Context } from './context.js';
import type { Fact, Ref, ValueFacts } from './facts.js';
import { keyOf } from './literals.js';

const many = 24;

/** Evenly chosen, the first and the last among them. */
export function fewWitnesses<T>(all: readonly T[], limit = many): readonly T[] {
  if (all.length <= limit) return all;
  return Array.from(
    { length: limit },
    (_, index) => all[Math.round((index * (all.length - 1)) / (limit - 1))]!,
  );
}

/** Literals that occur; a missing value is not among them. */
function literalsSeen({ examples = [], notFloat, notInt }: ValueFacts): readonly Literal[] {
  const odd = [notFloat, notInt].filter((value) => value !== undefined && value !== null);
  const seen = new Map([...odd, ...fewWitnesses(examples)].map((value) => [keyOf(value!), value!]));
  return [...seen.values()].filter((value) => typeof value !== 'object').slice(0, many);
}

/** Objects as iteration over values of this dtype yields them; without a dtype, as a list of texts holds them. */
export function witnessesIn(
  context: Pick<Context, 'put'>,
  values: ValueFacts,
  dtype: string | undefined,
): readonly Ref[] {
  const facts = literalsSeen(values).map((value) => scalarOf(value, dtype));
  if (values.hasNan && isMissingNan(values, dtype))
    facts.push({ kind: 'scalar', type: 'float', class: 'builtins.float', value: Number.NaN });
  return facts.filter((fact) => fact !== undefined).map((fact) => context.put(fact));
}

/** Whether a missing value comes as NaN: in an object column it may be None as well. */
function isMissingNan({ elementTypes = [] }: ValueFacts, dtype: string | undefined): boolean {
  if (dtype === 'str') return true;
  return (
    dtype === 'object' &&
    elementTypes.includes('float') &&
    elementTypes.every((name) => name === 'str' || name === 'float')
  );
}

function scalarOf(value: Literal, dtype: string | undefined): Fact | undefined {
  if (typeof value === 'string') return { kind: 'scalar', type: 'str', class: 'builtins.str', value };
  const type = dtype === undefined ? undefined : numberType(dtype);
  if (type === undefined || typeof value === 'object') return undefined;
  return { kind: 'scalar', type, class: `builtins.${type}`, value };
}

function numberType(dtype: string): 'int' | 'float' | 'bool' | undefined {
  if (/^u?int\d+$/.test(dtype)) return 'int';
  if (/^float\d+$/.test(dtype)) return 'float';
  return dtype === 'bool' ? 'bool' : undefined;
}
