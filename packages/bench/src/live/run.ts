// The benchmark of live pairs: every version of every pair in a real kernel, the cells before the target replayed, the
// target judged by each method on that very state, and then, if asked for, really executed.
import { resolve } from 'node:path';
import { GrusError, type Verdict } from '@grus/core';
import { type CodeCell, NotebookSession } from '@grus/notebook';
import { type LivePair, loadPairs, type PairVersion, pairVersions, targetCell } from './load.js';
import { type Judge, type LiveMethod, liveMethods } from './methods.js';
import { type LivePrediction, predictionOf } from './prediction.js';
import { type LiveScore, scoreOf } from './score.js';
import { withScratchKernel } from './scratch-kernel.js';
import { inParallel } from './workers.js';

export interface RunLiveOptions {
  /** Folder of the pairs. */
  readonly data: string;
  /** Default: all of them. */
  readonly methods?: readonly LiveMethod[];
  /** Interpreter with ipykernel and the libraries that the pairs use. */
  readonly python: string;
  /** Ids of the pairs to run. Default: all. */
  readonly only?: readonly string[];
  /** Kernels at the same time. Default 1: times are part of the answer. */
  readonly workers?: number;
  /** Execute the target cell after the judgements and measure how long that takes. Default false. */
  readonly execute?: boolean;
  /** Milliseconds that one cell may run. Default 120 000. */
  readonly timeout?: number;
  readonly progress?: (done: number, total: number, instance: string) => void;
}

export interface LiveReport {
  readonly benchmark: 'live';
  readonly data: string;
  readonly methods: Readonly<Record<string, LiveScore>>;
  readonly predictions: readonly LivePrediction[];
  /** Those whose cells before the target do not run on this machine, as where a library is missing. */
  readonly not_run: readonly NotRun[];
}

interface NotRun {
  readonly instance: string;
  readonly why: string;
}

interface Instance {
  readonly pair: LivePair;
  readonly version: PairVersion;
}

export async function runLive(options: RunLiveOptions): Promise<LiveReport> {
  const methods = options.methods ?? (Object.keys(liveMethods) as LiveMethod[]);
  const pairs = await loadPairs(options.data, options.only);
  const instances = pairs.flatMap((pair) => pairVersions.map((version) => ({ pair, version })));
  let done = 0;
  const notRun: NotRun[] = [];
  const predictions = await inParallel(instances, options.workers ?? 1, async (instance) => {
    const answers = await judgeInstance(instance, methods, options, (why) =>
      notRun.push({ instance: nameOf(instance), why }),
    );
    options.progress?.(++done, instances.length, nameOf(instance));
    return answers;
  });
  const all = predictions.flat();
  return {
    benchmark: 'live',
    data: resolve(options.data),
    methods: Object.fromEntries(
      methods.map((method) => [method, scoreOf(all.filter((prediction) => prediction.method === method))]),
    ),
    predictions: all,
    not_run: notRun,
  };
}

function judgeInstance(
  { pair, version }: Instance,
  methods: readonly LiveMethod[],
  options: RunLiveOptions,
  cannotRun: (why: string) => void,
): Promise<LivePrediction[]> {
  return withScratchKernel(options.python, async (kernel) => {
    const session = new NotebookSession(kernel, pair.cells[version]);
    const target = targetCell(pair, version);
    const timeout = options.timeout ?? 120_000;
    // In a session in use the agent has long been installed: that cost belongs to no cell.
    await session.check(pair.cells[version][0]!);
    try {
      await session.replayUpTo(target, { timeout });
    } catch (error) {
      if (!(error instanceof GrusError)) throw error;
      cannotRun(error.message);
      return [];
    }
    const instance = nameOf({ pair, version });
    const crashes = version === 'buggy';
    const predictions: LivePrediction[] = [];
    for (const method of methods) {
      const verdict = await timed(liveMethods[method], session, target);
      predictions.push(predictionOf({ instance, method, meta: pair.meta, crashes, verdict }));
    }
    if (!options.execute) return predictions;
    const executedMs = await execute(session, target, instance, crashes, timeout);
    return predictions.map((prediction) => ({ ...prediction, executed_ms: executedMs }));
  });
}

/** The time a person waits: the whole call, not what the ladder says of itself. */
async function timed(judge: Judge, session: NotebookSession, target: CodeCell): Promise<Verdict> {
  const started = performance.now();
  const verdict = await judge(session, target);
  return { ...verdict, ms: Math.round((performance.now() - started) * 10) / 10 };
}

async function execute(
  session: NotebookSession,
  target: CodeCell,
  instance: string,
  crashes: boolean,
  timeout: number,
): Promise<number> {
  const result = await session.execute(target, { timeout });
  if ((result.status === 'error') !== crashes)
    throw new GrusError(
      `${instance}: the target cell ${crashes ? 'does not crash' : 'crashes'} after it was judged`,
      {
        advice: 'Verify the pair; if it holds, a judgement changed the state of the kernel.',
      },
    );
  return Math.round(result.ms);
}

function nameOf({ pair, version }: Instance): string {
  return `${pair.id}/${version}`;
}
