// Options that a signature does not declare and `**kwargs` takes: they are for another function, which may have dropped them
// since (`hist(normed=True)`, `sum(level=0)`). Who that is the signature does not say, so the library is asked.
import type { Exact } from '../context.js';
import type { CallArguments, Operand } from '../events.js';
import type { Fact } from '../facts.js';
import type { CallSite } from '../library.js';
import type { Planned } from './planned.js';
import { partsOf } from './planning.js';

export function forwardsOptions({ kind, signature }: Fact, { keywords }: CallArguments): boolean {
  if ((kind !== 'library' && kind !== 'method') || !signature) return false;
  if (!signature.some((parameter) => parameter.kind === 'var_keyword')) return false;
  const declared = new Set(signature.map(({ name }) => name));
  return [...keywords.keys()].some((name) => !declared.has(name));
}

/** The call may do anything to the copy, which is left behind after it; only what it refuses is told. */
export function planForwarded(
  exact: Exact,
  { args, receiver, method }: CallSite,
  callee: Operand,
): Planned | null {
  const parts = partsOf(exact, args);
  if (!parts) return null;
  const shared = { ...parts, turn: 0 };
  const named = exact.named(callee.fact);
  if (named !== undefined)
    return { step: { op: 'call', callee: named, ...shared }, urgency: 'needed', isRandom: true };
  const made = receiver && method !== null ? exact.stepOf(receiver.ref) : undefined;
  if (made === undefined) return null;
  return {
    step: { op: 'method', receiver: made, name: method!, ...shared },
    urgency: 'needed',
    isRandom: true,
  };
}
