// Keras layers made in the walked code, and what they do to the shapes of symbolic tensors. Only layers whose output
// follows from their arguments are here; of all others nothing is known.
import type { Literal } from '@grus/kernel/snapshot';
import { literalArgument } from '../../reasoning/arguments.js';
import type { Context } from '../../reasoning/context.js';
import type { Dim, Fact, Instance, Ref, Shape } from '../../reasoning/facts.js';
import type { CallSite, CallTransfer, Transfers } from '../../reasoning/library.js';
import { literalOf } from '../../reasoning/literals.js';
import { sizeOf } from '../numpy/shapes.js';
import type { KerasModel } from './kinds.js';

export type Look = (ref: Ref) => Fact;
type LayerResult = { readonly shape: Shape } | { readonly refusal: string } | undefined;

/** Parameters that come first and may be given by position. */
const positional: Record<string, readonly string[]> = {
  Dense: ['units', 'activation'],
  Conv1D: ['filters', 'kernel_size', 'strides', 'padding'],
  Conv2D: ['filters', 'kernel_size', 'strides', 'padding'],
  MaxPooling1D: ['pool_size', 'strides', 'padding'],
  MaxPooling2D: ['pool_size', 'strides', 'padding'],
  AveragePooling2D: ['pool_size', 'strides', 'padding'],
  Embedding: ['input_dim', 'output_dim'],
  LSTM: ['units', 'activation'],
  GRU: ['units', 'activation'],
  SimpleRNN: ['units', 'activation'],
  Dropout: ['rate'],
  Activation: ['activation'],
  Flatten: [],
  GlobalAveragePooling1D: [],
  GlobalAveragePooling2D: [],
  GlobalMaxPooling1D: [],
  GlobalMaxPooling2D: [],
  BatchNormalization: ['axis'],
  LayerNormalization: ['axis'],
  ReLU: [],
  LeakyReLU: [],
  Softmax: [],
  Rescaling: ['scale', 'offset'],
  GaussianNoise: ['stddev'],
  Add: [],
  Subtract: [],
  Multiply: [],
  Average: [],
  Maximum: [],
  Concatenate: ['axis'],
};

function layerKind(layer: KerasModel): string {
  return layer.class?.split('.').at(-1) ?? '';
}

export function parameter(look: Look, layer: KerasModel, name: string): Literal | undefined {
  const ref = layer.parameters?.get(name);
  return ref === undefined ? undefined : literalOf(look(ref), look);
}

const makeLayer =
  (kind: string): CallTransfer =>
  (site, context) => {
    const parameters = new Map<string, Ref>();
    positional[kind]!.forEach((name, index) => {
      const given = site.args.positional[index];
      if (given) parameters.set(name, given.ref);
    });
    for (const [name, operand] of site.args.keywords) parameters.set(name, operand.ref);
    if (!site.args.complete) parameters.clear();
    return context.put({
      kind: 'keras-layer',
      class: `keras.layers.${kind}`,
      callable: true,
      parameters,
      ...(!site.args.complete && { dynamic: true }),
    });
  };

/** `keras.Input(shape=…)`: a symbolic tensor. */
const input: CallTransfer = (site, context) => {
  const shape = literalArgument(context, site, 0, 'shape');
  const batch = literalArgument(context, site, 1, 'batch_size');
  const isPlain = Array.isArray(shape) && !site.args.keywords.has('tensor') && site.args.complete;
  if (!isPlain || site.args.keywords.has('batch_shape')) return undefined;
  return putSymbolic(context, [typeof batch === 'number' ? batch : null, ...dimsOf(shape)]);
};

function dimsOf(shape: readonly Literal[]): Dim[] {
  return shape.map((dim) => (typeof dim === 'number' ? dim : null));
}

const symbolicClass = 'keras.KerasTensor';

function putSymbolic(context: Context, shape: Shape | undefined): Ref {
  return context.put({ kind: 'instance', class: symbolicClass, shape });
}

export function isSymbolic(fact: Fact): fact is Instance {
  return fact.kind === 'instance' && /(^|\.)KerasTensor$/.test(fact.class ?? '');
}

