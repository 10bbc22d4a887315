// Datasets of torchvision and loaders: their lists of files, their transforms, and what a loader draws from.

import { argument, literalArgument } from '../../reasoning/arguments.js';
import type { Context, Elements } from '../../reasoning/context.js';
import type { Operand } from '../../reasoning/events.js';
import type { AttributeTransfer, CallTransfer, Transfers } from '../../reasoning/library.js';
import { putScalar, putTuple } from '../../reasoning/plain-objects.js';
import { inquireDraw } from './questions/steps.js';

/** `ImageFolder.imgs`: a list of pairs of file name and class number. */
const samples: AttributeTransfer = (receiver, context) => {
  const { fact } = receiver;
  if (!/\.(ImageFolder|DatasetFolder)$/.test(fact.class ?? '')) return undefined;
  const member = fact.path === undefined ? undefined : context.state.member(`${fact.path}.imgs`);
  const length = member?.ref === undefined ? fact.length : (context.look(member.ref).length ?? fact.length);
  const file = putScalar(context, 'str');
  const label = putScalar(context, 'int');
  const element = putTuple(context, [file, label]);
  return context.put({ kind: 'list', class: 'builtins.list', element, length });
};

const imageFolder: CallTransfer = (site, context) => {
  const transform = argument(site, 1, 'transform');
  return context.put({
    kind: 'loader',
    class: 'torchvision.datasets.ImageFolder',
    ...(transform && { options: new Map([['transform', transform.ref]]) }),
  });
};

const dataLoader: CallTransfer = (site, context) => {
  const dataset = argument(site, 0, 'dataset');
  const options = new Map([...site.args.keywords].map(([name, operand]) => [name, operand.ref]));
  const batch = argument(site, 1, 'batch_size');
  if (batch) options.set('batch_size', batch.ref);
  // What else it was given may stack the samples in another way.
  const isWhole = site.args.complete && site.args.positional.length <= 2;
  return context.put({
    kind: 'loader',
    class: 'torch.utils.data.DataLoader',
    ...(isWhole && { options }),
    subscriptable: false,
    callable: false,
    ...(dataset && { dataset: dataset.ref }),
  });
};

/** `optimizer.step(closure)` computes the loss by calling the function at least once. */
const stepWithClosure: CallTransfer = (site, context) => {
  const { fact, ref } = site.receiver!;
  const closure = argument(site, 0, 'closure');
  if (!fact.class?.startsWith('torch.optim.') || closure?.fact.kind !== 'function') return undefined;
  context.enterFunction(site.node, closure.ref, { positional: [], keywords: new Map(), complete: true });
  context.callbackMayRun(closure.ref);
  context.state.mayMutate(ref);
  return context.unknown();
};

/** What each iteration yields: as the loader itself tells, or as its batches were described. */
function batches(iterable: Operand, context: Context): Elements | undefined {
  const { fact } = iterable;
  if (fact.kind !== 'loader') return undefined;
  // A loader or dataset without any batch is no use to anybody; only a length of zero says so.
  const drawn = inquireDraw(context, iterable);
  if (drawn) return { nonEmpty: true, ...drawn };
  const isTorch = fact.class?.startsWith('torch.') ?? false;
  const parts = fact.spec?.map((part) =>
    isTorch ? context.put({ kind: 'tensor', class: 'torch.Tensor', ...part }) : context.unknown(),
  );
  const kind = isTorch ? 'list' : 'tuple';
  const element =
    parts && parts.length > 1
      ? context.put({ kind, class: `builtins.${kind}`, items: parts, length: parts.length })
      : undefined;
  return {
    nonEmpty: true,
    ...(element !== undefined && { element }),
    ...(fact.length !== undefined && { count: fact.length }),
  };
}

export const torchDatasets: Transfers = {
  iterate: { loader: batches },
  functions: {
    'torchvision.datasets.ImageFolder': imageFolder,
    'torch.utils.data.DataLoader': dataLoader,
    'torch.device': (site, context) => {
      const text = literalArgument(context, site, 0, 'type');
      const isWhole = typeof text === 'string' && site.args.positional.length < 2;
      return context.put({
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
