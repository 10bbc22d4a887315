// Reading the arguments of a call: by position or keyword, as plain values where they are known.
import type { Literal } from '@grus/kernel/snapshot';
import type { Context } from './context.js';
import type { Operand } from './events.js';
import type { CallSite } from './library.js';

type Arguments = Pick<CallSite, 'args'>;

/** The operand given for a parameter, or undefined when the call leaves it out. */
export function argument(site: Arguments, position: number | null, name: string): Operand | undefined {
  return site.args.keywords.get(name) ?? (position === null ? undefined : site.args.positional[position]);
}

export function literalArgument(
  context: Pick<Context, 'literal'>,
  site: Arguments,
  position: number | null,
  name: string,
): Literal | undefined {
  const operand = argument(site, position, name);
  return operand && context.literal(operand.ref);
}

/** Functions and methods among the arguments, which the callee may call. */
export function callbacksIn({ args }: Arguments): readonly Operand[] {
  return [...args.positional, ...args.keywords.values()].filter(
    ({ fact }) => fact.kind === 'function' || fact.kind === 'method',
  );
}

/** A flag with a default: undefined when the argument is given but not known. */
export function flag(
  context: Pick<Context, 'literal'>,
  site: Arguments,
  position: number | null,
  name: string,
  fallback: boolean,
): boolean | undefined {
  const operand = argument(site, position, name);
  if (!operand) return site.args.complete ? fallback : undefined;
  const value = context.literal(operand.ref);
  return typeof value === 'boolean' ? value : typeof value === 'number' ? value !== 0 : undefined;
}