/** Shapes of the symbolic tensor or tensors that a layer is called on. */
export function symbolicInputs(look: Look, site: Pick<CallSite, 'args'>): Shape[] | undefined {
  const [first] = site.args.positional;
  if (!first || !site.args.complete) return undefined;
  const { fact } = first;
  const facts = (fact.kind === 'list' || fact.kind === 'tuple' ? fact.items?.map(look) : [fact]) ?? [];
  const shapes = facts.map((each) => (isSymbolic(each) ? each.shape : undefined));
  return shapes.length > 0 && shapes.every((shape) => shape !== undefined) ? shapes : undefined;
}

/** Calls a layer on symbolic tensors. */
function callLayer(context: Context, layer: KerasModel, site: CallSite): Ref | undefined {
  const inputs = symbolicInputs(context.look, site);
  if (!inputs) return undefined;
  const result = layerOutput(context.look, layer, inputs);
  return putSymbolic(context, result && 'shape' in result ? result.shape : undefined);
}

const keepsShape =
  /^(Dropout|Activation|BatchNormalization|LayerNormalization|ReLU|LeakyReLU|Softmax|Rescaling|GaussianNoise)$/;

/** What the layer gives for inputs of these shapes, or what it says when it refuses them. */
export function layerOutput(look: Look, layer: KerasModel, inputs: readonly Shape[]): LayerResult {
  const kind = layerKind(layer);
  if (!layer.parameters || layer.dynamic || layer.path !== undefined || !Object.hasOwn(positional, kind))
    return undefined;
  if (/^(Add|Subtract|Multiply|Average|Maximum)$/.test(kind)) return merged(inputs);
  if (kind === 'Concatenate') return concatenated(parameter(look, layer, 'axis'), layer, inputs);
  const [shape] = inputs;
  if (!shape || inputs.length !== 1) return undefined;
  if (keepsShape.test(kind)) return { shape };
  const number = (name: string): Dim => {
    const value = parameter(look, layer, name);
    return typeof value === 'number' ? value : null;
  };
  const rank = ranks[kind];
  if (rank !== undefined && shape.length !== rank) {
    const takesMore = kind.startsWith('Conv');
    if (takesMore && shape.length > rank) return undefined;
    return {
      refusal: `Input 0 … is incompatible with the layer: expected ${takesMore ? 'min_' : ''}ndim=${rank}, found ndim=${shape.length}. Full shape received: (${shape.map((dim) => dim ?? 'None').join(', ')})`,
    };
  }
  const batch = shape[0] ?? null;
  switch (kind) {
    case 'Dense':
      return shape.length < 2 ? undefined : { shape: [...shape.slice(0, -1), number('units')] };
    case 'Flatten':
      return { shape: [batch, sizeOf(shape.slice(1))] };
    case 'Embedding':
      return { shape: [...shape, number('output_dim')] };
    case 'GlobalAveragePooling1D':
    case 'GlobalMaxPooling1D':
    case 'GlobalAveragePooling2D':
    case 'GlobalMaxPooling2D':
      return layer.parameters.size === 0 ? { shape: [batch, shape.at(-1)!] } : undefined;
    case 'LSTM':
    case 'GRU':
    case 'SimpleRNN': {
      const sequences = parameter(look, layer, 'return_sequences');
      const isPlain = !layer.parameters.has('return_state');
      if (!isPlain || (layer.parameters.has('return_sequences') && typeof sequences !== 'boolean'))
        return undefined;
      return { shape: sequences === true ? [batch, shape[1]!, number('units')] : [batch, number('units')] };
    }
    case 'Conv1D':
    case 'Conv2D':
      return windowed(look, layer, shape, 'kernel_size', number('filters'));
    case 'MaxPooling1D':
    case 'MaxPooling2D':
    case 'AveragePooling2D':
      return windowed(look, layer, shape, 'pool_size', shape.at(-1)!);
    default:
      return undefined;
  }
}

const ranks: Record<string, number> = {
  Conv1D: 3,
  Conv2D: 4,
  MaxPooling1D: 3,
  MaxPooling2D: 4,
  AveragePooling2D: 4,
  GlobalAveragePooling1D: 3,
  GlobalMaxPooling1D: 3,
  GlobalAveragePooling2D: 4,
  GlobalMaxPooling2D: 4,
  LSTM: 3,
  GRU: 3,
  SimpleRNN: 3,
};

