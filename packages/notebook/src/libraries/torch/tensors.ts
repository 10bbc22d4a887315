// torch tensors: methods that move or convert them, and functions that keep or flatten their shape.

import { argument, literalArgument } from '../../reasoning/arguments.js';
import type { Context } from '../../reasoning/context.js';
import type { Ref } from '../../reasoning/facts.js';
import type { CallSite, CallTransfer, Transfers } from '../../reasoning/library.js';
import { putNone } from '../../reasoning/plain-objects.js';
import { arrayTransfers, derived, int, reshape, shape, transpose } from '../numpy/arrays.js';
import { changesForm } from '../numpy/in-place.js';
import type { ArrayLike } from '../numpy/kinds.js';
import { arrayStyles } from '../numpy/styles.js';
import { flattened, forward } from './forward.js';
import { recallTorch } from './memory.js';

arrayStyles.tensor = {
  class: 'torch.Tensor',
  shapeClass: 'torch.Size',
  keepsClass: true,
  swapsAxes: true,
  flattensAxes: true,
  hasZeroDimensions: true,
  keepsPrecision: true,
  givesPairs: ['max', 'min', 'median', 'mode'],
  ownsResults: true,
  dtypes: { int: 'int64', float: 'float32', bool: 'bool' },
};

function fresh(context: Context, from: ArrayLike, fields: Partial<ArrayLike>): Ref {
  return context.put({ kind: 'tensor', class: 'torch.Tensor', shape: from.shape, ...fields });
}

const tensorOf = (site: CallSite): ArrayLike => site.receiver!.fact as ArrayLike;

/** `to(...)`: device, dtype or both may be another; the shape stays. */
const to: CallTransfer = (site, context) => {
  const tensor = tensorOf(site);
  const device = movedTo(site, context);
  if (device === undefined) return fresh(context, tensor, {});
  const isCpu = device === 'cpu' && (tensor.device ?? 'cpu') === 'cpu';
  return fresh(context, tensor, {
    dtype: tensor.dtype,
    requiresGrad: tensor.requiresGrad,
    values: tensor.values,
    ...(isCpu && tensor.recipe !== undefined && { recipe: tensor.recipe }),
    device,
  });
};

/** The device that `x.to(device)` or `x.cuda()` names, where nothing else is asked for; without a number, the first. */
function movedTo(site: CallSite, context: Context): string | undefined {
  const { method, args } = site;
  if (movesToCpu(site, context)) return 'cpu';
  const others = [...args.keywords.keys()].filter((name) => name !== 'device' && name !== 'non_blocking');
  if (!args.complete || args.positional.length > 1 || others.length > 0) return undefined;
  const device = argument(site, 0, 'device');
  if (method === 'cuda' && !device) return 'cuda:0';
  if (method !== 'to' || !device) return undefined;
  const { fact } = device;
  const named = fact.kind === 'instance' ? fact.text : context.literal(device.ref);
  if (typeof named !== 'string' || !/^cuda(:\d+)?$/.test(named)) return undefined;
  return named.includes(':') ? named : `${named}:0`;
}

/** `x.to(device)` where the device is the CPU and nothing else is asked for. */
export function movesToCpu(site: CallSite, context: Context): boolean {
  if (site.method === 'cpu') return true;
  if (site.method !== 'to' || !site.args.complete) return false;
  const count = site.args.positional.length + site.args.keywords.size;
  const device = argument(site, 0, 'device');
  if (!device || count !== 1) return false;
  const { fact } = device;
  return context.literal(device.ref) === 'cpu' || (fact.kind === 'instance' && fact.text === 'cpu');
}

const cast =
  (dtype: string): CallTransfer =>
  (site, context) => {
    const tensor = tensorOf(site);
    return fresh(context, tensor, { dtype, device: tensor.device });
  };

/** A tensor of the same form on the CPU or cut off from the graph. */
const like =
  (fields: Partial<ArrayLike>): CallTransfer =>
  (site, context) => {
    const tensor = tensorOf(site);
    return fresh(context, tensor, {
      dtype: tensor.dtype,
      device: tensor.device,
      values: tensor.values,
      ...fields,
    });
  };

/** A function or method of one tensor that keeps its shape. */
const keepsShape: CallTransfer = (site, context) => {
  const fact = argument(site, 0, 'input')?.fact;
  return fact?.kind === 'tensor' ? fresh(context, fact, {}) : undefined;
};

const flattenMethod: CallTransfer = (site, context) =>
  site.args.complete
    ? flatten(context, tensorOf(site), argument(site, 0, 'start_dim')?.ref, argument(site, 1, 'end_dim')?.ref)
    : undefined;

