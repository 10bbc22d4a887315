// Confidences corrected fold by fold: the correction of a fold is fitted on the answers given in the other folds.
import { type Calibration, calibrate, fitCalibration } from '../learned/calibration.js';

interface Answer {
  readonly confidence: number;
  readonly correct: boolean;
  readonly fold: number;
}

export function calibrationByFold(answers: readonly Answer[]): Calibration[] {
  const folds = Math.max(-1, ...answers.map(({ fold }) => fold)) + 1;
  return Array.from({ length: folds }, (_, fold) =>
    fitCalibration(answers.filter((answer) => answer.fold !== fold)),
  );
}

export function crossCalibrated(answers: readonly Answer[]): number[] {
  const byFold = calibrationByFold(answers);
  return answers.map(({ confidence, fold }) => calibrate(byFold[fold]!, confidence));
}
