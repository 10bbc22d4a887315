// What a copy told of a value, as a fact; and the two ways in which an answer reaches the walk: a better result, or the
// exception that the library raises.

import type { ToldValue } from '@grus/kernel';
import type { Node } from '@grus/python';
import type { Context } from '../../../reasoning/context.js';
import { type Fact, known, type Ref } from '../../../reasoning/facts.js';
import type { Inquiry, NewStep, StepId } from '../../../reasoning/inquiry/inquiry.js';
import { keyOf } from '../../../reasoning/literals.js';
import type { ArrayLike } from '../../numpy/kinds.js';
import { recallTorch } from '../memory.js';

/** Steps that are as good as sure to work: making a tensor, a number of one, another dtype. */
const harmless =
  /^(torch\.(zeros|ones|rand|randn|randint|randperm|empty|full|arange|linspace|eye|\w+_like|cuda\.is_available)|item|float|long|int|double|half|bool|detach|clone|cpu|contiguous|size|dim|numel|__len__|sum|mean|abs|exp|log|sqrt|relu|tanh|sigmoid|std|var|round|type)$/;

function isHarmless({ op, name, keywords }: NewStep, inquiry: Inquiry): boolean {
  if (op === 'attribute') return true;
  if ((op !== 'call' && op !== 'method') || !harmless.test(name ?? '')) return false;
  return keywords?.['generator'] === undefined && !namesOtherDevice(keywords?.['device'], inquiry);
}

/** `device='cuda:7'`: whether it is there, and has room, only torch knows. */
function namesOtherDevice(step: StepId | undefined, inquiry: Inquiry): boolean {
  const named = step === undefined ? undefined : inquiry.at(step).value;
  return typeof named === 'string' && named !== 'cpu';
}

/** Asks about a step: its answer's value as an object, or an object of which only the recipe is known. */
export function inquireStep(
  context: Context,
  node: Node,
  step: StepId,
  derived: Ref | undefined,
): Ref | undefined {
  const answer = context.inquiry?.answer(step);
  if (answer?.status === 'raised') {
    context.emit({ type: 'refusal', node, exception: answer.type, message: answer.message });
    return derived;
  }
  if (answer?.status === 'value') return putTold(context, answer.value, step, derived);
  if (answer?.status === 'unknown') return derived;
  if (context.mayInquire)
    context.inquiry?.ask(step, isHarmless(context.inquiry.at(step), context.inquiry) ? 'welcome' : 'needed');
  const known = derived === undefined ? undefined : context.look(derived);
  const isOpen = context.mayInquire && (known?.kind === 'tuple' || known?.kind === 'list');
  if (!known || known.kind === 'unknown' || isOpen) return context.put({ kind: 'unknown', recipe: step });
  if (remade.has(known.kind) && known.recipe === undefined && known.path === undefined)
    context.state.update(derived!, { ...known, recipe: step } as Fact);
  return derived;
}

/** Kinds of results that later steps can be made of. */
const remade = new Set<Fact['kind']>(['tensor', 'torch-module', 'loader', 'instance', 'dict']);

function putTold(context: Context, told: ToldValue, step: StepId | undefined, derived: Ref | undefined): Ref {
  const known = derived === undefined ? undefined : context.look(derived);
  const fact = factOfTold(context, told, step);
  if (!fact) return derived ?? context.unknown();
  // What the walk derived beyond the form stays: values, device, memory.
  if (known && known.path === undefined && (known.kind === fact.kind || fact.kind === 'unknown')) {
    if (!remade.has(known.kind) && known.kind !== 'unknown' && known.kind !== 'scalar')
      return context.put(fact);
    context.state.update(derived!, { ...fact, ...known, ...formOf(fact) } as Fact);
    return derived!;
  }
  if (known && known.kind !== 'unknown' && !certainKinds.has(fact.kind)) return derived!;
  return context.put(fact);
}

const certainKinds = new Set<Fact['kind']>(['tensor', 'tuple', 'list', 'ndarray', 'none', 'dict']);

/** What the real library knows better than the walk. */
function formOf(fact: Fact): Partial<ArrayLike> {
  if (fact.kind !== 'tensor' && fact.kind !== 'ndarray')
    return fact.recipe === undefined ? {} : { recipe: fact.recipe };
  const { shape, dtype, recipe, requiresGrad, device } = fact;
  return known({ device, shape, dtype, recipe, requiresGrad });
}

function factOfTold(context: Context, told: ToldValue, step: StepId | undefined): Fact | undefined {
  const recipe = step === undefined ? {} : { recipe: step };
  switch (told.kind) {
    case 'none':
      return { kind: 'none', class: 'builtins.NoneType' };
    case 'tensor':
      return { ...tensorFact(context, told), ...recipe };
    case 'ndarray':
      return { kind: 'ndarray', class: 'numpy.ndarray', shape: told.shape, dtype: told.dtype };
    case 'scalar':
      return scalarFact(told);
    case 'list':
    case 'tuple': {
      if (!told.complete) return undefined;
      const items = told.items.map((item, index) => putPart(context, item, step, index));
      const isPlain = told.class.startsWith('builtins.') || told.class === 'torch.Size';
      return {
        kind: told.kind,
        ...(isPlain ? { class: `builtins.${told.kind}` } : {}),
        items,
        length: items.length,
      };
    }
    case 'dict': {
      if (!told.complete) return undefined;
      return {
        kind: 'dict',
        class: 'builtins.dict',
        complete: true,
        entries: new Map(
          told.keys.map((key, index) => [
            keyOf(key),
            { key, value: putPart(context, told.items[index]!, step, key) },
          ]),
        ),
        ...recipe,
      };
    }
    case 'module':
      return { kind: 'torch-module', callable: true, ...recipe };
    case 'other':
      return { kind: 'unknown', ...recipe };
    case 'drawn':
      return undefined;
  }
}

/** A part of an answer, which the copy can take out of the whole again. */
function putPart(context: Context, told: ToldValue, whole: StepId | undefined, key: number | string): Ref {
  const { inquiry } = context;
  const step = whole === undefined || !inquiry ? undefined : itemStep(inquiry, whole, key);
  const fact = factOfTold(context, told, step);
  return fact ? context.put(fact) : context.unknown();
}

function tensorFact(context: Context, told: Extract<ToldValue, { kind: 'tensor' | 'ndarray' }>): ArrayLike {
  return {
    kind: 'tensor',
    class: 'torch.Tensor',
    shape: told.shape,
    dtype: told.dtype,
    ...(told.device !== undefined && { device: told.device }),
    // A stand-in may stand for data that require gradients: only that something does is certain.
    ...(told.grad === true && recallTorch(context).knowsGradients && { requiresGrad: true }),
  };
}

function scalarFact({ type, value }: Extract<ToldValue, { kind: 'scalar' }>): Fact | undefined {
  if (type !== 'int' && type !== 'float' && type !== 'bool' && type !== 'str') return undefined;
  return { kind: 'scalar', type, class: `builtins.${type}`, ...(value !== undefined && { value }) };
}

/** The step that takes one part out of what another step gives. */
export function itemStep(inquiry: Inquiry, whole: StepId, key: number | string): StepId {
  return inquiry.step({ op: 'item', args: [whole, inquiry.step({ op: 'literal', value: key })] });
}

/** A batch that was drawn: known by its form alone. */
export function putDrawn(context: Context, told: ToldValue): Ref {
  const fact = factOfTold(context, told, undefined);
  return fact ? context.put(fact) : context.unknown();
}
