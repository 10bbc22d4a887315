// The features of a run by name, as detectors, rules and learned models read them.

export interface FeatureVector {
  readonly names: readonly string[];
  /** In the order of `names`; NaN where the run did not record what the feature needs. */
  readonly values: Float64Array;
  /** By name; undefined where missing. */
  get(name: string): number | undefined;
}
