// How an object of the abstract heap can be made again in a copy of the kernel: by its live name while nothing touched it,
// by the call that made it, by its value, or, for data, by a stand-in of the same shape and dtype.

import type { Context } from '../../../reasoning/context.js';
import type { Fact, Ref } from '../../../reasoning/facts.js';
import type { Inquiry, StepId } from '../../../reasoning/inquiry/inquiry.js';
import { refsIn } from '../../../reasoning/kinds.js';
import type { TorchModule } from '../kinds.js';
import { recallTorch } from '../memory.js';

const deepest = 6;
/** Classes of live objects that may be used by name: what a torch cell works with. */
const liveClasses =
  /^torch\.(device|dtype|Size|utils\.data\.|optim\.)|^collections\.OrderedDict$|^builtins\.dict$/;

export function recipeOf(context: Context, ref: Ref, depth = 0): StepId | undefined {
  const { inquiry } = context;
  if (!inquiry || depth > deepest) return undefined;
  const fact = context.look(ref);
  if (fact.kind === 'torch-module') return moduleRecipe(context, inquiry, ref, fact);
  if (fact.recipe !== undefined) return fact.recipe;
  const parts = (refs: readonly Ref[]): StepId[] | undefined => {
    const steps = refs.map((inner) => recipeOf(context, inner, depth + 1));
    return steps.every((step) => step !== undefined) ? steps : undefined;
  };
  switch (fact.kind) {
    case 'none':
      return inquiry.step({ op: 'literal', value: null });
    case 'scalar':
      return scalarRecipe(inquiry, fact);
    case 'tensor':
      return tensorRecipe(inquiry, fact);
    case 'list':
    case 'tuple': {
      const args = fact.items && fact.items.length <= 64 ? parts(fact.items) : undefined;
      return args && inquiry.step({ op: fact.kind, args });
    }
    case 'slice': {
      const none = inquiry.step({ op: 'literal', value: null });
      const ends = [fact.lower, fact.upper, fact.step].map((end) =>
        end === undefined ? none : recipeOf(context, end, depth + 1),
      );
      return ends.every((end) => end !== undefined) ? inquiry.step({ op: 'slice', args: ends }) : undefined;
    }
    case 'library':
      return /^torch\./.test(fact.name) ? inquiry.step({ op: 'name', name: fact.name }) : undefined;
    case 'module':
      return inquiry.step({ op: 'name', name: fact.name });
    case 'class':
      if (!fact.namespace)
        return /^torch\./.test(fact.name) ? inquiry.step({ op: 'name', name: fact.name }) : undefined;
      return liveRecipe(context, inquiry, ref, fact);
    case 'dict':
      return liveClasses.test(fact.class ?? '') ? liveRecipe(context, inquiry, ref, fact) : undefined;
    case 'loader':
      return fact.class?.startsWith('tensorflow.') ? undefined : liveRecipe(context, inquiry, ref, fact);
    case 'instance':
      return liveClasses.test(fact.class ?? '') ? liveRecipe(context, inquiry, ref, fact) : undefined;
    case 'unknown':
      return fact.class === 'builtins.ellipsis' ? inquiry.step({ op: 'ellipsis' }) : undefined;
    default:
      return undefined;
  }
}

function scalarRecipe(inquiry: Inquiry, fact: Extract<Fact, { kind: 'scalar' }>): StepId | undefined {
  const { value, type } = fact;
  if (value === undefined || typeof value === 'bigint' || type === 'bytes' || type === 'complex')
    return undefined;
  if (type === 'float' && typeof value === 'number') return inquiry.step({ op: 'float', value });
  return inquiry.step({ op: 'literal', value });
}

function tensorRecipe(
  inquiry: Inquiry,
  fact: Extract<Fact, { kind: 'ndarray' | 'tensor' }>,
): StepId | undefined {
  const { shape, dtype, device, requiresGrad } = fact;
  const sizes = shape?.filter((dim) => dim !== null);
  if (!sizes || sizes.length !== shape?.length || dtype === undefined) return undefined;
  if (device !== undefined && !/^(cpu|cuda(:\d+)?)$/.test(device)) return undefined;
  return inquiry.step({
    op: 'tensor',
    shape: sizes,
    dtype,
    ...(device !== undefined && { device }),
    ...(requiresGrad !== undefined && { grad: requiresGrad }),
  });
}

/** A live object by its name, while the walk has not changed it or anything it holds. */
export function liveRecipe(context: Context, inquiry: Inquiry, ref: Ref, fact: Fact): StepId | undefined {
  if (fact.path === undefined || !isUntouched(context, ref)) return undefined;
  return inquiry.step({ op: 'live', path: fact.path });
}

function moduleRecipe(context: Context, inquiry: Inquiry, ref: Ref, fact: TorchModule): StepId | undefined {
  if (recallTorch(context).rebuiltModules) return undefined;
  const made = fact.recipe ?? liveRecipe(context, inquiry, ref, fact);
  const mode = recallTorch(context).modes.get(ref);
  if (made === undefined || mode === undefined) return made;
  if (mode === 'unknown') return undefined;
  return inquiry.step({ op: 'method', receiver: made, name: mode.name, turn: mode.turn });
}

/** Whether neither the object nor what it holds was changed since the cell began. */
function isUntouched(context: Context, ref: Ref): boolean {
  const seen = new Set<Ref>();
  const pending = [ref];
  while (pending.length > 0) {
    const current = pending.pop()!;
    if (seen.has(current)) continue;
    seen.add(current);
    if (seen.size > 2_000 || !context.state.isUntouched(current)) return false;
    const fact = context.look(current);
    if (fact.kind === 'class' || fact.kind === 'function') continue;
    pending.push(...refsIn(fact));
  }
  return true;
}
