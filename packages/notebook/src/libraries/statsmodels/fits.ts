// Fitting gives the results and leaves the model alone, so it is asked of a copy of the model.
import type { Context, Exact } from '../../reasoning/context.js';
import type { Planned } from '../../reasoning/inquiry/planned.js';
import { partsOf } from '../../reasoning/inquiry/planning.js';
import type { CallSite } from '../../reasoning/library.js';

/** Undefined for models of others. A model that a step made is known by that step only. */
export function planFit(
  { receiver, args }: CallSite,
  context: Context,
  exact: Exact,
): Planned | null | undefined {
  if (!receiver) return undefined;
  const { fact } = receiver;
  if (fact.kind !== 'unknown' && !(fact.class ?? '').startsWith('statsmodels.')) return undefined;
  const made = exact.stepOf(receiver.ref);
  const parts = made === undefined ? undefined : partsOf(exact, args);
  if (made === undefined || !parts) return null;
  const way = args.keywords.get('method');
  return {
    step: { op: 'apart', receiver: made, name: 'fit', ...parts },
    urgency: 'needed',
    // Searches that begin at random.
    isRandom:
      args.keywords.has('search_reps') || (way !== undefined && context.literal(way.ref) === 'basinhopping'),
  };
}
