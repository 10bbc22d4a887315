import type { Dim, Shape } from '../../reasoning/facts.js';
import { sizeOf } from '../numpy/shapes.js';
import type { TorchModule } from './kinds.js';
import { attributeOf, type Look, sizes } from './layer-attributes.js';
import { convolved, pooled } from './windows.js';

export interface Refusal {
  readonly exception: string;
  readonly message: string;
  /** The layer that refuses, as printed: "Linear(in_features=256, out_features=64)". */
  readonly layer: string;
  readonly input: Shape;
}
type Forward = { readonly shape: Shape } | { readonly refusal: Refusal } | undefined;
function layerName(module: TorchModule): string {
  return module.class?.split('.').at(-1) ?? 'module';
}

const keepingShape =
  /^torch\.nn\.(ReLU|LeakyReLU|PReLU|ELU|SELU|CELU|GELU|SiLU|Mish|Sigmoid|Tanh|Hardtanh|Softplus|LogSigmoid|Softmax|LogSoftmax|Hardswish|ReLU6|Dropout|Dropout1d|Dropout2d|Dropout3d|AlphaDropout|Identity|Hardsigmoid|Softsign)$/;

/** The shape of `module(input)`; what is refused; or undefined when it is not known. */
export function forward(look: Look, module: TorchModule, input: Shape): Forward {
  if (module.of !== undefined || module.hooked) return undefined;
  const name = module.class ?? '';
  if (keepingShape.test(name)) return { shape: input };
  const rule = Object.hasOwn(rules, name) ? rules[name]! : undefined;
  return rule?.(look, module, input);
}

type Rule = (look: Look, module: TorchModule, input: Shape) => Forward;

function refuse(
  module: TorchModule,
  input: Shape,
  message: string,
  exception = 'RuntimeError',
  detail = '',
): Forward {
  return { refusal: { exception, message, layer: `${layerName(module)}${detail}`, input } };
}

function number(look: Look, module: TorchModule, name: string): number | undefined {
  const value = attributeOf(look, module, name);
  return typeof value === 'number' ? value : undefined;
}

const differ = (dim: Dim | undefined, wanted: number | undefined): boolean =>
  typeof dim === 'number' && wanted !== undefined && dim !== wanted;

const linear: Rule = (look, module, input) => {
  const wanted = number(look, module, 'in_features');
  const out = number(look, module, 'out_features') ?? null;
  const last = input.at(-1);
  if (last === undefined) return undefined;
  if (!differ(last, wanted)) return { shape: [...input.slice(0, -1), out] };
  const rows = sizeOf(input.slice(0, -1));
  return refuse(
    module,
    input,
    `mat1 and mat2 shapes cannot be multiplied (${rows ?? '?'}x${last} and ${wanted}x${out ?? '?'})`,
    'RuntimeError',
    `(in_features=${wanted}, out_features=${out ?? '?'})`,
  );
};

const convolution =
  (rank: 1 | 2): Rule =>
  (look, module, input) => {
    if (input.length !== rank + 1 && input.length !== rank + 2)
      return refuse(
        module,
        input,
        `Expected ${rank + 1}D (unbatched) or ${rank + 2}D (batched) input to conv${rank}d, but got input of size: [${text(input)}]`,
      );
    const wanted = number(look, module, 'in_channels');
    const axis = input.length - rank - 1;
    const groups = number(look, module, 'groups') ?? 1;
    const out = number(look, module, 'out_channels') ?? null;
    if (differ(input[axis], wanted)) {
      const kernel = sizes(attributeOf(look, module, 'kernel_size'), rank);
      const shown = input.length === rank + 2 ? input : [1, ...input];
      return refuse(
        module,
        input,
        `Given groups=${groups}, weight of size [${[out, (wanted ?? 0) / groups, ...(kernel ?? ['?'])].join(', ')}], expected input[${text(shown)}] to have ${wanted} channels, but got ${input[axis]} channels instead`,
        'RuntimeError',
        `(${wanted}, ${out ?? '?'})`,
      );
    }
    const spatial = convolved(look, module, input.slice(axis + 1), rank);
    if (spatial === 'too-small')
      return refuse(
        module,
        input,
        "Calculated padded input size per channel is too small. Kernel size can't be greater than actual input size",
      );
    return { shape: [...input.slice(0, axis), out, ...(spatial ?? input.slice(axis + 1).map(() => null))] };
  };

const pooling =
  (rank: 1 | 2): Rule =>
  (look, module, input) => {
    if (input.length < rank + 1 || input.length > rank + 2) return undefined;
    const axis = input.length - rank;
    const spatial = pooled(look, module, input.slice(axis), rank);
    if (spatial === 'too-small')
      return refuse(
        module,
        input,
        `Given input size: (${text(input.slice(axis - 1))}). Calculated output size is too small`,
      );
    return { shape: [...input.slice(0, axis), ...(spatial ?? input.slice(axis).map(() => null))] };
  };

