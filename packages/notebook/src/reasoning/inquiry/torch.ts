// Which operations of torch are asked of the real library: modules applied to tensors, functions and methods of tensors,
// operators, constructors, and drawing from a loader.
import type { Node } from '@grus/python';
import type { CallArguments, Operand } from '../events.js';
import type { Fact, Ref } from '../facts.js';
import type { Interpreter } from '../interpreter/interpreter.js';
import type { CallSite, Elements } from '../library.js';
import { inquireStep, itemStep, putDrawn } from './answers.js';
import type { StepId } from './inquiry.js';
import { namesOwnFile } from './own-file.js';
import { liveRecipe, recipeOf } from './recipes.js';

/** Functions and classes that neither keep state outside of their result nor touch the machine. */
const askable =
  /^torch\.(nn\.(?!utils\.|init\.|parallel|DataParallel)[\w.]+|(optim(\.lr_scheduler)?|utils\.data)\.[A-Z]\w*|cuda\.is_available|device|linalg\.\w+|fft\.\w+|[a-z]\w*)$/;
const notAskable =
  /^torch\.(load|save|compile|manual_seed|seed|set_\w+|get_\w+|use_\w+|no_grad|enable_grad|inference_mode|autocast|autograd|is_\w+|typename|hub|jit|ops|from_file|from_dlpack|frombuffer|initial_seed|cuda|tensor|as_tensor|from_numpy|dtype|device)$|_$/;
/** Methods that change the object or leave torch. */
const notMethods =
  /_$|^(to|cuda|cpu|register\w*|retain_grad|share_memory|storage|untyped_storage|data_ptr|tolist|__\w+)$/;
const moduleMethods = new Set(['load_state_dict', 'parameters', 'named_parameters', 'state_dict']);

/** The step of a call, when everything about it is certain. */
export function callStep(interpreter: Interpreter, site: CallSite, callee: Operand): StepId | undefined {
  const { inquiry } = interpreter;
  if (!inquiry || interpreter.mutedInquiry > 0 || !site.args.complete) return undefined;
  const { fact } = callee;
  if (fact.kind === 'torch-module') return applied(interpreter, callee, site.args, undefined);
  if (site.receiver && site.method !== null) return methodStep(interpreter, site, site.receiver, site.method);
  if (site.target === 'torch.load') return loadStep(interpreter, site, callee);
  if (site.target !== null && askable.test(site.target) && !notAskable.test(site.target))
    return applied(interpreter, callee, site.args, site.target);
  if (fact.kind === 'class' && fact.namespace && isModuleClass(fact))
    return applied(interpreter, callee, site.args, undefined);
  return undefined;
}

/** `torch.load(name)`: of a small file, and of nothing but data. */
function loadStep(interpreter: Interpreter, site: CallSite, callee: Operand): StepId | undefined {
  const { keywords, positional } = site.args;
  const isPlain = [...keywords].every(
    ([name, { ref }]) =>
      name === 'map_location' || (name === 'weights_only' && interpreter.literal(ref) === true),
  );
  if (!isPlain || positional.length > 2 || !namesOwnFile(interpreter, site)) return undefined;
  return applied(interpreter, callee, site.args, 'reader');
}

/** `len(loader)`: asked of the loader itself. */
export function inquireLength(interpreter: Interpreter, node: Node, value: Operand): Ref | undefined {
  const { inquiry } = interpreter;
  if (!inquiry || value.fact.kind !== 'loader') return undefined;
  const receiver = recipeOf(interpreter, value.ref);
  if (receiver === undefined) return undefined;
  const step = inquiry.step({ op: 'method', receiver, name: '__len__' });
  const number = interpreter.put({ kind: 'scalar', type: 'int', class: 'builtins.int' });
  return inquireStep(interpreter, node, step, number);
}

function isModuleClass(fact: Fact): boolean {
  return (fact.bases ?? []).some((base) => /^torch\.(nn\.Module|utils\.data\.\w*Dataset)$/.test(base));
}

function applied(
  interpreter: Interpreter,
  callee: Operand,
  args: CallArguments,
  name: string | undefined,
): StepId | undefined {
  const made = recipeOf(interpreter, callee.ref);
  const parts = argumentSteps(interpreter, args);
  if (made === undefined || !parts) return undefined;
  return interpreter.inquiry!.step({
    op: 'call',
    callee: made,
    ...(name !== undefined && { name }),
    ...parts,
    ...gradients(interpreter),
  });
}

function methodStep(
  interpreter: Interpreter,
  site: CallSite,
  receiver: Operand,
  method: string,
): StepId | undefined {
  const { kind } = receiver.fact;
  const isTensor = kind === 'tensor' || (kind === 'unknown' && receiver.fact.recipe !== undefined);
  if (kind === 'torch-module' ? !moduleMethods.has(method) : !isTensor || notMethods.test(method))
    return undefined;
  const made = method === 'backward' ? receiver.fact.recipe : recipeOf(interpreter, receiver.ref);
  const parts = argumentSteps(interpreter, site.args);
  const isRepeated = method === 'backward' && interpreter.backwardPasses >= followed;
  if (made === undefined || !parts || isRepeated) return undefined;
  return interpreter.inquiry!.step({
    op: 'method',
    receiver: made,
    name: method,
    ...parts,
    ...gradients(interpreter),
    ...(method === 'backward' && { turn: interpreter.goBackward() }),
  });
}

