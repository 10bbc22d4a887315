// Random draws. What they give differs from run to run, but what they refuse follows from their arguments alone: so they may
// be asked, of a generator that is made for the question.
import type { Context, Exact } from '../../reasoning/context.js';
import type { CallArguments } from '../../reasoning/events.js';
import type { Fact } from '../../reasoning/facts.js';
import type { StepId } from '../../reasoning/inquiry/inquiry.js';
import type { Planned } from '../../reasoning/inquiry/planned.js';
import { asksForMuch, planRefusal } from '../../reasoning/inquiry/planning.js';
import { lengthOf } from '../../reasoning/kinds.js';
import type { CallSite } from '../../reasoning/library.js';

/** A draw at random: only what it refuses is told. */
export function planDraw(
  { args }: CallSite,
  name: string,
  callee: StepId | undefined,
  context: Context,
  exact: Exact,
): Planned | null {
  if (!mayRefuse(context, name, args) || asksForMuch(context, args)) return null;
  return planRefusal(exact, callee, args);
}

/** Whether these arguments may well be refused; a plain draw never is, and costs no question. */
function mayRefuse(context: Context, name: string, { positional, keywords }: CallArguments): boolean {
  if (name === 'choice')
    return (
      positional.length > 2 || keywords.has('p') || keywords.has('replace') || isEmpty(positional[0]?.fact)
    );
  if (name === 'choices')
    return positional.length > 1 || keywords.has('weights') || keywords.has('cum_weights');
  if (name === 'sample' || name.startsWith('multi') || name === 'dirichlet') return true;
  if (name !== 'randint' && name !== 'integers' && name !== 'randrange') return false;
  const [low, high] = [positional[0], positional[1] ?? keywords.get('high')].map((operand) =>
    operand ? context.literal(operand.ref) : undefined,
  );
  const [from, to] = high === undefined || high === null ? [0, low] : [low, high];
  return typeof from === 'number' && typeof to === 'number' && from >= to;
}

function isEmpty(fact: Fact | undefined): boolean {
  return fact !== undefined && fact.kind !== 'scalar' && lengthOf(fact) === 0;
}