function flatten(context: Context, tensor: ArrayLike, from: Ref | undefined, until: Ref | undefined): Ref {
  const start = from === undefined ? 0 : context.literal(from);
  const end = until === undefined ? -1 : context.literal(until);
  const isKnown = tensor.shape && typeof start === 'number' && typeof end === 'number';
  const result = isKnown ? flattened(tensor.shape!, start, end) : undefined;
  return context.put({
    kind: 'tensor',
    class: 'torch.Tensor',
    ...(result && { shape: result.shape }),
    dtype: tensor.dtype,
    device: tensor.device,
  });
}

/** `F.max_pool2d(x, 2)`: as the layer of the same parameters does. */
const pool =
  (layer: string): CallTransfer =>
  (site, context) => {
    const input = argument(site, 0, 'input')?.fact;
    const kernel = argument(site, 1, 'kernel_size');
    if (input?.kind !== 'tensor' || !input.shape || !kernel || !site.args.complete) return undefined;
    const plain = (name: string, position: number, fallback: number): Ref =>
      argument(site, position, name)?.ref ?? context.putLiteral(fallback);
    const attributes = new Map<string, Ref>([
      ['kernel_size', kernel.ref],
      ['stride', argument(site, 2, 'stride')?.ref ?? kernel.ref],
      ['padding', plain('padding', 3, 0)],
      ['ceil_mode', argument(site, null, 'ceil_mode')?.ref ?? context.putLiteral(false)],
      ['return_indices', argument(site, null, 'return_indices')?.ref ?? context.putLiteral(false)],
    ]);
    if (site.args.positional.length > 4 || site.args.keywords.has('dilation')) return undefined;
    const result = forward(
      context.look,
      { kind: 'torch-module', class: `torch.nn.${layer}`, attributes },
      input.shape,
    );
    return result && 'shape' in result ? fresh(context, input, { shape: result.shape }) : undefined;
  };

const shapeKeepers =
  'relu leaky_relu elu gelu silu sigmoid tanh softmax log_softmax dropout dropout2d softplus'.split(' ');

const unsqueeze: CallTransfer = (site, context) => {
  const array = tensorOf(site);
  const axis = literalArgument(context, site, 0, 'dim');
  if (!array.shape || typeof axis !== 'number') return context.put(derived(array, undefined));
  const position = axis < 0 ? axis + array.shape.length + 1 : axis;
  return context.put(derived(array, [...array.shape.slice(0, position), 1, ...array.shape.slice(position)]));
};

const size: CallTransfer = (site, context) => {
  const array = tensorOf(site);
  const axis = literalArgument(context, site, 0, 'dim');
  if (typeof axis === 'number') return int(context, array.shape?.at(axis));
  return shape(site.receiver!, context);
};

const arrayMethods: Record<string, CallTransfer> = {
  ...Object.fromEntries(
    'resize_ resize_as_ set_ squeeze_ swapaxes_ swapdims_ t_ transpose_ unsqueeze_'
      .split(' ')
      .map((name) => [name, changesForm]),
  ),
  view: reshape,
  permute: transpose,
  unsqueeze,
  size,
  numpy: (site, context) => {
    const { shape: form, dtype } = tensorOf(site);
    return context.put({ kind: 'ndarray', class: 'numpy.ndarray', shape: form, dtype });
  },
};

export const torchTensorFunctions: Transfers = {
  attributes: {
    tensor: {
      grad: (_receiver, context) => (recallTorch(context).makesGradients ? context.unknown() : undefined),
    },
  },
  functions: {
    ...Object.fromEntries(
      shapeKeepers.flatMap((name) => [
        [`torch.nn.functional.${name}`, keepsShape],
        [`torch.${name}`, keepsShape],
      ]),
    ),
    'torch.nn.functional.max_pool2d': pool('MaxPool2d'),
  },
};

export const torchTensors = arrayTransfers('tensor', {
  ...arrayMethods,
  to,
  cuda: to,
  type: to,
  cpu: like({ device: 'cpu' }),
  detach: like({ requiresGrad: false }),
  clone: like({}),
  contiguous: like({}),
  requires_grad_: (site, context) => {
    context.state.mayMutate(site.receiver!.ref);
    return site.receiver!.ref;
  },
  float: cast('float32'),
  double: cast('float64'),
  long: cast('int64'),
  int: cast('int32'),
  half: cast('float16'),
  bool: cast('bool'),
  backward: (_site, context) => {
    context.userCodeMayRun();
    return putNone(context);
  },
  flatten: flattenMethod,
});
