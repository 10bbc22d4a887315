// What the planning of questions about calls shares, in the reasoning and in the models of libraries.
import type { Context, Exact } from '../context.js';
import type { CallArguments } from '../events.js';
import type { Fact, Ref } from '../facts.js';
import type { NewStep, StepId } from './inquiry.js';
import type { Planned } from './planned.js';

const bigNumber = 1_000_000;

export const words = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/).filter(Boolean));

type Parts = Pick<NewStep, 'args' | 'keywords'>;

/** The steps of all arguments; undefined when one of them cannot be made again. */
export function partsOf(exact: Pick<Exact, 'stepOf'>, args: CallArguments): Parts | undefined {
  const positional = args.positional.map(({ ref }) => exact.stepOf(ref));
  const keywords = [...args.keywords].map(([name, { ref }]) => [name, exact.stepOf(ref)] as const);
  if (![...positional, ...keywords.map(([, step]) => step)].every((step) => step !== undefined))
    return undefined;
  return {
    ...(positional.length > 0 && { args: positional as StepId[] }),
    ...(keywords.length > 0 && { keywords: Object.fromEntries(keywords) as Record<string, StepId> }),
  };
}

/** A call of which only a refusal is told: what it gives is followed by the walk, or depends on chance. */
export function planRefusal(
  exact: Exact,
  callee: StepId | undefined,
  args: CallArguments,
  op: 'call' | 'trained' = 'call',
): Planned | null {
  const parts = callee === undefined ? undefined : partsOf(exact, args);
  return parts ? { step: { op, callee: callee!, ...parts }, urgency: 'needed', isRandom: true } : null;
}

/** A plain number: a generator goes on from where it stands, which is not known. */
export function hasSeed(context: Context, { keywords }: CallArguments): boolean {
  const given = keywords.get('random_state');
  return given !== undefined && typeof context.literal(given.ref) === 'number';
}

/** Containers of Python give out the very objects that they hold: the walk follows those by itself. */
export function isPlainValue(fact: Fact): boolean {
  return fact.kind === 'list' || fact.kind === 'tuple' || fact.kind === 'dict' || fact.kind === 'set';
}

/** A size that might fill the memory of the copy. */
export function asksForMuch(context: Context, args: CallArguments): boolean {
  const isBig = (ref: Ref): boolean => {
    const fact = context.look(ref);
    if (fact.kind === 'tuple' || fact.kind === 'list') return (fact.items ?? []).slice(0, 8).some(isBig);
    return fact.kind === 'scalar' && typeof fact.value === 'number' && Math.abs(fact.value) > bigNumber;
  };
  return [...args.positional, ...args.keywords.values()].some(({ ref }) => isBig(ref));
}
