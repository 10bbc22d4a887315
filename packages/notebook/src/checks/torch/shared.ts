// What the checks on torch share: naming dtypes and sizes as torch prints them.

import type { ArrayLike } from '../../libraries/numpy/kinds.js';
import type { TorchModule } from '../../libraries/torch/kinds.js';
import type { EventOf, Operand } from '../../reasoning/events.js';
import type { Shape } from '../../reasoning/facts.js';

export type CallEvent = EventOf<'call'>;

const printed: Record<string, string> = {
  float16: 'Half',
  float32: 'Float',
  float64: 'Double',
  bfloat16: 'BFloat16',
  int8: 'Char',
  uint8: 'Byte',
  int16: 'Short',
  int32: 'Int',
  int64: 'Long',
  bool: 'Bool',
};

/** "Float" for float32; undefined for dtypes that torch does not print so. */
export function scalarType(dtype: string | undefined): string | undefined {
  return dtype !== undefined && Object.hasOwn(printed, dtype) ? printed[dtype] : undefined;
}

export function sizeText(shape: Shape): string {
  return `torch.Size([${shape.map((dim) => dim ?? '?').join(', ')}])`;
}

/** Number of elements, or undefined when a dimension is not known. */
export function elementCount(shape: Shape | undefined): number | undefined {
  let count = 1;
  for (const dim of shape ?? [null]) {
    if (dim === null) return undefined;
    count *= dim;
  }
  return count;
}

/** A module that is applied to a tensor. */
export interface ModuleCall {
  readonly module: TorchModule;
  readonly input: Operand & { readonly fact: ArrayLike };
}

export function moduleCall({ callee, args }: CallEvent): ModuleCall | undefined {
  const [input] = args.positional;
  if (callee.fact.kind !== 'torch-module' || callee.fact.hooked) return undefined;
  if (input?.fact.kind !== 'tensor') return undefined;
  return { module: callee.fact, input: input as ModuleCall['input'] };
}

/** A loss, as a module or as a function, with its prediction and target. */
export interface LossCall {
  readonly name: string;
  readonly module: TorchModule | undefined;
  /** Of a function: whether it was given more than prediction and target. */
  readonly isPlain: boolean;
  readonly prediction: Operand & { readonly fact: ArrayLike };
  readonly target: Operand & { readonly fact: ArrayLike };
}

const functions: Record<string, string> = {
  'torch.nn.functional.cross_entropy': 'CrossEntropyLoss',
  'torch.nn.functional.nll_loss': 'NLLLoss',
  'torch.nn.functional.binary_cross_entropy': 'BCELoss',
  'torch.nn.functional.binary_cross_entropy_with_logits': 'BCEWithLogitsLoss',
};

export function lossCall(event: CallEvent): LossCall | undefined {
  const { callee, args } = event;
  const module =
    callee.fact.kind === 'torch-module' && callee.fact.of === undefined && !callee.fact.hooked
      ? callee.fact
      : undefined;
  const name = module
    ? /^torch\.nn\.(CrossEntropyLoss|NLLLoss|BCELoss|BCEWithLogitsLoss|MSELoss|L1Loss)$/.exec(
        module.class ?? '',
      )?.[1]
    : event.target !== null && Object.hasOwn(functions, event.target)
      ? functions[event.target]
      : undefined;
  const [prediction, target] = args.positional;
  if (name === undefined || prediction?.fact.kind !== 'tensor' || target?.fact.kind !== 'tensor')
    return undefined;
  return {
    name,
    module,
    isPlain: args.complete && args.positional.length === 2 && args.keywords.size === 0,
    prediction: prediction as LossCall['prediction'],
    target: target as LossCall['target'],
  };
}