function argumentSteps(
  interpreter: Interpreter,
  args: CallArguments,
): { args?: StepId[]; keywords?: Record<string, StepId> } | undefined {
  const positional = args.positional.map((operand) => recipeOf(interpreter, operand.ref));
  const keywords = [...args.keywords].map(([name, operand]) => [name, recipeOf(interpreter, operand.ref)]);
  if (![...positional, ...keywords.map(([, step]) => step)].every((step) => step !== undefined))
    return undefined;
  return {
    ...(positional.length > 0 && { args: positional as StepId[] }),
    ...(keywords.length > 0 && { keywords: Object.fromEntries(keywords) as Record<string, StepId> }),
  };
}

/** Backward passes that are taken one by one; those behind them are like the last. */
const followed = 3;

/** A backward pass frees its graph: what is computed after it is computed anew, not the same again. */
function gradients(interpreter: Interpreter): { grad_off?: true; turn?: number } {
  return {
    ...(interpreter.gradientsOff > 0 && { grad_off: true }),
    ...(interpreter.backwardPasses > 0 && { turn: Math.min(interpreter.backwardPasses, followed) }),
  };
}

const isTensorLike = (fact: Fact): boolean =>
  fact.kind === 'tensor' || (fact.kind === 'unknown' && fact.recipe !== undefined);

/** `left op right` where one of them is a tensor. */
export function inquireBinary(
  interpreter: Interpreter,
  node: Node,
  operator: string,
  [left, right]: readonly [Operand, Operand],
  derived: Ref | undefined,
): Ref | undefined {
  if (!interpreter.inquiry || interpreter.mutedInquiry > 0) return derived;
  if (!isTensorLike(left.fact) && !isTensorLike(right.fact)) return derived;
  return combined(interpreter, node, { op: 'binary', name: operator }, [left, right], derived);
}

/** `tensor += …`: torch forbids it on a leaf that requires gradients, whatever is added. */
export function inquireInPlace(interpreter: Interpreter, node: Node, operator: string, left: Operand): void {
  const { inquiry } = interpreter;
  const { fact } = left;
  if (!inquiry || fact.kind !== 'tensor' || fact.requiresGrad !== true || !inPlaceOperators.has(operator))
    return;
  const made = fact.recipe ?? liveRecipe(interpreter, inquiry, left.ref, fact);
  if (made === undefined) return;
  const one = inquiry.step({ op: 'literal', value: 1 });
  const step = inquiry.step({ op: 'in_place', name: operator, args: [made, one], ...gradients(interpreter) });
  inquireStep(interpreter, node, step, undefined);
}

const inPlaceOperators = new Set(['Add', 'Sub', 'Mult', 'Div']);

export function inquireItem(
  interpreter: Interpreter,
  node: Node,
  container: Operand,
  key: Operand,
  derived: Ref | undefined,
): Ref | undefined {
  if (!interpreter.inquiry || interpreter.mutedInquiry > 0 || !isTensorLike(container.fact)) return derived;
  return combined(interpreter, node, { op: 'item' }, [container, key], derived);
}

function combined(
  interpreter: Interpreter,
  node: Node,
  step: { op: 'binary' | 'item'; name?: string },
  operands: readonly [Operand, Operand],
  derived: Ref | undefined,
): Ref | undefined {
  const parts = operands.map(({ ref }) => recipeOf(interpreter, ref));
  if (!parts.every((part) => part !== undefined)) return derived;
  const id = interpreter.inquiry!.step({ ...step, args: parts, ...gradients(interpreter) });
  return inquireStep(interpreter, node, id, derived);
}

const told = new Set(['shape', 'T', 'mT', 'ndim', 'data', 'dtype']);

/** An attribute of a tensor that is known by its recipe alone. */
export function inquireAttribute(
  interpreter: Interpreter,
  node: Node,
  receiver: Operand,
  name: string,
): Ref | undefined {
  const { fact } = receiver;
  if (!interpreter.inquiry || fact.kind !== 'unknown' || fact.recipe === undefined || !told.has(name))
    return undefined;
  const step = interpreter.inquiry.step({ op: 'attribute', receiver: fact.recipe, name });
  return inquireStep(interpreter, node, step, undefined);
}

/** The parts of a result that is known by its recipe alone, when it is unpacked. */
export function inquireParts(interpreter: Interpreter, value: Operand, count: number): Ref[] | undefined {
  const { inquiry } = interpreter;
  const { fact } = value;
  if (!inquiry || fact.kind !== 'unknown' || fact.recipe === undefined) return undefined;
  return Array.from({ length: count }, (_, index) =>
    interpreter.put({ kind: 'unknown', recipe: itemStep(inquiry, fact.recipe!, index) }),
  );
}

/** What a loader gives when it is drawn from: its first and last batch, how many there are, or what it raises. */
export function inquireDraw(interpreter: Interpreter, iterable: Operand): Elements | undefined {
  const { inquiry } = interpreter;
  const { fact } = iterable;
  if (!inquiry || fact.kind !== 'loader' || !/^torch\..*DataLoader$/.test(fact.class ?? '')) return undefined;
  const receiver = recipeOf(interpreter, iterable.ref);
  if (receiver === undefined) return undefined;
  const step = inquiry.step({ op: 'draw', receiver });
  const answer = inquiry.answer(step);
  if (!answer && interpreter.mayInquire) inquiry.want(step);
  if (answer?.status === 'raised') return { refusal: { exception: answer.type, message: answer.message } };
  if (answer?.status !== 'value' || answer.value.kind !== 'drawn') return undefined;
  const { count, complete, first, last, error } = answer.value;
  return {
    ...(complete && { count }),
    ...(first && { first: putDrawn(interpreter, first) }),
    ...(complete && last && { last: putDrawn(interpreter, last) }),
    ...(error && { refusal: { exception: error.type, message: error.message, later: true } }),
  };
}
