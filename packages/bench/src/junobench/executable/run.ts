// JunoBench executed: every pair on synthetic data in real kernels. The target cell is judged by each method and then really
// run. Only pairs count whose crash is of the recorded kind and whose repaired version runs to its end.
import { resolve } from 'node:path';
import { inParallel } from '../../live/workers.js';
import { type Instance, Junobench } from '../data/load.js';
import { parseMethod } from '../methods/names.js';
import { Predictor } from '../predict.js';
import { execute } from './execute.js';
import { type Executed, KeptResults } from './executed.js';
import type { ExecutedPrediction } from './prediction.js';
import { Recipes } from './recipes.js';
import { type ExecutedScore, scoreOf } from './score.js';

interface ExecutedOptions {
  readonly data: string;
  /** The folder of the recipes. */
  readonly recipes: string;
  readonly python: string;
  /** Names of cases; default all. */
  readonly only?: readonly string[];
  /** Kernels at the same time. Default 1: times are part of the answer. */
  readonly workers?: number;
  /** A file of what was executed: instances in it are not run again, others are added once they were run to their end. */
  readonly keep?: string;
  readonly progress?: (done: number, total: number, instance: string) => void;
}

interface Verified {
  readonly case: string;
  /** What does not hold; empty when the pair was verified. */
  readonly problems: readonly string[];
}

export interface ExecutedReport {
  readonly benchmark: 'junobench-live';
  readonly data: string;
  readonly pairs: readonly Verified[];
  readonly verified: number;
  readonly methods: Readonly<Record<string, ExecutedScore>>;
  readonly predictions: readonly ExecutedPrediction[];
}

export async function runExecuted(options: ExecutedOptions): Promise<ExecutedReport> {
  const bench = Junobench.load(options.data);
  const recipes = await Recipes.load(options.recipes);
  const chosen = bench.instances.filter(({ label }) => options.only?.includes(label.case) ?? true);
  const kept = options.keep === undefined ? null : new KeptResults(options.keep);
  const known = await kept?.read();
  let done = 0;
  const executed = await inParallel(chosen, options.workers ?? 1, async (instance) => {
    const earlier = known?.get(instance.id);
    const result = earlier ?? (await execute(bench, recipes, instance, options.python));
    if (!earlier && result.problem === null) await kept?.append(instance.id, result);
    options.progress?.(++done, chosen.length, instance.id);
    return { instance, ...result };
  });
  const pairs = [...new Set(chosen.map(({ label }) => label.case))].map((name) => ({
    case: name,
    problems: executed.filter(({ instance }) => instance.label.case === name).flatMap(problemsOf),
  }));
  const held = new Set(pairs.filter(({ problems }) => problems.length === 0).map((pair) => pair.case));
  const counted = executed.filter(({ instance }) => held.has(instance.label.case));
  const recorded = await recordedPredictions(
    bench,
    counted.map(({ instance }) => instance),
  );
  const predictions = [...counted.flatMap((one) => one.predictions), ...recorded];
  const names = [...new Set(predictions.map(({ method }) => method))];
  return {
    benchmark: 'junobench-live',
    data: resolve(options.data),
    pairs,
    verified: held.size,
    methods: Object.fromEntries(
      names.map((name) => [name, scoreOf(predictions.filter(({ method }) => method === name))]),
    ),
    predictions,
  };
}

function problemsOf({ instance, raised, problem }: Executed & { instance: Instance }): string[] {
  if (problem !== null) return [problem];
  if (!instance.crashes) return raised === null ? [] : [`the repaired version raises ${raised}`];
  const wanted = instance.label.exception;
  return raised?.toLowerCase() === wanted ? [] : [`raises ${raised ?? 'nothing'}, recorded is ${wanted}`];
}

/** What the recorded models said of the same instances, with runtime information. */
async function recordedPredictions(
  bench: Junobench,
  instances: readonly Instance[],
): Promise<ExecutedPrediction[]> {
  const predictor = new Predictor(bench, {}, null);
  const predictions: ExecutedPrediction[] = [];
  for (const model of bench.models()) {
    const method = `recorded:${model}`;
    for (const instance of instances) {
      const told = await predictor.predict(parseMethod(method, bench), instance);
      const { outcome, rung, exception, line } = told;
      const { id, crashes } = instance;
      predictions.push({
        instance: id,
        method,
        crashes,
        outcome,
        rung,
        exception,
        line,
        abstained_because: null,
        ms: null,
      });
    }
  }
  return predictions;
}
