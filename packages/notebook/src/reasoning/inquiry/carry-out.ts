// How the walk goes on with an operation on real data that is asked of the real library: with the exception that it
// raises, with the object that it gives, or, as long as there is no answer, with what the walk knows by itself.
import type { StepAnswer, ToldValue } from '@grus/kernel';
import type { Node } from '@grus/python';
import type { Context } from '../context.js';
import type { Operand } from '../events.js';
import type { Fact, Ref } from '../facts.js';
import { factOfObject } from '../live/objects.js';
import type { ExactObjects } from './exact.js';
import type { NewStep, StepId } from './inquiry.js';
import type { PlannedStore } from './plan-operations.js';
import type { Planned } from './planned.js';
import { questionsOf } from './rules.js';

/** A context in which objects can be made again. */
interface Asking extends Context {
  readonly exact: ExactObjects | undefined;
}

/** Performs an operation with its question: tells a refusal, and answers the object that the library gives. */
export function carryOut(
  context: Asking,
  node: Node,
  planned: Planned,
  receiver: Operand | null,
  run: () => Ref,
): Ref {
  const exact = context.exact!;
  const { step, answer } = put(context, node, planned.step, planned.urgency);
  context.inquiry?.arisesAt(step, node);
  const derived = planned.isOpen ? run() : exact.describing(run);
  if (planned.after && receiver) exact.set(receiver.ref, exact.step(planned.after));
  if (planned.drops && receiver) exact.drop(receiver.ref);
  if (planned.isRandom || (planned.after && planned.step.op !== 'apart')) return derived;
  if (receiver && derived === receiver.ref) return derived;
  const isKnown = questionsOf(context.look(derived)).holdsParts;
  const told = answer?.status === 'value' && !isKnown ? toldFact(context, answer.value) : undefined;
  const result = told ? context.put(told) : freshOf(context, derived);
  exact.set(result, step, planned.isFresh);
  return result;
}

/** The same for a store: afterwards the frame is what the step gives. */
export function carryOutStore(context: Asking, node: Node, planned: PlannedStore, run: () => void): void {
  const exact = context.exact!;
  const { step, answer } = put(context, node, planned.step, planned.isWhole ? 'welcome' : 'needed');
  exact.describing(run);
  const told = answer?.status === 'value' ? toldFact(context, answer.value) : undefined;
  if (told) exact.describing(() => context.state.update(planned.owner, told));
  exact.set(planned.owner, step);
  if (!planned.isWhole) exact.contentsChanged(context.look(planned.owner));
}

/** The step with its answer: tells of a refusal, and puts a question that has none yet. */
function put(
  context: Asking,
  node: Node,
  planned: NewStep,
  urgency: Planned['urgency'],
): { readonly step: StepId; readonly answer: StepAnswer | undefined } {
  const step = context.exact!.step(planned);
  const answer = context.inquiry?.answer(step);
  if (answer?.status === 'raised')
    context.emit({
      type: 'refusal',
      node,
      exception: answer.type,
      message: answer.message,
      isReal: true,
    });
  else if (!answer && context.mayInquire) context.inquiry?.ask(step, urgency);
  return { step, answer };
}

/** An object of its own for a result that the walk may have answered with a shared one. */
function freshOf(context: Asking, ref: Ref): Ref {
  const fact = context.look(ref);
  return fact.kind === 'unknown' ? context.put({ ...fact }) : ref;
}

function toldFact(context: Asking, told: ToldValue): Fact | undefined {
  if (told.kind !== 'object') return undefined;
  const refs = new Map<string, Ref>();
  const refOf = (key: string): Ref => {
    const known = refs.get(key);
    if (known !== undefined) return known;
    const ref = context.unknown();
    refs.set(key, ref);
    const object = told.objects[key];
    if (object) context.state.update(ref, factOfObject(object, live));
    return ref;
  };
  const live = {
    path: undefined,
    refOf,
    put: (fact: Fact) => context.put(fact),
    object: (key: string) => told.objects[key],
  };
  const object = told.objects[told.ref];
  if (!object || object.kind === 'method' || object.kind === 'function' || object.kind === 'omitted')
    return undefined;
  const fact = context.exact!.describing(() => factOfObject(object, live));
  return fact.kind === 'unknown' || fact.kind === 'library' ? undefined : fact;
}
