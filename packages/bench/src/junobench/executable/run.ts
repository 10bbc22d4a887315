// JunoBench executed: every pair on synthetic data in real kernels. The target cell is judged by each method and then really
// run. Only pairs count whose crash is of the recorded kind and whose repaired version runs to its end.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { GrusError } from '@grus/core';
import { NotebookSession } from '@grus/notebook';
import { type Judge, liveMethods } from '../../live/methods.js';
import { withScratchKernel } from '../../live/scratch-kernel.js';
import { inParallel } from '../../live/workers.js';
import { type Instance, Junobench } from '../data/load.js';
import { parseMethod } from '../methods/names.js';
import { Predictor } from '../predict.js';
import type { ExecutedPrediction } from './prediction.js';
import { Recipes } from './recipes.js';
import { type ExecutedScore, scoreOf } from './score.js';
import { setStage } from './stage.js';

interface ExecutedOptions {
  readonly data: string;
  /** The folder of the recipes. */
  readonly recipes: string;
  readonly python: string;
  /** Names of cases; default all. */
  readonly only?: readonly string[];
  /** Kernels at the same time. Default 1: times are part of the answer. */
  readonly workers?: number;
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

const methods: Readonly<Record<string, Judge>> = {
  names: (session, cell) => session.check(cell, { rungs: ['names'] }),
  ...liveMethods,
};

interface Executed {
  readonly predictions: readonly ExecutedPrediction[];
  /** Class name of what the target raised, null when it ran; or why it was not run. */
  readonly raised: string | null;
  readonly problem: string | null;
}

export async function runExecuted(options: ExecutedOptions): Promise<ExecutedReport> {
  const bench = Junobench.load(options.data);
  const recipes = await Recipes.load(options.recipes);
  const chosen = bench.instances.filter(({ label }) => options.only?.includes(label.case) ?? true);
  let done = 0;
  const executed = await inParallel(chosen, options.workers ?? 1, async (instance) => {
    const result = await execute(bench, recipes, instance, options.python);
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

const stageMs = 300_000;
const targetMs = 120_000;

async function execute(
  bench: Junobench,
  recipes: Recipes,
  instance: Instance,
  python: string,
): Promise<Executed> {
  const name = instance.label.case;
  const notRun = recipes.notRun(name);
  if (notRun !== null) return { predictions: [], raised: null, problem: notRun };
  const folder = await mkdtemp(join(tmpdir(), 'grus-stage-'));
  const stage = { id: instance.id, case: name, text: bench.text(instance), edits: recipes.editsOf(name) };
  try {
    return await withScratchKernel(python, async (kernel) => {
      const source = await setStage(kernel, stage, recipes.folder, folder, stageMs);
      const cell = { number: 1, source, metadata: {}, id: 'target', position: 0 };
      const session = new NotebookSession(kernel, [cell]);
      await session.check({ ...cell, source: 'None' });
      const predictions: ExecutedPrediction[] = [];
      for (const [method, judge] of Object.entries(methods)) {
        const started = performance.now();
        const { outcome, rung, exception, line } = await judge(session, cell);
        const ms = Math.round((performance.now() - started) * 10) / 10;
        const { id, crashes } = instance;
        predictions.push({ instance: id, method, crashes, outcome, rung, exception, line, ms });
      }
      const result = await session.execute(cell, { timeout: targetMs });
      const ended = result.status === 'ok' || result.error !== null;
      const problem = ended ? null : `${instance.id} did not end: ${result.status}`;
      return { predictions, raised: result.error?.ename ?? null, problem };
    });
  } catch (error) {
    if (!GrusError.isInstance(error)) throw error;
    return { predictions: [], raised: null, problem: error.message };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
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
      predictions.push({ instance: id, method, crashes, outcome, rung, exception, line, ms: null });
    }
  }
  return predictions;
}
