// Models made by `npm run train` from all recorded scenarios, for runs of other folders. They changed no verdict on texts and runs that
// nobody had seen, so `grus diagnose` does without them.
import type { DiagnosedCategory, LearnedModel } from '@grus/training';
import { type Calibration, calibrate } from './calibration.js';
import { type Classifier, type LearnerName, restoreModel, type StoredModel } from './index.js';

export interface ShippedModel {
  readonly version: 1;
  readonly name: LearnerName;
  /** What made it: enough to make it again. */
  readonly made: {
    readonly command: string;
    readonly runs: number;
    /** Of the catalogue and everything recorded. */
    readonly data_sha256: string;
    readonly seed: number;
    readonly options: Readonly<Record<string, number>>;
  };
  readonly calibration: Calibration;
  readonly model: StoredModel;
}

const files: Readonly<Record<LearnerName, () => Promise<unknown>>> = {
  'decision-list': () => import('./models/decision-list.json', { with: { type: 'json' } }),
  logistic: () => import('./models/logistic.json', { with: { type: 'json' } }),
  cart: () => import('./models/cart.json', { with: { type: 'json' } }),
  forest: () => import('./models/forest.json', { with: { type: 'json' } }),
  boosting: () => import('./models/boosting.json', { with: { type: 'json' } }),
  ebm: () => import('./models/ebm.json', { with: { type: 'json' } }),
};

export const shippedNames = Object.keys(files) as LearnerName[];

export async function loadModel(name: LearnerName): Promise<LearnedModel> {
  const { default: shipped } = (await files[name]()) as { default: ShippedModel };
  return learnedModel(name, restoreModel(shipped.model), shipped.calibration);
}

/** A classifier over the vectors of `learningVector`, its confidence calibrated. */
export function learnedModel(name: string, model: Classifier, calibration: Calibration): LearnedModel {
  return {
    name,
    predict(vector) {
      const row = Float64Array.from(model.features, (feature) => vector.get(feature) ?? Number.NaN);
      const probabilities = model.probabilities(row);
      const top = Math.max(...probabilities);
      const confidence = calibrate(calibration, top);
      const rest = top < 1 ? (1 - confidence) / (1 - top) : 0;
      return Object.fromEntries(
        model.classes.map((label, index) => [
          label as DiagnosedCategory,
          probabilities[index] === top ? confidence : probabilities[index]! * rest,
        ]),
      );
    },
  };
}
