// What is known of models, layers and symbolic tensors.
import type { Common, Layer, Ref, Shape } from '../../reasoning/facts.js';
import type { KindRules, KindTable } from '../../reasoning/kinds.js';

export interface KerasModel extends Common {
  readonly kind: 'keras-model' | 'keras-layer';
  readonly layers?: readonly Layer[];
  readonly inputs?: readonly (Shape | null)[];
  readonly outputs?: readonly (Shape | null)[];
  readonly compiled?: boolean;
  readonly loss?: string;
  readonly parameters?: ReadonlyMap<string, Ref>;
  /** Of a Sequential that the walked code builds: what it was given, in order. */
  readonly stack?: readonly Ref[];
}

declare module '../../reasoning/facts.js' {
  interface FactKinds {
    'keras-model': KerasModel;
    'keras-layer': KerasModel;
  }
  interface Instance {
    /** Of a symbolic tensor, or one of TensorFlow. */
    readonly shape?: Shape;
  }
}

const composed: KindRules<KerasModel> = {
  reaches: ({ layers = [] }) => layers.flatMap(({ object }) => object ?? []),
  partial: ['parameters'],
};

export const kinds: KindTable = {
  'keras-model': { ...composed, mayCallBack: true },
  'keras-layer': composed,
};
