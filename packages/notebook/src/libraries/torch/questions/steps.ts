// Which operations of torch are asked of the real library: modules applied to tensors, functions and methods of tensors,
// operators, constructors, and drawing from a loader.

import type { Node } from '@grus/python';
import type { Context, Elements } from '../../../reasoning/context.js';
import type { CallArguments, Operand } from '../../../reasoning/events.js';
import type { Fact, Ref } from '../../../reasoning/facts.js';
import type { StepId } from '../../../reasoning/inquiry/inquiry.js';
import { partsOf } from '../../../reasoning/inquiry/planning.js';
import { namesReadableFile } from '../../../reasoning/inquiry/readable-files.js';
import type { CallSite } from '../../../reasoning/library.js';
import { putScalar } from '../../../reasoning/plain-objects.js';
import { recallTorch } from '../memory.js';
import { inquireStep, itemStep, putDrawn } from './answers.js';
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
export function callStep(context: Context, site: CallSite, callee: Operand): StepId | undefined {
  const { inquiry } = context;
  if (!inquiry || context.mutedInquiry > 0 || !site.args.complete) return undefined;
  const { fact } = callee;
  if (fact.kind === 'torch-module') return applied(context, callee, site.args, undefined);
  if (site.receiver && site.method !== null) return methodStep(context, site, site.receiver, site.method);
  if (site.target === 'torch.load') return loadStep(context, site, callee);
  if (site.target === 'torch.Generator' && isBare(site.args))
    return applied(context, callee, site.args, site.target);
  if (site.target !== null && askable.test(site.target) && !notAskable.test(site.target))
    return applied(context, callee, site.args, site.target);
  if (fact.kind === 'class' && fact.namespace && isModuleClass(context, fact))
    return applied(context, callee, site.args, undefined);
  return undefined;
}

const isBare = ({ positional, keywords }: CallArguments): boolean =>
  positional.length === 0 && keywords.size === 0;

/** `torch.load(name)`: of a small file, and of nothing but data. */
function loadStep(context: Context, site: CallSite, callee: Operand): StepId | undefined {
  const { keywords, positional } = site.args;
  const isPlain = [...keywords].every(
    ([name, { ref }]) =>
      name === 'map_location' || (name === 'weights_only' && context.literal(ref) === true),
  );
  if (!isPlain || positional.length > 2 || !namesReadableFile(context, site)) return undefined;
  return applied(context, callee, site.args, 'reader');
}

/** `len(loader)`: asked of the loader itself. */
export function inquireLength(context: Context, node: Node, value: Operand): Ref | undefined {
  const { inquiry } = context;
  if (!inquiry || value.fact.kind !== 'loader') return undefined;
  const receiver = recipeOf(context, value.ref);
  if (receiver === undefined) return undefined;
  const step = inquiry.step({ op: 'method', receiver, name: '__len__' });
  const number = putScalar(context, 'int');
  return inquireStep(context, node, step, number);
}

function isModuleClass(context: Context, fact: Fact): boolean {
  if (fact.kind === 'library') return /^torch\.(nn\.Module|utils\.data\.\w*Dataset)$/.test(fact.name);
  return (
    fact.kind === 'class' && (fact.parents ?? []).some((ref) => isModuleClass(context, context.look(ref)))
  );
}

function applied(
  context: Context,
  callee: Operand,
  args: CallArguments,
  name: string | undefined,
): StepId | undefined {
  const made = recipeOf(context, callee.ref);
  const parts = partsOf(recipes(context), args);
  if (made === undefined || !parts) return undefined;
  return context.inquiry!.step({
    op: 'call',
    callee: made,
    ...(name !== undefined && { name }),
    ...parts,
    ...gradients(context),
  });
}

