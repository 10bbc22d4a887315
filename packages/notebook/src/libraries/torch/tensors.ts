// torch tensors: methods that move or convert them, and functions that keep or flatten their shape.

import { argument, nonePut } from '../../reasoning/arguments.js';
import type { ArrayLike, Ref } from '../../reasoning/facts.js';
import { userCodeMayRun } from '../../reasoning/interpreter/implicit.js';
import type { Interpreter } from '../../reasoning/interpreter/interpreter.js';
import type { CallSite, CallTransfer, Library } from '../../reasoning/library.js';
import { flattened, forward } from './forward.js';

function fresh(interpreter: Interpreter, from: ArrayLike, fields: Partial<ArrayLike>): Ref {
  return interpreter.put({
    kind: 'tensor',
    class: 'torch.Tensor',
    ...(from.shape && { shape: from.shape }),
    ...fields,
  });
}

const tensorOf = (site: CallSite): ArrayLike => site.receiver!.fact as ArrayLike;

/** `to(...)`: device, dtype or both may be another; the shape stays. */
const to: CallTransfer = (site, interpreter) => {
  const tensor = tensorOf(site);
  if (!movesToCpu(site, interpreter)) return fresh(interpreter, tensor, {});
  return fresh(interpreter, tensor, {
    ...(tensor.dtype !== undefined && { dtype: tensor.dtype }),
    ...(tensor.requiresGrad !== undefined && { requiresGrad: tensor.requiresGrad }),
    ...(tensor.values && { values: tensor.values }),
    ...(tensor.recipe !== undefined && { recipe: tensor.recipe }),
    device: 'cpu',
  });
};

/** `x.to(device)` where the device is the CPU and nothing else is asked for. */
export function movesToCpu(site: CallSite, interpreter: Interpreter): boolean {
  if (site.method === 'cpu') return true;
  if (site.method !== 'to' || !site.args.complete) return false;
  const count = site.args.positional.length + site.args.keywords.size;
  const device = argument(site, 0, 'device');
  if (!device || count !== 1) return false;
  const { fact } = device;
  return interpreter.literal(device.ref) === 'cpu' || (fact.kind === 'instance' && fact.text === 'cpu');
}

const cast =
  (dtype: string): CallTransfer =>
  (site, interpreter) => {
    const tensor = tensorOf(site);
    return fresh(interpreter, tensor, {
      dtype,
      ...(tensor.device !== undefined && { device: tensor.device }),
    });
  };

/** A tensor of the same form on the CPU or cut off from the graph. */
const like =
  (fields: Partial<ArrayLike>): CallTransfer =>
  (site, interpreter) => {
    const tensor = tensorOf(site);
    return fresh(interpreter, tensor, {
      ...(tensor.dtype !== undefined && { dtype: tensor.dtype }),
      ...(tensor.device !== undefined && { device: tensor.device }),
      ...(tensor.values && { values: tensor.values }),
      ...fields,
    });
  };

/** A function or method of one tensor that keeps its shape. */
const keepsShape: CallTransfer = (site, interpreter) => {
  const fact = argument(site, 0, 'input')?.fact;
  return fact?.kind === 'tensor' ? fresh(interpreter, fact, {}) : undefined;
};

const flattenFunction: CallTransfer = (site, interpreter) => {
  const fact = argument(site, 0, 'input')?.fact;
  if (fact?.kind !== 'tensor' || !site.args.complete) return undefined;
  return flatten(interpreter, fact, argument(site, 1, 'start_dim')?.ref, argument(site, 2, 'end_dim')?.ref);
};

const flattenMethod: CallTransfer = (site, interpreter) =>
  site.args.complete
    ? flatten(
        interpreter,
        tensorOf(site),
        argument(site, 0, 'start_dim')?.ref,
        argument(site, 1, 'end_dim')?.ref,
      )
    : undefined;

function flatten(
  interpreter: Interpreter,
  tensor: ArrayLike,
  from: Ref | undefined,
  until: Ref | undefined,
): Ref {
  const start = from === undefined ? 0 : interpreter.literal(from);
  const end = until === undefined ? -1 : interpreter.literal(until);
  const isKnown = tensor.shape && typeof start === 'number' && typeof end === 'number';
  const result = isKnown ? flattened(tensor.shape!, start, end) : undefined;
  return interpreter.put({
    kind: 'tensor',
    class: 'torch.Tensor',
    ...(result && { shape: result.shape }),
    ...(tensor.dtype !== undefined && { dtype: tensor.dtype }),
    ...(tensor.device !== undefined && { device: tensor.device }),
  });
}

/** `F.max_pool2d(x, 2)`: as the layer of the same parameters does. */
const pool =
  (layer: string): CallTransfer =>
  (site, interpreter) => {
    const input = argument(site, 0, 'input')?.fact;
    const kernel = argument(site, 1, 'kernel_size');
    if (input?.kind !== 'tensor' || !input.shape || !kernel || !site.args.complete) return undefined;
    const plain = (name: string, position: number, fallback: number): Ref =>
      argument(site, position, name)?.ref ?? interpreter.putLiteral(fallback);
    const attributes = new Map<string, Ref>([
      ['kernel_size', kernel.ref],
      ['stride', argument(site, 2, 'stride')?.ref ?? kernel.ref],
      ['padding', plain('padding', 3, 0)],
      ['ceil_mode', argument(site, null, 'ceil_mode')?.ref ?? interpreter.putLiteral(false)],
      ['return_indices', argument(site, null, 'return_indices')?.ref ?? interpreter.putLiteral(false)],
    ]);
    if (site.args.positional.length > 4 || site.args.keywords.has('dilation')) return undefined;
    const result = forward(
      interpreter.look,
      { kind: 'torch-module', class: `torch.nn.${layer}`, attributes },
      input.shape,
    );
    return result && 'shape' in result ? fresh(interpreter, input, { shape: result.shape }) : undefined;
  };

const shapeKeepers =
  'relu leaky_relu elu gelu silu sigmoid tanh softmax log_softmax dropout dropout2d softplus'.split(' ');

export const torchTensors: Library = {
  functions: {
    ...Object.fromEntries(
      shapeKeepers.flatMap((name) => [
        [`torch.nn.functional.${name}`, keepsShape],
        [`torch.${name}`, keepsShape],
      ]),
    ),
    'torch.flatten': flattenFunction,
    'torch.nn.functional.max_pool2d': pool('MaxPool2d'),
    'torch.max_pool2d': pool('MaxPool2d'),
    'torch.nn.functional.avg_pool2d': pool('AvgPool2d'),
    'torch.nn.functional.max_pool1d': pool('MaxPool1d'),
  },
  methods: {
    tensor: {
      to,
      cuda: to,
      type: to,
      cpu: like({ device: 'cpu' }),
      detach: like({ requiresGrad: false }),
      clone: like({}),
      contiguous: like({}),
      requires_grad_: (site, interpreter) => {
        interpreter.state.mayMutate(site.receiver!.ref);
        return site.receiver!.ref;
      },
      float: cast('float32'),
      double: cast('float64'),
      long: cast('int64'),
      int: cast('int32'),
      half: cast('float16'),
      bool: cast('bool'),
      backward: (_site, interpreter) => {
        userCodeMayRun(interpreter);
        return nonePut(interpreter);
      },
      flatten: flattenMethod,
      relu: (site, interpreter) => fresh(interpreter, tensorOf(site), {}),
      sigmoid: (site, interpreter) => fresh(interpreter, tensorOf(site), {}),
      softmax: (site, interpreter) => fresh(interpreter, tensorOf(site), {}),
    },
  },
};
