// How the walk goes on with an operation on real data that is asked of the real library: with the exception that it
// raises, with the object that it gives, or, as long as there is no answer, with what the walk knows by itself.
import type { StepAnswer, ToldValue } from '@grus/kernel';
import type { Node } from '@grus/python';
import { fitsInPlace } from '../../libraries/sklearn/classes.js';
import type { Operand } from '../events.js';
import type { Fact, Ref } from '../facts.js';
import type { Interpreter } from '../interpreter/interpreter.js';
import { factOfObject } from '../live/objects.js';
import type { NewStep, StepId } from './inquiry.js';

type Urgency = 'ask' | 'wish';
export interface Planned {
  readonly step: NewStep;
  readonly urgency: Urgency;
  /** The value depends on chance: only an exception tells anything. */
  readonly isRandom?: boolean;
  readonly isFresh?: boolean;
  /** What the object itself is afterwards. */
  readonly after?: NewStep;
  /** Afterwards the object is something that no step describes. */
  readonly drops?: boolean;
}

/** A store into a frame or series. */
export interface PlannedStore {
  readonly step: NewStep;
  readonly owner: Ref;
  /** A whole column: the checks judge it by themselves. */
  readonly isWhole: boolean;
}

/** Performs an operation with its question: tells a refusal, and answers the object that the library gives. */
export function carryOut(
  interpreter: Interpreter,
  node: Node,
  planned: Planned,
  receiver: Operand | null,
  run: () => Ref,
): Ref {
  const exact = interpreter.exact!;
  const { step, answer } = put(interpreter, node, planned.step, planned.urgency);
  // A pipeline fits the very objects that it was made of: those changes are no part of the step.
  const isOpen = receiver?.fact.kind === 'estimator' && fitsInPlace(receiver.fact.class);
  const derived = isOpen ? run() : exact.describing(run);
  if (planned.after && receiver) exact.set(receiver.ref, exact.step(planned.after));
  if (planned.drops && receiver) exact.drop(receiver.ref);
  if (planned.isRandom || (planned.after && planned.step.op !== 'apart')) return derived;
  if (receiver && derived === receiver.ref) return derived;
  // What the walk knows of an estimator holds on to the objects that it was made of.
  const isKnown = interpreter.look(derived).kind === 'estimator';
  const told = answer?.status === 'value' && !isKnown ? toldFact(interpreter, answer.value) : undefined;
  const result = told ? interpreter.put(told) : freshOf(interpreter, derived);
  exact.set(result, step, planned.isFresh);
  return result;
}

/** The same for a store: afterwards the frame is what the step gives. */
export function carryOutStore(
  interpreter: Interpreter,
  node: Node,
  planned: PlannedStore,
  run: () => void,
): void {
  const exact = interpreter.exact!;
  const { step, answer } = put(interpreter, node, planned.step, planned.isWhole ? 'wish' : 'ask');
  exact.describing(run);
  const told = answer?.status === 'value' ? toldFact(interpreter, answer.value) : undefined;
  if (told) exact.describing(() => interpreter.state.update(planned.owner, told));
  exact.set(planned.owner, step);
  if (!planned.isWhole) exact.forgetArrays();
}

/** The step with its answer: tells of a refusal, and puts a question that has none yet. */
function put(
  interpreter: Interpreter,
  node: Node,
  planned: NewStep,
  urgency: Urgency,
): { readonly step: StepId; readonly answer: StepAnswer | undefined } {
  const step = interpreter.exact!.step(planned);
  const answer = interpreter.inquiry?.answer(step);
  if (answer?.status === 'raised')
    interpreter.emit({
      type: 'refusal',
      node,
      exception: answer.type,
      message: answer.message,
      isReal: true,
    });
  else if (!answer && interpreter.mayInquire) {
    if (urgency === 'ask') interpreter.inquiry?.want(step);
    else interpreter.inquiry?.wish(step);
  }
  return { step, answer };
}

/** An object of its own for a result that the walk may have answered with a shared one. */
function freshOf(interpreter: Interpreter, ref: Ref): Ref {
  const fact = interpreter.look(ref);
  return fact.kind === 'unknown' ? interpreter.put({ ...fact }) : ref;
}

function toldFact(interpreter: Interpreter, told: ToldValue): Fact | undefined {
  if (told.kind !== 'object') return undefined;
  const refs = new Map<string, Ref>();
  const refOf = (key: string): Ref => {
    const known = refs.get(key);
    if (known !== undefined) return known;
    const ref = interpreter.unknown();
    refs.set(key, ref);
    const object = told.objects[key];
    if (object) interpreter.state.update(ref, factOfObject(object, context));
    return ref;
  };
  const context = {
    path: undefined,
    refOf,
    put: (fact: Fact) => interpreter.put(fact),
    object: (key: string) => told.objects[key],
  };
  const object = told.objects[told.ref];
  if (!object || object.kind === 'method' || object.kind === 'function' || object.kind === 'omitted')
    return undefined;
  const fact = interpreter.exact!.describing(() => factOfObject(object, context));
  return fact.kind === 'unknown' || fact.kind === 'library' ? undefined : fact;
}