function methodStep(context: Context, site: CallSite, receiver: Operand, method: string): StepId | undefined {
  const { kind } = receiver.fact;
  const isTensor = kind === 'tensor' || (kind === 'unknown' && receiver.fact.recipe !== undefined);
  if (kind === 'torch-module' ? !moduleMethods.has(method) : !isTensor || notMethods.test(method))
    return undefined;
  const made = method === 'backward' ? receiver.fact.recipe : recipeOf(context, receiver.ref);
  const parts = partsOf(recipes(context), site.args);
  const isRepeated = method === 'backward' && recallTorch(context).backwardPasses >= followed;
  if (made === undefined || !parts || isRepeated) return undefined;
  const isBackward = method === 'backward';
  return context.inquiry!.step(
    {
      op: 'method',
      receiver: made,
      name: method,
      ...parts,
      ...gradients(context),
      ...(isBackward && { turn: ++recallTorch(context).backwardPasses }),
    },
    isBackward,
  );
}

/** `module.to(device)` and its like: done to the module itself, once in every round, in its turn. */
export function moveModule(context: Context, site: CallSite): Ref | undefined {
  const { inquiry } = context;
  const { ref } = site.receiver!;
  if (!inquiry || !context.mayInquire || context.mutedInquiry > 0 || !site.args.complete) return undefined;
  const receiver = recipeOf(context, ref);
  const parts = partsOf(recipes(context), site.args);
  if (receiver === undefined || !parts) return undefined;
  const turn = ++recallTorch(context).turns;
  const step = inquiry.step({ op: 'method', receiver, name: site.method!, ...parts, turn }, true);
  inquireStep(context, site.node, step, ref);
  context.state.update(ref, { ...context.look(ref), recipe: step } as Fact);
  return ref;
}

const recipes = (context: Context) => ({ stepOf: (ref: Ref) => recipeOf(context, ref) });

/** Backward passes that are taken one by one; those behind them are like the last. */
const followed = 3;

/** A backward pass frees its graph: what is computed after it is computed anew, not the same again. */
function gradients(context: Context): { grad_off?: true; turn?: number } {
  return {
    ...(recallTorch(context).gradientsOff > 0 && { grad_off: true }),
    ...(recallTorch(context).backwardPasses > 0 && {
      turn: Math.min(recallTorch(context).backwardPasses, followed),
    }),
  };
}

const isTensorLike = (fact: Fact): boolean =>
  fact.kind === 'tensor' || (fact.kind === 'unknown' && fact.recipe !== undefined);

/** `left op right` where one of them is a tensor. */
export function inquireBinary(
  context: Context,
  node: Node,
  operator: string,
  [left, right]: readonly [Operand, Operand],
  derived: Ref | undefined,
): Ref | undefined {
  if (!context.inquiry || context.mutedInquiry > 0) return derived;
  if (!isTensorLike(left.fact) && !isTensorLike(right.fact)) return derived;
  return combined(context, node, { op: 'binary', name: operator }, [left, right], derived);
}

/** `tensor += …`: torch forbids it on a leaf that requires gradients, whatever is added. */
export function inquireInPlace(context: Context, node: Node, operator: string, left: Operand): void {
  const { inquiry } = context;
  const { fact } = left;
  if (!inquiry || fact.kind !== 'tensor' || fact.requiresGrad !== true || !inPlaceOperators.has(operator))
    return;
  const made = fact.recipe ?? liveRecipe(context, inquiry, left.ref, fact);
  if (made === undefined) return;
  const one = inquiry.step({ op: 'literal', value: 1 });
  const step = inquiry.step({ op: 'in_place', name: operator, args: [made, one], ...gradients(context) });
  inquireStep(context, node, step, undefined);
}

const inPlaceOperators = new Set(['Add', 'Sub', 'Mult', 'Div']);

export function inquireItem(
  context: Context,
  node: Node,
  container: Operand,
  key: Operand,
  derived: Ref | undefined,
): Ref | undefined {
  if (!context.inquiry || context.mutedInquiry > 0 || !isTensorLike(container.fact)) return derived;
  return combined(context, node, { op: 'item' }, [container, key], derived);
}

