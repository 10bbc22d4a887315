// Reading the arguments of a call: by position or keyword, as plain values where they are known.
import type { Literal } from '@grus/kernel/snapshot';
import type { Operand } from './events.js';
import type { Fact, Ref } from './facts.js';
import type { Interpreter } from './interpreter/interpreter.js';
import type { CallSite } from './library.js';
import { literalsOf } from './literals.js';

type Arguments = Pick<CallSite, 'args'>;

/** The operand given for a parameter, or undefined when the call leaves it out. */
export function argument(site: Arguments, position: number | null, name: string): Operand | undefined {
  return site.args.keywords.get(name) ?? (position === null ? undefined : site.args.positional[position]);
}

/** Whether the call can still pass the parameter through `*args` or `**kwargs`. */
export function mayPass(site: Arguments): boolean {
  return !site.args.complete;
}

export function literalArgument(
  interpreter: Pick<Interpreter, 'literal'>,
  site: Arguments,
  position: number | null,
  name: string,
): Literal | undefined {
  const operand = argument(site, position, name);
  return operand && interpreter.literal(operand.ref);
}

/** A flag with a default: undefined when the argument is given but not known. */
export function flag(
  interpreter: Pick<Interpreter, 'literal'>,
  site: Arguments,
  position: number | null,
  name: string,
  fallback: boolean,
): boolean | undefined {
  const operand = argument(site, position, name);
  if (!operand) return site.args.complete ? fallback : undefined;
  const value = interpreter.literal(operand.ref);
  return typeof value === 'boolean' ? value : typeof value === 'number' ? value !== 0 : undefined;
}

/** The labels that a "label or list of labels" argument names; undefined when any is not known. */
export function labelsOf(
  look: (ref: Ref) => Fact,
  literal: (ref: Ref) => Literal | undefined,
  operand: Operand,
): Literal[] | undefined {
  const { fact } = operand;
  if (fact.kind === 'list' || fact.kind === 'set')
    return fact.items ? literalsOf(fact.items, look) : undefined;
  if (fact.kind === 'index') return fact.labels ? [...fact.labels] : undefined;
  const single = literal(operand.ref);
  return single === undefined ? undefined : [single];
}

export function nonePut(interpreter: Interpreter): Ref {
  return interpreter.put({ kind: 'none', class: 'builtins.NoneType' });
}
