// Live tensors, modules, loaders, datasets and devices.
import type { ObjectFact } from '@grus/kernel/snapshot';
import type { Fact } from '../../reasoning/facts.js';
import type { LiveReader } from '../../reasoning/library.js';
import { type CommonFields, layersOf, type ObjectContext, tableOf } from '../../reasoning/live/context.js';
import { knownDtype } from '../../reasoning/live/values.js';
import { arrayReader } from '../numpy/live.js';

/** Batches of a loader or dataset: what each iteration yields. */
export function loaderFact(object: ObjectFact, common: CommonFields, context: ObjectContext): Fact {
  const { structural = {}, representation = {} } = object;
  const dataset = structural.related?.['dataset'];
  return {
    ...common,
    kind: 'loader',
    ...(representation.element_spec && {
      spec: representation.element_spec.map(({ shape, dtype }) => ({
        ...(shape && { shape }),
        ...(knownDtype(dtype) !== undefined && { dtype: dtype.replace(/^torch\./, '') }),
      })),
    }),
    ...(dataset !== undefined && { dataset: context.refOf(dataset) }),
    ...(structural.items && { samples: structural.items.map((key) => context.refOf(key)) }),
  };
}

function moduleFact(object: ObjectFact, common: CommonFields, context: ObjectContext): Fact {
  const { structural = {} } = object;
  const layers = structural.layers && layersOf(structural.layers, context);
  const of = structural.related?.['class'];
  const attributes = new Map(common.attributes ?? []);
  for (const layer of layers ?? []) if (layer.object !== undefined) attributes.set(layer.name, layer.object);
  return {
    ...common,
    kind: 'torch-module',
    attributes,
    layers,
    ...(structural.hooked && { hooked: true }),
    ...(structural.parameters && { parameters: tableOf(structural.parameters, context) }),
    ...(of !== undefined && { of: context.refOf(of) }),
  };
}

const loader: LiveReader = { read: loaderFact };

export const live: Readonly<Record<string, LiveReader>> = {
  tensor: {
    classes: /^torch\.(Tensor|nn\.(parameter\.)?(Parameter|Buffer))$/,
    read: arrayReader('tensor'),
  },
  torch_loader: loader,
  torch_dataset: loader,
  torch_module: { read: moduleFact },
};

export function liveInstance({ kind, values = {} }: ObjectFact) {
  return kind === 'device' && typeof values.literal === 'string' ? { text: values.literal } : {};
}
