// Modules of torch.nn: made with known attributes, and called with a tensor of known shape.
import type { Operand } from '../../events.js';
import type { ArrayLike, Layer, Model, Ref, Shape } from '../../facts.js';
import type { Interpreter } from '../../interpreter/interpreter.js';
import type { CallSite, CallTransfer, Library } from '../library.js';
import { forward, recurrent, recurrentLayers } from './forward.js';

/** Leading parameters of each layer in order, with the defaults that its shape rule reads. */
const layers: Record<string, { readonly parameters: string; readonly defaults?: Record<string, number> }> = {
  Linear: { parameters: 'in_features out_features bias' },
  Conv1d: {
    parameters: 'in_channels out_channels kernel_size stride padding dilation groups',
    defaults: { stride: 1, padding: 0, dilation: 1, groups: 1 },
  },
  Conv2d: {
    parameters: 'in_channels out_channels kernel_size stride padding dilation groups',
    defaults: { stride: 1, padding: 0, dilation: 1, groups: 1 },
  },
  MaxPool1d: { parameters: 'kernel_size stride padding dilation', defaults: { padding: 0, dilation: 1 } },
  MaxPool2d: { parameters: 'kernel_size stride padding dilation', defaults: { padding: 0, dilation: 1 } },
  AvgPool2d: { parameters: 'kernel_size stride padding', defaults: { padding: 0 } },
  AdaptiveAvgPool2d: { parameters: 'output_size' },
  BatchNorm1d: { parameters: 'num_features' },
  BatchNorm2d: { parameters: 'num_features' },
  Embedding: { parameters: 'num_embeddings embedding_dim' },
  Flatten: { parameters: 'start_dim end_dim', defaults: { start_dim: 1, end_dim: -1 } },
  LSTM: { parameters: 'input_size hidden_size num_layers' },
  GRU: { parameters: 'input_size hidden_size num_layers' },
  RNN: { parameters: 'input_size hidden_size num_layers' },
  BCELoss: { parameters: '' },
  BCEWithLogitsLoss: { parameters: '' },
  CrossEntropyLoss: { parameters: 'weight' },
  MSELoss: { parameters: '' },
  NLLLoss: { parameters: 'weight' },
};
const plain =
  'ReLU LeakyReLU Sigmoid Tanh Softmax LogSoftmax Dropout Dropout2d GELU ELU SiLU Identity ReLU6'.split(' ');

const make =
  (name: string): CallTransfer =>
  (site, interpreter) => {
    const { parameters = '', defaults = {} } = layers[name] ?? {};
    const names = parameters.split(' ');
    const attributes = new Map<string, Ref>();
    for (const [key, value] of Object.entries(defaults)) attributes.set(key, interpreter.putLiteral(value));
    site.args.positional.forEach((operand, index) => {
      const key = names[index];
      if (key) attributes.set(key, operand.ref);
    });
    for (const [key, operand] of site.args.keywords) attributes.set(key, operand.ref);
    if (/Pool/.test(name) && !attributes.has('stride') && attributes.has('kernel_size'))
      attributes.set('stride', attributes.get('kernel_size')!);
    return interpreter.put(moduleFact(name, site.args.complete ? attributes : new Map()));
  };

function moduleFact(name: string, attributes: ReadonlyMap<string, Ref>): Model {
  return {
    kind: 'torch-module',
    class: `torch.nn.${name}`,
    bases: ['torch.nn.Module'],
    attributes,
    callable: true,
  };
}

const sequential: CallTransfer = (site, interpreter) => {
  const isPlain =
    site.args.complete && site.args.positional.every(({ fact }) => fact.kind === 'torch-module');
  const inner = site.args.positional.map(
    ({ fact, ref }, index): Layer => ({ name: String(index), class: fact.class ?? '?', object: ref }),
  );
  return interpreter.put({ ...moduleFact('Sequential', new Map()), ...(isPlain && { layers: inner }) });
};

/** What calling a module of torch.nn gives; undefined when it does not follow from its attributes. */
export function callModule(
  interpreter: Interpreter,
  module: Model,
  input: Operand | undefined,
): Ref | undefined {
  if (input?.fact.kind !== 'tensor' || !input.fact.shape) return undefined;
  if (recurrentLayers.has(module.class ?? '')) {
    const result = recurrent(interpreter.look, module, input.fact.shape);
    if (!result || 'refusal' in result) return undefined;
    const items = [interpreter.put(tensor(result.output, input.fact)), interpreter.unknown()];
    return interpreter.put({ kind: 'tuple', class: 'builtins.tuple', items, length: 2 });
  }
  const result = forward(interpreter.look, module, input.fact.shape);
  return result && 'shape' in result ? interpreter.put(tensor(result.shape, input.fact)) : undefined;
}

function tensor(shape: Shape, from: ArrayLike): ArrayLike {
  return {
    kind: 'tensor',
    class: 'torch.Tensor',
    shape,
    ...(from.device !== undefined && { device: from.device }),
  };
}

const itself = (site: CallSite): Ref => site.receiver!.ref;

export const torchModules: Library = {
  functions: {
    ...Object.fromEntries([...Object.keys(layers), ...plain].map((name) => [`torch.nn.${name}`, make(name)])),
    'torch.nn.Sequential': sequential,
  },
  methods: {
    'torch-module': { train: itself, eval: itself, to: itself, cuda: itself, cpu: itself },
  },
};
