// A feature is one number with a written definition. What a run did not record is undefined, never zero.
import type { RunView } from './view.js';

export type FeatureFamily = 'dynamics' | 'memory' | 'data' | 'configuration' | 'system' | 'text';

export interface Feature {
  readonly name: string;
  readonly family: FeatureFamily;
  /** Narrower group for ablations: "perplexity" and "vocabulary" cut across families. */
  readonly group: string;
  /** The definition in words and units. */
  readonly definition: string;
  /** True for the 19 features of the published study's design, false for what was added. */
  readonly study: boolean;
  readonly compute: (view: RunView) => number | undefined;
}

type Options = Pick<Feature, 'definition' | 'compute'> & Partial<Pick<Feature, 'group' | 'study'>>;

export function defineFeature(family: FeatureFamily, name: string, options: Options): Feature {
  return { name, family, group: options.group ?? family, study: options.study ?? false, ...options };
}

/** NaN and null become undefined: a feature is a number or is missing. */
export function known(value: number | null | undefined): number | undefined {
  return value === null || value === undefined || Number.isNaN(value) ? undefined : value;
}
