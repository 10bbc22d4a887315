// The table that learners are fitted on: one row per run, one column per feature. A missing value is NaN, never zero.

export interface Dataset {
  readonly features: readonly string[];
  readonly classes: readonly string[];
  /** Row by row, in the order of `features`. */
  readonly rows: readonly Float64Array[];
  /** Position in `classes` for each row. */
  readonly labels: readonly number[];
  /** Weight of each row; all equal when missing. */
  readonly weights?: readonly number[];
}

/** The rows at the given positions, which may repeat. */
export function subset(dataset: Dataset, positions: readonly number[]): Dataset {
  return {
    features: dataset.features,
    classes: dataset.classes,
    rows: positions.map((position) => dataset.rows[position]!),
    labels: positions.map((position) => dataset.labels[position]!),
    ...(dataset.weights ? { weights: positions.map((position) => dataset.weights![position]!) } : {}),
  };
}

export function weightsOf(dataset: Dataset): readonly number[] {
  return dataset.weights ?? dataset.labels.map(() => 1);
}
