// Datasets of torchvision and loaders: their lists of files, their transforms, and what a loader draws from.

import { argument, literalArgument } from '../../reasoning/arguments.js';
import { enterFunction } from '../../reasoning/interpreter/functions.js';
import type { AttributeTransfer, CallTransfer, Library } from '../../reasoning/library.js';

/** `ImageFolder.imgs`: a list of pairs of file name and class number. */
const samples: AttributeTransfer = (receiver, interpreter) => {
  const { fact } = receiver;
  if (!/\.(ImageFolder|DatasetFolder)$/.test(fact.class ?? '')) return undefined;
  const member = fact.path === undefined ? undefined : interpreter.state.member(`${fact.path}.imgs`);
  const length =
    member?.ref === undefined ? fact.length : (interpreter.look(member.ref).length ?? fact.length);
  const file = interpreter.put({ kind: 'scalar', type: 'str', class: 'builtins.str' });
  const label = interpreter.put({ kind: 'scalar', type: 'int', class: 'builtins.int' });
  const element = interpreter.put({
    kind: 'tuple',
    class: 'builtins.tuple',
    items: [file, label],
    length: 2,
  });
  return interpreter.put({
    kind: 'list',
    class: 'builtins.list',
    element,
    ...(length !== undefined && { length }),
  });
};

const imageFolder: CallTransfer = (site, interpreter) => {
  const transform = argument(site, 1, 'transform');
  return interpreter.put({
    kind: 'loader',
    class: 'torchvision.datasets.ImageFolder',
    ...(transform && { attributes: new Map([['transform', transform.ref]]) }),
  });
};

const dataLoader: CallTransfer = (site, interpreter) => {
  const dataset = argument(site, 0, 'dataset');
  const options = new Map([...site.args.keywords].map(([name, operand]) => [name, operand.ref]));
  const batch = argument(site, 1, 'batch_size');
  if (batch) options.set('batch_size', batch.ref);
  return interpreter.put({
    kind: 'loader',
    class: 'torch.utils.data.DataLoader',
    attributes: options,
    subscriptable: false,
    callable: false,
    ...(dataset && { dataset: dataset.ref }),
  });
};

/** `optimizer.step(closure)` computes the loss by calling the function at least once. */
const stepWithClosure: CallTransfer = (site, interpreter) => {
  const { fact, ref } = site.receiver!;
  const closure = argument(site, 0, 'closure');
  if (!fact.class?.startsWith('torch.optim.') || closure?.fact.kind !== 'function') return undefined;
  enterFunction(interpreter, site.node, closure.ref, { positional: [], keywords: new Map(), complete: true });
  interpreter.forgetCallback(closure.ref);
  interpreter.state.mayMutate(ref);
  return interpreter.unknown();
};

export const torchDatasets: Library = {
  functions: {
    'torchvision.datasets.ImageFolder': imageFolder,
    'torch.utils.data.DataLoader': dataLoader,
    'torch.device': (site, interpreter) => {
      const text = literalArgument(interpreter, site, 0, 'type');
      const isWhole = typeof text === 'string' && site.args.positional.length < 2;
      return interpreter.put({
        kind: 'instance',
        class: 'torch.device',
        callable: false,
        ...(isWhole && { text }),
      });
    },
  },
  attributes: { loader: { imgs: samples, samples } },
  methods: { instance: { step: stepWithClosure } },
};
