// torch modules: making the library's own layers, calling them, and the methods that leave a module as it is.
import type { Literal } from '@grus/kernel/snapshot';
import type { Context } from '../../reasoning/context.js';
import type { Operand } from '../../reasoning/events.js';
import type { Fact, Layer, Ref } from '../../reasoning/facts.js';
import type { CallSite, CallTransfer, Transfers } from '../../reasoning/library.js';
import { putTuple } from '../../reasoning/plain-objects.js';
import type { ArrayLike } from '../numpy/kinds.js';
import { forward, recurrent, recurrentLayers } from './forward.js';
import type { TorchModule } from './kinds.js';
import { attributeOf } from './layer-attributes.js';
import { recallTorch } from './memory.js';
import { moveModule } from './questions/steps.js';
import { movesToCpu } from './tensors.js';

/** Parameters of a constructor in order, with the value that stands for a missing one; undefined: has to be given. */
type Constructor = readonly (readonly [name: string, fallback?: Literal])[];

const convolution: Constructor = [
  ['in_channels'],
  ['out_channels'],
  ['kernel_size'],
  ['stride', 1],
  ['padding', 0],
  ['dilation', 1],
  ['groups', 1],
];
const norm: Constructor = [
  ['num_features'],
  ['eps', 0.00001],
  ['momentum', 0.1],
  ['affine', true],
  ['track_running_stats', true],
];
const recurrentLayer: Constructor = [
  ['input_size'],
  ['hidden_size'],
  ['num_layers', 1],
  ['bias', true],
  ['batch_first', false],
  ['dropout', 0],
  ['bidirectional', false],
  ['proj_size', 0],
];
const pooling: Constructor = [
  ['kernel_size'],
  ['stride', null],
  ['padding', 0],
  ['dilation', 1],
  ['return_indices', false],
  ['ceil_mode', false],
];
const classLoss: Constructor = [
  ['weight', null],
  ['size_average', null],
  ['ignore_index', -100],
];
const plain: Constructor = [];

const constructors: Record<string, Constructor> = {
  Linear: [['in_features'], ['out_features'], ['bias', true]],
  Conv1d: convolution,
  Conv2d: convolution,
  BatchNorm1d: norm,
  BatchNorm2d: norm,
  Embedding: [['num_embeddings'], ['embedding_dim']],
  LSTM: recurrentLayer,
  GRU: recurrentLayer,
  RNN: [['input_size'], ['hidden_size']],
  Flatten: [
    ['start_dim', 1],
    ['end_dim', -1],
  ],
  MaxPool1d: pooling,
  MaxPool2d: pooling,
  AvgPool2d: [['kernel_size'], ['stride', null], ['padding', 0], ['ceil_mode', false]],
  AdaptiveAvgPool2d: [['output_size']],
  Dropout: [['p', 0.5]],
  CrossEntropyLoss: classLoss,
  NLLLoss: classLoss,
  BCELoss: plain,
  BCEWithLogitsLoss: plain,
  MSELoss: plain,
  ReLU: plain,
  Sigmoid: plain,
  Tanh: plain,
  GELU: plain,
  LeakyReLU: plain,
  ELU: plain,
  SiLU: plain,
  ReLU6: plain,
  Dropout2d: plain,
  Softmax: [['dim', null]],
  LogSoftmax: [['dim', null]],
  Identity: plain,
};

/** Layers that take inputs of the type of their weights only. */
const weighted = /^(Linear|Conv[12]d)$/;
const floats: ArrayLike = { kind: 'tensor', class: 'torch.nn.Parameter', dtype: 'float32' };

function moduleOf(name: string): TorchModule {
  return { kind: 'torch-module', class: `torch.nn.${name}`, bases: ['torch.nn.Module'], callable: true };
}

/**
 * Parameters that a layer keeps as they were given. Of others it makes something else: a tensor of `bias=True`, a tuple of
 * `kernel_size=3`, nothing of `size_average`.
 */