/** `tensor[key] = value`, tried in a clone. What a tensor picks out as a key depends on its values: it is not asked. */
export function inquireStore(context: Context, node: Node, operands: readonly Operand[]): void {
  const { inquiry } = context;
  const [container, key] = operands;
  if (!inquiry || context.mutedInquiry > 0 || container?.fact.kind !== 'tensor' || !isPlainKey(context, key!))
    return;
  const [tensor, ...parts] = operands.map(({ ref }) => recipeOf(context, ref));
  if (tensor === undefined || !parts.every((part) => part !== undefined)) return;
  const clone = inquiry.step({ op: 'method', receiver: tensor, name: 'clone', ...gradients(context) });
  const store = { op: 'method', receiver: clone, name: '__setitem__', args: parts } as const;
  inquireStep(context, node, inquiry.step({ ...store, ...gradients(context) }), undefined);
}

function isPlainKey(context: Context, { fact }: { readonly fact: Fact }): boolean {
  if (fact.kind === 'tuple')
    return fact.items?.every((item) => isPlainKey(context, { fact: context.look(item) })) ?? false;
  return ['slice', 'scalar', 'none'].includes(fact.kind) || fact.class === 'builtins.ellipsis';
}

function combined(
  context: Context,
  node: Node,
  step: { op: 'binary' | 'item'; name?: string },
  operands: readonly [Operand, Operand],
  derived: Ref | undefined,
): Ref | undefined {
  const parts = operands.map(({ ref }) => recipeOf(context, ref));
  if (!parts.every((part) => part !== undefined)) return derived;
  const id = context.inquiry!.step({ ...step, args: parts, ...gradients(context) });
  return inquireStep(context, node, id, derived);
}

/** An attribute of a result that is known by its recipe alone. */
export function inquireAttribute(
  context: Context,
  node: Node,
  receiver: Operand,
  name: string,
): Ref | undefined {
  const { fact } = receiver;
  if (!context.inquiry || fact.kind !== 'unknown' || fact.recipe === undefined || name.startsWith('_'))
    return undefined;
  const step = context.inquiry.step({ op: 'attribute', receiver: fact.recipe, name });
  return inquireStep(context, node, step, undefined);
}

/** The parts of a result that is known by its recipe alone, when it is unpacked. */
export function inquireParts(context: Context, value: Operand, count: number): Ref[] | undefined {
  const { inquiry } = context;
  const { fact } = value;
  if (!inquiry || fact.kind !== 'unknown' || fact.recipe === undefined) return undefined;
  return Array.from({ length: count }, (_, index) =>
    context.put({ kind: 'unknown', recipe: itemStep(inquiry, fact.recipe!, index) }),
  );
}

/** What a loader gives when it is drawn from: its first and last batch, how many there are, or what it raises. */
export function inquireDraw(context: Context, iterable: Operand): Elements | undefined {
  const { inquiry } = context;
  const { fact } = iterable;
  if (!inquiry || fact.kind !== 'loader' || !/^torch\..*DataLoader$/.test(fact.class ?? '')) return undefined;
  const receiver = recipeOf(context, iterable.ref);
  if (receiver === undefined) return undefined;
  const step = inquiry.step({ op: 'draw', receiver });
  const answer = inquiry.answer(step);
  if (!answer && context.mayInquire) inquiry.ask(step, 'needed');
  if (answer?.status === 'raised') return { refusal: { exception: answer.type, message: answer.message } };
  if (answer?.status !== 'value' || answer.value.kind !== 'drawn') return undefined;
  const { count, complete, first, last, error } = answer.value;
  return {
    ...(complete && { count }),
    ...(first && { first: putDrawn(context, first) }),
    ...(complete && last && { last: putDrawn(context, last) }),
    ...(error && { refusal: { exception: error.type, message: error.message, later: true } }),
  };
}
