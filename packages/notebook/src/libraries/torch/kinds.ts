// What is known of tensors, modules, loaders and devices.
import type { Common, Layer, Ref, Shape } from '../../reasoning/facts.js';
import type { KindTable } from '../../reasoning/kinds.js';
import { type ArrayLike, arrayRules } from '../numpy/kinds.js';

/** Yields batches: a loader, a dataset of tf.data; or holds samples: a dataset of torch. */
export interface Loader extends Common {
  readonly kind: 'loader';
  /** One entry for each part of a batch. */
  readonly spec?: readonly { readonly shape?: Shape; readonly dtype?: string }[];
  readonly dataset?: Ref;
  readonly samples?: readonly Ref[];
}

export interface TorchModule extends Common {
  readonly kind: 'torch-module';
  readonly layers?: readonly Layer[];
  /** Weights by name. */
  readonly parameters?: ReadonlyMap<string, Ref>;
  /** The user's class, when its body is known. */
  readonly of?: Ref;
  readonly complete?: boolean;
  /** Hooks, or a `forward` of its own, decide what a call does. */
  readonly hooked?: boolean;
}

declare module '../../reasoning/facts.js' {
  interface FactKinds {
    tensor: ArrayLike;
    loader: Loader;
    'torch-module': TorchModule;
  }
  interface Instance {
    /** Of a device: "cpu", "cuda:0". */
    readonly text?: string;
  }
}

declare module '../numpy/kinds.js' {
  interface ArrayKinds {
    tensor: true;
  }
}

export const kinds: KindTable = {
  tensor: {
    ...arrayRules,
    isChangedBy: (method) => method === 'backward' || method.startsWith('__set') || method.endsWith('_'),
  },
  loader: { isChangedBy: () => false },
  'torch-module': {
    lasting: ['of', 'hooked'],
    reaches: ({ layers = [] }) => layers.flatMap(({ object }) => object ?? []),
    partial: ['parameters'],
    claims: { complete: ['attributes', 'layers'] },
    doubts: ['hooked'],
    isObject: true,
    keepsAttributes: true,
    mayCallBack: true,
  },
};