const keptAsGiven =
  /^((in|out)_(features|channels)|num_(features|layers|embeddings)|(input|hidden)_size|embedding_dim)$/;

const makeLayer =
  (name: string, parameters: Constructor): CallTransfer =>
  (site, context) => {
    const options = new Map<string, Ref>();
    parameters.forEach(([parameter, fallback], index) => {
      const given = site.args.keywords.get(parameter) ?? site.args.positional[index];
      if (given) options.set(parameter, given.ref);
      else if (fallback !== undefined && site.args.complete)
        options.set(parameter, context.putLiteral(fallback));
    });
    const kernel = options.get('kernel_size');
    const stride = options.get('stride');
    if (kernel !== undefined && stride !== undefined && context.literal(stride) === null)
      options.set('stride', kernel);
    const isUsual =
      site.args.complete && !site.args.keywords.has('dtype') && recallTorch(context).makesFloats;
    const weight = isUsual && weighted.test(name) ? context.put(floats) : undefined;
    return context.put({
      ...moduleOf(name),
      attributes: new Map([...options].filter(([parameter]) => keptAsGiven.test(parameter))),
      options,
      layers: [],
      ...(weight !== undefined && { parameters: new Map([['weight', weight]]) }),
    });
  };

const sequential: CallTransfer = (site, context) => {
  const layers: Layer[] = site.args.positional.map((operand, index) => ({
    name: String(index),
    class: operand.fact.class ?? '?',
    object: operand.ref,
  }));
  const isPlain =
    site.args.complete && site.args.positional.every(({ fact }) => fact.kind === 'torch-module');
  return context.put({
    ...moduleOf('Sequential'),
    attributes: new Map(layers.map((layer) => [layer.name, layer.object!])),
    ...(isPlain && { layers }),
  });
};

/** The result of calling one of the library's own modules; undefined when it is not known. */
function callModule(context: Context, module: TorchModule, input: Operand | undefined): Ref | undefined {
  if (/Loss$/.test(module.class ?? '')) return lossValue(context, module);
  if (input?.fact.kind !== 'tensor') return undefined;
  if (attributeOf(context.look, module, 'inplace') !== false) context.state.valuesChanged(input.ref);
  const { shape, device } = input.fact;
  if (!shape) return undefined;
  const tensor = (result: ArrayLike['shape']): ArrayLike => ({
    kind: 'tensor',
    class: 'torch.Tensor',
    ...(result && { shape: result }),
    ...(device !== undefined && { device }),
  });
  if (recurrentLayers.has(module.class ?? '')) {
    const result = recurrent(context.look, module, shape);
    if (!result || 'refusal' in result) return undefined;
    const items = [context.put(tensor(result.output)), context.unknown()];
    return putTuple(context, items);
  }
  const result = forward(context.look, module, shape);
  return result && 'shape' in result ? context.put(tensor(result.shape)) : undefined;
}

function lossValue(context: Context, module: TorchModule): Ref {
  const isScalar = attributeOf(context.look, module, 'reduction') === 'mean';
  return isScalar ? context.put({ kind: 'tensor', class: 'torch.Tensor', shape: [] }) : context.unknown();
}

/** Gives the module itself; its weights may have moved or changed their dtype. */
const moved: CallTransfer = (site, context) => {
  if (movesToCpu(site, context) && isOnCpu(context, site.receiver!.fact)) return site.receiver!.ref;
  forgetPlacement(context, site.receiver!.fact, keepsDtype(site, context), new Set());
  const asked = moveModule(context, site);
  if (asked === undefined) recallTorch(context).rebuiltModules = true;
  return site.receiver!.ref;
};

/** A module made in the walked code is on the CPU; of a live one the weights say where they are. */
function isOnCpu(context: Context, fact: Fact): boolean {
  if (fact.kind !== 'torch-module') return false;
  const weights = [...(fact.parameters?.values() ?? [])].map(context.look);
  const parts = (fact.layers ?? []).map(({ object }) => (object === undefined ? fact : context.look(object)));
  return (
    weights.every(
      (weight) => weight.kind !== 'tensor' || weight.device === undefined || weight.device === 'cpu',
    ) && parts.every((part) => part !== fact && isOnCpu(context, part))
  );
}

