// Counts of a yes/no prediction against the truth, and the measures made of them. A measure whose denominator is zero
// is null: there was nothing to measure.

export interface Confusion {
  readonly truePositives: number;
  readonly falsePositives: number;
  readonly trueNegatives: number;
  readonly falseNegatives: number;
}

export interface Measures {
  readonly n: number;
  readonly accuracy: number | null;
  readonly precision: number | null;
  readonly recall: number | null;
  readonly f1: number | null;
  readonly false_alarms: number;
}

export function confusionOf(
  pairs: Iterable<{ readonly actual: boolean; readonly predicted: boolean }>,
): Confusion {
  let truePositives = 0;
  let falsePositives = 0;
  let trueNegatives = 0;
  let falseNegatives = 0;
  for (const { actual, predicted } of pairs) {
    if (actual && predicted) truePositives++;
    else if (predicted) falsePositives++;
    else if (actual) falseNegatives++;
    else trueNegatives++;
  }
  return { truePositives, falsePositives, trueNegatives, falseNegatives };
}

export function measuresOf(confusion: Confusion): Measures {
  const { truePositives, falsePositives, trueNegatives, falseNegatives } = confusion;
  const n = truePositives + falsePositives + trueNegatives + falseNegatives;
  return {
    n,
    accuracy: ratio(truePositives + trueNegatives, n),
    precision: ratio(truePositives, truePositives + falsePositives),
    recall: ratio(truePositives, truePositives + falseNegatives),
    f1: ratio(2 * truePositives, 2 * truePositives + falsePositives + falseNegatives),
    false_alarms: falsePositives,
  };
}

export function ratio(part: number, whole: number): number | null {
  return whole === 0 ? null : part / whole;
}
