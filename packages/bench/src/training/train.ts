// Makes the models that come with Grus: fitted on all recorded scenarios, tuned by grouped folds, their confidence calibrated on
// answers about runs they had not seen.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { DiagnosedCategory } from '@grus/training';
import { examineCases } from './data/examined.js';
import { loadCases } from './data/load.js';
import { fitCalibration } from './learned/calibration.js';
import type { ShippedModel } from './learned/shipped.js';
import { crossValidate } from './protocol/cross-validate.js';
import { datasetOf } from './protocol/dataset.js';
import { groupedFolds } from './protocol/folds.js';
import { learnerNames } from './protocol/methods.js';
import { isRight } from './protocol/prediction.js';
import { fitLearner, seeds, tune } from './protocol/tuning.js';

export type TrainedModels = Readonly<Record<string, ShippedModel>>;

const folds = 5;

export async function trainModels(
  data: string,
  command: string,
  progress?: (text: string) => void,
): Promise<TrainedModels> {
  const cases = await examineCases(loadCases(data), (done, total, id) =>
    progress?.(`reading ${done} of ${total}: ${id}`),
  );
  const hash = hashOf(data);
  const split = groupedFolds(cases, folds, seeds.folds);
  const dataset = datasetOf(cases);
  const models: Record<string, ShippedModel> = {};
  for (const name of learnerNames) {
    progress?.(`fitting ${name}`);
    const options = tune(name, cases);
    const { answers } = crossValidate(name, cases, split, { fixed: options });
    const calibration = fitCalibration(
      answers.map(({ label, confidence }, index) => ({
        confidence,
        correct: isRight(cases[index]!, label as DiagnosedCategory),
      })),
    );
    models[name] = {
      version: 1,
      name,
      made: { command, runs: cases.length, data_sha256: hash, seed: seeds.models, options },
      calibration,
      model: shortened(fitLearner(name, dataset, options).toJSON()) as ShippedModel['model'],
    };
  }
  return models;
}

/** Of every file of the catalogue and the recordings, by name and content. */
function hashOf(folder: string): string {
  const hash = createHash('sha256');
  const files = ['catalog', 'recorded', 'labels.json']
    .map((name) => join(folder, name))
    .flatMap((path) => filesUnder(path))
    .sort();
  for (const file of files) hash.update(relative(folder, file)).update('\0').update(readFileSync(file));
  return hash.digest('hex');
}

function filesUnder(path: string): string[] {
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found) return [];
  if (found.isFile()) return [path];
  return readdirSync(path, { recursive: true, encoding: 'utf8' })
    .map((name) => join(path, name))
    .filter((file) => statSync(file).isFile());
}

/** Five significant digits are more than a model of a few hundred runs knows. */
function shortened(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value, (_, entry: unknown) =>
      typeof entry === 'number' && !Number.isInteger(entry) ? Number(entry.toPrecision(5)) : entry,
    ),
  );
}
