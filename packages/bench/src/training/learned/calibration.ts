// Makes a confidence mean what it says: the logit of what a model claims, moved and stretched so that it fits how often it was
// right about runs it had not seen.

export interface Calibration {
  readonly slope: number;
  readonly intercept: number;
}

export const uncalibrated: Calibration = { slope: 1, intercept: 0 };

const bound = (confidence: number): number => Math.min(1 - 1e-4, Math.max(1e-4, confidence));
const logit = (confidence: number): number => Math.log(bound(confidence) / (1 - bound(confidence)));

export function calibrate({ slope, intercept }: Calibration, confidence: number): number {
  return 1 / (1 + Math.exp(-(slope * logit(confidence) + intercept)));
}

/** Strength of the pull towards leaving confidences as they are, in answers. */
const pull = 2;

/** Newton's method on the penalised log likelihood. */
export function fitCalibration(
  answers: readonly { readonly confidence: number; readonly correct: boolean }[],
): Calibration {
  let slope = 1;
  let intercept = 0;
  for (let round = 0; round < 50; round++) {
    let [ga, gb, haa, hab, hbb] = [pull * (slope - 1), pull * intercept, pull, 0, pull];
    for (const { confidence, correct } of answers) {
      const x = logit(confidence);
      const p = 1 / (1 + Math.exp(-(slope * x + intercept)));
      const error = p - (correct ? 1 : 0);
      const weight = Math.max(1e-9, p * (1 - p));
      ga += error * x;
      gb += error;
      haa += weight * x * x;
      hab += weight * x;
      hbb += weight;
    }
    const determinant = haa * hbb - hab * hab;
    const da = (hbb * ga - hab * gb) / determinant;
    const db = (haa * gb - hab * ga) / determinant;
    slope -= Math.max(-1, Math.min(1, da));
    intercept -= Math.max(-1, Math.min(1, db));
    if (Math.abs(da) + Math.abs(db) < 1e-9) break;
  }
  // A confidence must never fall where the claim rises.
  return { slope: Math.max(0.05, slope), intercept };
}