/** Sizes after a window has slid over the axes between the batch and the channels. */
function windowed(look: Look, layer: KerasModel, shape: Shape, window: string, channels: Dim): LayerResult {
  const unusual = ['data_format', 'dilation_rate', 'groups'].some((name) => layer.parameters!.has(name));
  const axes = shape.length - 2;
  const size =
    perAxis(parameter(look, layer, window), axes) ??
    (window === 'pool_size' && !layer.parameters!.has(window)
      ? Array.from({ length: axes }, () => 2)
      : undefined);
  const fallback = window === 'pool_size' ? size : Array.from({ length: axes }, () => 1);
  const given = parameter(look, layer, 'strides');
  const strides = layer.parameters!.has('strides') && given !== null ? perAxis(given, axes) : fallback;
  const padding = layer.parameters!.has('padding') ? parameter(look, layer, 'padding') : 'valid';
  const spatial = shape.slice(1, -1).map((dim, axis): Dim => {
    const [wide, step] = [size?.[axis], strides?.[axis]];
    if (dim === null || wide === undefined || step === undefined || unusual) return null;
    if (padding === 'same') return Math.ceil(dim / step);
    if (padding !== 'valid') return null;
    return dim >= wide ? Math.floor((dim - wide) / step) + 1 : 0;
  });
  if (spatial.includes(0))
    return {
      refusal: `Computed output size would be zero or negative. Received: inputs.shape=(${inner(shape)})`,
    };
  return { shape: [shape[0]!, ...spatial, channels] };
}

function perAxis(value: Literal | undefined, axes: number): number[] | undefined {
  if (typeof value === 'number') return Array.from({ length: axes }, () => value);
  const isWhole =
    Array.isArray(value) && value.length === axes && value.every((part) => typeof part === 'number');
  return isWhole ? (value as number[]) : undefined;
}

/** Element by element: axes must be equal, or 1. */
function merged(inputs: readonly Shape[]): LayerResult {
  const [first, second] = inputs;
  if (!first || !second || inputs.length !== 2 || first.length !== second.length) return undefined;
  const shape: Dim[] = [];
  for (const [axis, dim] of first.entries()) {
    const other = second[axis]!;
    if (dim !== null && other !== null && dim !== other && dim !== 1 && other !== 1 && axis > 0)
      return {
        refusal: `Inputs have incompatible shapes. Received shapes (${inner(first)}) and (${inner(second)})`,
      };
    shape.push(dim === 1 ? other : other === 1 || dim === other ? dim : null);
  }
  return { shape };
}

function inner(shape: Shape): string {
  const dims = shape.slice(1).map((dim) => dim ?? 'None');
  return dims.length === 1 ? `${dims[0]},` : dims.join(', ');
}

function concatenated(axis: Literal | undefined, layer: KerasModel, inputs: readonly Shape[]): LayerResult {
  const given = layer.parameters!.has('axis') ? axis : -1;
  const [first] = inputs;
  if (!first || inputs.length < 2 || typeof given !== 'number') return undefined;
  if (inputs.some((shape) => shape.length !== first.length)) return undefined;
  const at = given < 0 ? given + first.length : given;
  for (const other of inputs.slice(1))
    for (const [position, dim] of first.entries()) {
      const size = other[position]!;
      if (position !== at && position > 0 && dim !== null && size !== null && dim !== size)
        return {
          refusal:
            'A `Concatenate` layer requires inputs with matching shapes except for the concatenation axis.',
        };
    }
  const total = inputs.reduce<Dim>((sum, shape) => {
    const dim = shape[at] ?? null;
    return sum === null || dim === null ? null : sum + dim;
  }, 0);
  return { shape: first.map((dim, position) => (position === at ? total : dim)) };
}

export const kerasLayers: Transfers = {
  call: { 'keras-layer': ({ fact }, site, context) => callLayer(context, fact as KerasModel, site) },
  functions: {
    ...Object.fromEntries(Object.keys(positional).map((kind) => [`keras.layers.${kind}`, makeLayer(kind)])),
    'keras.layers.MaxPool2D': makeLayer('MaxPooling2D'),
    'keras.layers.MaxPool1D': makeLayer('MaxPooling1D'),
    'keras.layers.Input': input,
    'keras.Input': input,
  },
};
