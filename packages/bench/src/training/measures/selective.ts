// What a method is worth when it may stay silent: coverage, accuracy of what it commits to, and the curve of risk against
// coverage as the least confident answers are withheld one after another.
import type { Answered } from './calibration.js';

export interface RiskPoint {
  readonly coverage: number;
  readonly risk: number;
}

export interface Selective {
  readonly coverage: number | null;
  readonly abstention: number | null;
  /** Accuracy among what was committed to. */
  readonly accuracy: number | null;
  readonly curve: readonly RiskPoint[];
  /** Mean risk over the curve. */
  readonly area: number | null;
}

export function selectiveOf(answers: readonly (Answered & { readonly abstained: boolean })[]): Selective {
  if (answers.length === 0)
    return { coverage: null, abstention: null, accuracy: null, curve: [], area: null };
  const committed = answers.filter(({ abstained }) => !abstained);
  const curve = riskCoverage(committed, answers.length);
  const coverage = committed.length / answers.length;
  return {
    coverage,
    abstention: 1 - coverage,
    accuracy:
      committed.length === 0 ? null : committed.filter(({ correct }) => correct).length / committed.length,
    curve,
    area: curve.length === 0 ? null : curve.reduce((sum, { risk }) => sum + risk, 0) / curve.length,
  };
}

/** Answers of equal confidence are withheld together. */
function riskCoverage(committed: readonly Answered[], total: number): RiskPoint[] {
  const ordered = [...committed].sort((a, b) => b.confidence - a.confidence);
  const curve: RiskPoint[] = [];
  let wrong = 0;
  ordered.forEach(({ correct, confidence }, index) => {
    if (!correct) wrong++;
    if (ordered[index + 1]?.confidence === confidence) return;
    curve.push({ coverage: (index + 1) / total, risk: wrong / (index + 1) });
  });
  return curve;
}