/** Only another device is asked for. */
function keepsDtype({ method, args }: CallSite, context: Context): boolean {
  const [given] = args.positional;
  if (method === 'cuda' || method === 'cpu') return true;
  if (method !== 'to' || !given || args.positional.length + args.keywords.size !== 1) return false;
  return given.fact.class === 'torch.device' || typeof context.literal(given.ref) === 'string';
}

function forgetPlacement(context: Context, fact: Fact, keeps: boolean, seen: Set<Ref>): void {
  if (fact.kind !== 'torch-module') return;
  for (const ref of fact.parameters?.values() ?? []) {
    const weight = context.look(ref);
    if (weight.kind !== 'tensor') continue;
    const { device: _, dtype, ...rest } = weight;
    context.state.update(ref, { ...rest, ...(keeps && dtype !== undefined && { dtype }) });
  }
  const inner = [
    ...(fact.attributes?.values() ?? []),
    ...(fact.layers ?? []).flatMap((layer) => layer.object ?? []),
  ];
  for (const ref of inner) {
    if (seen.has(ref)) continue;
    seen.add(ref);
    forgetPlacement(context, context.look(ref), keeps, seen);
  }
}

const itself: CallTransfer = (site) => site.receiver!.ref;

/** `train()` and `eval()`: the module itself, in that mode from here on. */
const switched =
  (name: 'train' | 'eval'): CallTransfer =>
  (site, context) => {
    const { ref } = site.receiver!;
    const isPlain = site.args.complete && site.args.positional.length + site.args.keywords.size === 0;
    const isSure = isPlain && context.mayInquire;
    const memory = recallTorch(context);
    memory.modes.set(ref, isSure ? { name, turn: ++memory.turns } : 'unknown');
    return ref;
  };
const nothing = (_site: CallSite, context: Context): Ref => context.unknown();

/** Methods that leave the layers as they are; what they give is not followed. */
const readers =
  'parameters named_parameters zero_grad state_dict load_state_dict modules children named_children named_modules buffers'.split(
    ' ',
  );

/** A module of the user's class is its `forward`; one of the library's own is told by its class. */
function call(callee: Operand, { node, args }: CallSite, context: Context): Ref | undefined {
  const module = callee.fact as TorchModule;
  const isOwn = module.of !== undefined && !module.hooked;
  const entered = isOwn ? context.enterMethod(node, callee, ['__call__', 'forward'], args) : undefined;
  if (entered !== undefined) return entered;
  context.userCodeMayRun();
  return isOwn ? undefined : (callModule(context, module, args.positional[0]) ?? context.unknown());
}

export const torchLayers: Transfers = {
  call: { 'torch-module': call },
  storeItem: {
    'torch-module': (_container, _key, _value, context) => {
      recallTorch(context).rebuiltModules = true;
      return false;
    },
  },
  storeAttribute: {
    'torch-module': ({ ref, fact }, _name, _value, context) => {
      if (context.isBeingMade(ref)) return false;
      recallTorch(context).rebuiltModules = true;
      if ((fact as TorchModule).of !== undefined) return false;
      // A layer of the library's with other weights takes other shapes.
      context.state.mayMutate(ref);
      return true;
    },
  },
  functions: {
    ...Object.fromEntries(
      Object.entries(constructors).map(([name, parameters]) => [
        `torch.nn.${name}`,
        makeLayer(name, parameters),
      ]),
    ),
    'torch.nn.Sequential': sequential,
  },
  methods: {
    'torch-module': {
      to: moved,
      cuda: moved,
      cpu: moved,
      double: moved,
      half: moved,
      bfloat16: moved,
      float: moved,
      train: switched('train'),
      eval: switched('eval'),
      requires_grad_: itself,
      ...Object.fromEntries(readers.map((name) => [name, nothing])),
    },
  },
};