const adaptive =
  (rank: 1 | 2): Rule =>
  (look, module, input) => {
    if (input.length < rank + 1 || input.length > rank + 2) return undefined;
    const out = sizes(attributeOf(look, module, 'output_size'), rank);
    const axis = input.length - rank;
    return { shape: [...input.slice(0, axis), ...(out ?? input.slice(axis).map(() => null))] };
  };

const batchNorm =
  (ranks: readonly number[]): Rule =>
  (look, module, input) => {
    if (!ranks.includes(input.length))
      return refuse(
        module,
        input,
        `expected ${ranks.map((rank) => `${rank}D`).join(' or ')} input (got ${input.length}D input)`,
        'ValueError',
      );
    const wanted = number(look, module, 'num_features');
    const isTracking = attributeOf(look, module, 'track_running_stats') === true;
    if (differ(input[1], wanted) && isTracking)
      return refuse(
        module,
        input,
        `running_mean should contain ${input[1]} elements not ${wanted}`,
        'RuntimeError',
        `(${wanted})`,
      );
    return { shape: input };
  };

const layerNorm: Rule = (look, module, input) => {
  const wanted = attributeOf(look, module, 'normalized_shape');
  if (!Array.isArray(wanted) || !wanted.every((size) => typeof size === 'number')) return undefined;
  const tail = input.slice(-wanted.length);
  if (input.length < wanted.length || tail.some((dim, index) => differ(dim, wanted[index] as number)))
    return refuse(
      module,
      input,
      `Given normalized_shape=[${wanted.join(', ')}], expected input with shape [*, ${wanted.join(', ')}], but got input of size[${text(input)}]`,
    );
  return { shape: input };
};

const flatten: Rule = (look, module, input) => {
  const start = number(look, module, 'start_dim') ?? 1;
  const end = number(look, module, 'end_dim') ?? -1;
  return flattened(input, start, end);
};

/** The shape with the axes from `start` to `end` made one; undefined when they are not in range. */
export function flattened(input: Shape, start: number, end: number): { readonly shape: Shape } | undefined {
  const first = start < 0 ? start + input.length : start;
  const last = end < 0 ? end + input.length : end;
  if (first < 0 || last >= input.length || first > last) return undefined;
  const joined = sizeOf(input.slice(first, last + 1));
  return { shape: [...input.slice(0, first), joined, ...input.slice(last + 1)] };
}

const embedding: Rule = (look, module, input) => ({
  shape: [...input, number(look, module, 'embedding_dim') ?? null],
});

const sequential: Rule = (look, module, input) => {
  let shape = input;
  for (const layer of module.layers ?? []) {
    const inner = layer.object === undefined ? undefined : look(layer.object);
    const result = inner?.kind === 'torch-module' ? forward(look, inner, shape) : undefined;
    if (!result || 'refusal' in result) return result;
    shape = result.shape;
  }
  return module.layers ? { shape } : undefined;
};

const rules: Record<string, Rule> = {
  'torch.nn.Linear': linear,
  'torch.nn.Conv1d': convolution(1),
  'torch.nn.Conv2d': convolution(2),
  'torch.nn.MaxPool1d': pooling(1),
  'torch.nn.MaxPool2d': pooling(2),
  'torch.nn.AvgPool2d': pooling(2),
  'torch.nn.AdaptiveAvgPool1d': adaptive(1),
  'torch.nn.AdaptiveAvgPool2d': adaptive(2),
  'torch.nn.AdaptiveMaxPool2d': adaptive(2),
  'torch.nn.BatchNorm1d': batchNorm([2, 3]),
  'torch.nn.BatchNorm2d': batchNorm([4]),
  'torch.nn.LayerNorm': layerNorm,
  'torch.nn.Flatten': flatten,
  'torch.nn.Embedding': embedding,
  'torch.nn.Sequential': sequential,
};

export function text(shape: Shape): string {
  return shape.map((dim) => dim ?? '?').join(', ');
}

/** Rank and width that a recurrent layer demands, and what it gives. */
export function recurrent(
  look: Look,
  module: TorchModule,
  input: Shape,
): { readonly output: Shape } | { readonly refusal: Refusal } | undefined {
  const size = number(look, module, 'input_size');
  const hidden = number(look, module, 'hidden_size');
  const both = attributeOf(look, module, 'bidirectional');
  const projected = number(look, module, 'proj_size') ?? 0;
  if (input.length !== 2 && input.length !== 3) return undefined;
  if (differ(input.at(-1), size))
    return {
      refusal: {
        exception: 'RuntimeError',
        message: `input.size(-1) must be equal to input_size. Expected ${size}, got ${input.at(-1)}`,
        layer: `${layerName(module)}(${size}, ${hidden ?? '?'})`,
        input,
      },
    };
  const width =
    hidden === undefined || typeof both !== 'boolean' || projected > 0 ? null : hidden * (both ? 2 : 1);
  return { output: [...input.slice(0, -1), width] };
}

export const recurrentLayers = new Set(['torch.nn.LSTM', 'torch.nn.GRU', 'torch.nn.RNN']);
