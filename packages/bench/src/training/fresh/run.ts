// `grus bench training --fresh N`: a new draw of recipes, judged by what comes with Grus. `--drawn DIR` judges one that was made before, on
// this machine or on another.
import { existsSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { GrusError } from '@grus/core';
import { z } from 'zod';
import type { TrainingCase } from '../data/case.js';
import { loadCases } from '../data/load.js';
import { type FirstSight, firstSightOf } from '../measures/first-sight.js';
import type { TrainingPrediction } from '../protocol/prediction.js';
import { runTraining } from '../run.js';
import { type DrawOptions, drawRecipes } from './draw.js';

interface JudgeOptions {
  readonly methods?: readonly string[];
  readonly progress?: (text: string) => void;
}

/** The figures of the runs that share a value: a fault with its healthy twins, a framework, a way of logging. */
export type Breakdown = Readonly<Record<string, FirstSight>>;

export interface FreshReport {
  readonly benchmark: 'training-fresh';
  readonly seed: number;
  readonly drawn: number;
  readonly runs: number;
  readonly methods: Readonly<Record<string, FirstSight>>;
  /** Of the method that answers in the product. */
  readonly by: { readonly fault: Breakdown; readonly framework: Breakdown; readonly format: Breakdown };
  readonly predictions: readonly TrainingPrediction[];
}

export async function runFresh(options: DrawOptions & JudgeOptions): Promise<FreshReport> {
  if (options.keep !== undefined && existsSync(join(options.keep, 'labels.json')))
    return judgeDraw(options.keep, options);
  options.progress?.(`training ${options.count} recipes twice`);
  const folder = await drawRecipes(options);
  try {
    return await judgeDraw(folder, options);
  } finally {
    if (options.keep === undefined) await rm(folder, { recursive: true, force: true });
  }
}

/** Judges the runs of a folder that the recipes wrote. */
export async function judgeDraw(folder: string, options: JudgeOptions = {}): Promise<FreshReport> {
  const { seed, count } = await drawOf(folder);
  const { runs, predictions } = await runTraining({
    data: folder,
    methods: options.methods ?? ['rules', 'tree', 'hybrid'],
    quick: true,
    shipped: true,
    resamples: 100,
    ...(options.progress ? { progress: options.progress } : {}),
  });
  const names = [...new Set(predictions.map(({ method }) => method))];
  const answered = predictions.filter(({ method }) => method === names.at(-1));
  const cases = new Map(loadCases(folder).map((entry) => [entry.id, entry]));
  const by = (value: (entry: TrainingCase) => string | null): Breakdown =>
    breakDown(answered, ({ instance }) => value(cases.get(instance)!));
  return {
    benchmark: 'training-fresh',
    seed,
    drawn: count,
    runs,
    methods: Object.fromEntries(
      names.map((name) => [name, firstSightOf(predictions.filter(({ method }) => method === name))]),
    ),
    by: {
      fault: by(({ group }) => group),
      framework: by(({ framework }) => framework),
      format: by(({ format }) => format),
    },
    predictions,
  };
}

async function drawOf(folder: string): Promise<{ seed: number; count: number }> {
  try {
    const text = await readFile(join(folder, 'draw.json'), 'utf8');
    return z.object({ seed: z.int(), count: z.int() }).parse(JSON.parse(text));
  } catch (error) {
    throw new GrusError(`${folder} holds no draw of recipes`, {
      cause: error,
      advice:
        'Give the folder that `python -m recipes --out DIR` wrote: it has a draw.json and a labels.json.',
    });
  }
}

function breakDown(
  rows: readonly TrainingPrediction[],
  value: (row: TrainingPrediction) => string | null,
): Breakdown {
  const groups = new Map<string, TrainingPrediction[]>();
  for (const row of rows) {
    const name = value(row) ?? '–';
    groups.set(name, [...(groups.get(name) ?? []), row]);
  }
  return Object.fromEntries(
    [...groups].sort(([a], [b]) => a.localeCompare(b)).map(([name, held]) => [name, firstSightOf(held)]),
  );
}
