// Measures over several classes: accuracy, per-class precision, recall and F1, their macro means, and the confusion matrix.

export interface ClassMeasures {
  readonly support: number;
  readonly precision: number | null;
  readonly recall: number | null;
  readonly f1: number | null;
}

export interface Multiclass {
  readonly n: number;
  readonly accuracy: number | null;
  /** Means over the classes that occur. */
  readonly precision: number | null;
  readonly recall: number | null;
  readonly f1: number | null;
  readonly classes: Readonly<Record<string, ClassMeasures>>;
  /** Rows are what was, columns what was answered, in the order of `labels`. */
  readonly labels: readonly string[];
  readonly confusion: readonly (readonly number[])[];
}

export function multiclass(
  pairs: readonly { readonly actual: string; readonly predicted: string }[],
  labels: readonly string[],
): Multiclass {
  const confusion = labels.map(() => labels.map(() => 0));
  for (const { actual, predicted } of pairs)
    confusion[labels.indexOf(actual)]![labels.indexOf(predicted)]! += 1;
  const classes = Object.fromEntries(labels.map((label, index) => [label, measuresOf(confusion, index)]));
  const present = Object.values(classes).filter(({ support }) => support > 0);
  const right = labels.reduce((sum, _, index) => sum + confusion[index]![index]!, 0);
  return {
    n: pairs.length,
    accuracy: pairs.length === 0 ? null : right / pairs.length,
    precision: mean(present.map(({ precision }) => precision ?? 0)),
    recall: mean(present.map(({ recall }) => recall ?? 0)),
    f1: mean(present.map(({ f1 }) => f1 ?? 0)),
    classes,
    labels,
    confusion,
  };
}

function measuresOf(confusion: readonly (readonly number[])[], index: number): ClassMeasures {
  const right = confusion[index]![index]!;
  const support = confusion[index]!.reduce((sum, value) => sum + value, 0);
  const answered = confusion.reduce((sum, row) => sum + row[index]!, 0);
  return {
    support,
    precision: answered === 0 ? null : right / answered,
    recall: support === 0 ? null : right / support,
    f1: support + answered === 0 ? null : (2 * right) / (support + answered),
  };
}

export function mean(values: readonly number[]): number | null {
  return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;
}
