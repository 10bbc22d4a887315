// The false-alarm benchmark: ordinary code that others wrote and that runs, judged cell by cell before it runs. A crash
// predicted for a cell that then finishes is a false alarm.
import { join, resolve } from 'node:path';
import { inParallel } from '../live/workers.js';
import { type CorpusNotebook, prepareCorpus } from './corpus.js';
import { installedPackages } from './packages.js';
import { type NotebookResult, ResultsFile } from './results.js';
import { type FalseAlarmPrediction, type FalseAlarmScore, predictionsOf, scoreOf } from './score.js';
import { type WalkOptions, walkNotebook } from './walk.js';

export interface RunFalseAlarmsOptions extends WalkOptions {
  /** Distributions whose examples are run. Default: those of `defaultPackages` that are installed. */
  readonly packages?: readonly string[];
  /** Notebooks a package, evenly spread over its examples. Default: all. */
  readonly limit?: number;
  /** Only notebooks whose name contains this text. */
  readonly only?: string;
  /** Kernels at the same time. Default 1. */
  readonly workers?: number;
  /** Keep the results of an earlier run, and only run what is missing. Default false: start over. */
  readonly resume?: boolean;
  readonly progress?: (text: string) => void;
}

export interface FalseAlarmReport {
  readonly benchmark: 'false-alarms';
  /** Folder with the notebooks and the results. */
  readonly data: string;
  readonly methods: { readonly contracts: FalseAlarmScore };
  readonly predictions: readonly FalseAlarmPrediction[];
}

export async function runFalseAlarms(options: RunFalseAlarmsOptions): Promise<FalseAlarmReport> {
  const cache = resolve(options.cache);
  const packages = await installedPackages(options.python, options.packages);
  const corpus = await prepareCorpus({ ...options, cache, packages });
  const notebooks = corpus.flatMap((all) => spread(named(all, options.only), options.limit));
  const file = new ResultsFile(join(cache, 'results.jsonl'));
  if (!options.resume) await file.clear();
  const known = await file.read();
  let done = 0;
  let alarms = 0;
  const results = await inParallel(notebooks, options.workers ?? 1, async (notebook) => {
    const earlier = known.get(notebook.name);
    const result = earlier ?? (await walkNotebook(notebook, { ...options, cache }));
    if (!earlier) await file.append(result);
    done += 1;
    alarms += falseAlarmsIn(result);
    options.progress?.(`${done} of ${notebooks.length}, ${alarms} false alarms: ${notebook.name}`);
    return result;
  });
  return {
    benchmark: 'false-alarms',
    data: cache,
    methods: { contracts: scoreOf(results) },
    predictions: predictionsOf(results),
  };
}

function named(notebooks: readonly CorpusNotebook[], only: string | undefined): readonly CorpusNotebook[] {
  return only === undefined ? notebooks : notebooks.filter(({ name }) => name.includes(only));
}

/** The same ones every time: evenly spaced in the order of the names. */
export function spread<T>(all: readonly T[], limit: number | undefined): readonly T[] {
  if (limit === undefined || all.length <= limit) return all;
  return Array.from({ length: limit }, (_, index) => all[Math.floor((index * all.length) / limit)]!);
}

function falseAlarmsIn({ cells }: NotebookResult): number {
  return cells.filter(({ crash, prediction }) => prediction !== null && crash === null).length;
}
