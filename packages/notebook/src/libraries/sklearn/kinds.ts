// What is known of an estimator.
import type { Literal } from '@grus/kernel/snapshot';
import type { Common, Layer, Ref } from '../../reasoning/facts.js';
import type { KindTable } from '../../reasoning/kinds.js';

export interface Estimator extends Common {
  readonly kind: 'estimator';
  readonly fitted?: boolean;
  readonly features?: number;
  readonly featureNames?: readonly string[];
  readonly parameters?: ReadonlyMap<string, Ref>;
  readonly classes?: readonly Literal[];
  /** Steps of a pipeline, parts of a union or column transformer, in order. */
  readonly steps?: readonly Layer[];
  /** Rows that it was fitted on. */
  readonly samples?: number;
  /** All names that its constructor takes. */
  readonly accepts?: readonly string[];
  /** Made by the code that is walked: parameters that are not listed have their defaults. */
  readonly fresh?: boolean;
}

declare module '../../reasoning/facts.js' {
  interface FactKinds {
    estimator: Estimator;
  }
}

export const kinds: KindTable = {
  estimator: {
    reaches: ({ parameters }) => parameters?.values() ?? [],
    partial: ['parameters'],
    claims: { complete: ['attributes'], fresh: ['parameters'] },
    compared: ['fitted', 'features'],
  },
};
