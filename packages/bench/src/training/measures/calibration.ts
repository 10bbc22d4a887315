// Does a confidence mean what it says? Expected calibration error, Brier score and the points of a reliability diagram, and
// the two-parameter correction that is fitted on answers about runs a model had not seen.

export interface Answered {
  readonly confidence: number;
  readonly correct: boolean;
}

export interface ReliabilityBin {
  readonly from: number;
  readonly to: number;
  readonly n: number;
  readonly confidence: number;
  readonly accuracy: number;
}

export interface CalibrationMeasures {
  readonly ece: number | null;
  readonly brier: number | null;
  readonly bins: readonly ReliabilityBin[];
}

export function calibrationOf(answers: readonly Answered[], count = 10): CalibrationMeasures {
  if (answers.length === 0) return { ece: null, brier: null, bins: [] };
  const bins = Array.from({ length: count }, (_, index) => ({
    from: index / count,
    to: (index + 1) / count,
    held: answers.filter(({ confidence }) => Math.min(count - 1, Math.floor(confidence * count)) === index),
  })).filter(({ held }) => held.length > 0);
  const shown = bins.map(({ from, to, held }) => ({
    from,
    to,
    n: held.length,
    confidence: held.reduce((sum, { confidence }) => sum + confidence, 0) / held.length,
    accuracy: held.filter(({ correct }) => correct).length / held.length,
  }));
  return {
    ece: shown.reduce(
      (sum, bin) => sum + (bin.n / answers.length) * Math.abs(bin.accuracy - bin.confidence),
      0,
    ),
    brier:
      answers.reduce((sum, { confidence, correct }) => sum + (confidence - (correct ? 1 : 0)) ** 2, 0) /
      answers.length,
    bins: shown,
  };
}
