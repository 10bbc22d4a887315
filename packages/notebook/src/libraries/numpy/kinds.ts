// What is known of an array. Tensors of other libraries are arrays too: they add their kind to `ArrayKinds`.
import type { Common, Ref, Shape, ValueFacts } from '../../reasoning/facts.js';
import type { KindRules, KindTable } from '../../reasoning/kinds.js';

export interface ArrayKinds {
  ndarray: true;
}
export interface ArrayLike extends Common {
  readonly kind: keyof ArrayKinds;
  readonly dtype?: string;
  readonly shape?: Shape;
  readonly device?: string;
  readonly requiresGrad?: boolean;
  readonly values?: ValueFacts;
  /** An object whose facts hold for every element of an object array (axes of a grid). */
  readonly element?: Ref;
}

declare module '../../reasoning/facts.js' {
  interface FactKinds {
    ndarray: ArrayLike;
  }
}

/** How arrays of any library behave. */
export const arrayRules: KindRules<ArrayLike> = {
  lasting: ['dtype', 'shape'],
  summary: ['element'],
  compared: ['shape', 'dtype'],
  length: ({ shape }) => shape?.[0] ?? undefined,
  shape: ({ shape }) => shape,
};

const changing = new Set(
  'sort fill resize put partition itemset setflags byteswap setfield __setitem__ __delitem__'.split(' '),
);

export const kinds: KindTable = {
  ndarray: { ...arrayRules, hasPlainAttributes: true, isChangedBy: (method) => changing.has(method) },
};
