// `grus bench training --fresh N`: a new draw of recipes, judged by what comes with Grus.
import { rm } from 'node:fs/promises';
import { type FirstSight, firstSightOf } from '../measures/first-sight.js';
import type { TrainingPrediction } from '../protocol/prediction.js';
import { runTraining } from '../run.js';
import { type DrawOptions, drawRecipes } from './draw.js';

export interface FreshOptions extends DrawOptions {
  readonly methods?: readonly string[];
  readonly progress?: (text: string) => void;
}

export interface FreshReport {
  readonly benchmark: 'training-fresh';
  readonly seed: number;
  readonly drawn: number;
  readonly runs: number;
  readonly methods: Readonly<Record<string, FirstSight>>;
  readonly predictions: readonly TrainingPrediction[];
}

export async function runFresh(options: FreshOptions): Promise<FreshReport> {
  options.progress?.(`training ${options.count} recipes twice`);
  const folder = await drawRecipes(options);
  try {
    const { runs, predictions } = await runTraining({
      data: folder,
      methods: options.methods ?? ['rules', 'tree', 'hybrid'],
      quick: true,
      shipped: true,
      resamples: 100,
      ...(options.progress ? { progress: options.progress } : {}),
    });
    const names = [...new Set(predictions.map(({ method }) => method))];
    return {
      benchmark: 'training-fresh',
      seed: options.seed,
      drawn: options.count,
      runs,
      methods: Object.fromEntries(
        names.map((name) => [name, firstSightOf(predictions.filter(({ method }) => method === name))]),
      ),
      predictions,
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
