// The benchmark of kernels that use a GPU: every cell is judged by contracts and by the whole ladder, and then really run on
// the same state. What a verdict says is held against what happened.
import { GrusError, type Verdict } from '@grus/core';
import type { ExecuteResult, Kernel } from '@grus/kernel';
import { type CodeCell, NotebookSession } from '@grus/notebook';
import { liveMethods } from '../live/methods.js';
import { withScratchKernel } from '../live/scratch-kernel.js';
import { inParallel } from '../live/workers.js';
import { quantile } from '../statistics/index.js';
import { type GpuScript, loadScripts } from './cells.js';

const methods = ['contracts', 'ladder'] as const;
export type GpuMethod = (typeof methods)[number];

export interface GpuPrediction {
  /** Name of the script and number of the cell in it. */
  readonly instance: string;
  readonly method: GpuMethod;
  readonly outcome: Verdict['outcome'];
  readonly rung: string | null;
  readonly exception: string | null;
  readonly line: number | null;
  readonly ms: number;
  /** Why the last rung did not commit. */
  readonly because: string | null;
  /** What the cell really raised; null when it finished. */
  readonly raised: string | null;
}

export interface GpuScore {
  readonly crashes: number;
  readonly found: number;
  readonly exception_right: number;
  readonly fine: number;
  readonly false_alarms: number;
  /** Fine cells that were proved to finish. */
  readonly proved: number;
  readonly ms: { readonly median: number | null; readonly p95: number | null };
}

export interface GpuReport {
  readonly benchmark: 'gpu';
  readonly gpu: string;
  readonly methods: Readonly<Record<GpuMethod, GpuScore>>;
  /** Milliseconds until a kernel's first twin has answered: its libraries are imported meanwhile. The median of all. */
  readonly ready_ms: number | null;
  readonly predictions: readonly GpuPrediction[];
  /** Scripts whose set-up failed, with the reason: a library that is not installed, say. */
  readonly skipped: readonly string[];
}

export interface GpuOptions {
  readonly data: string;
  readonly python: string;
  readonly only?: readonly string[];
  readonly workers?: number;
  readonly progress?: (done: number, total: number, script: string) => void;
}

const timeout = 120_000;
const visible = { CUDA_VISIBLE_DEVICES: '0' };

export async function runGpu(options: GpuOptions): Promise<GpuReport> {
  const scripts = await loadScripts(options.data, options.only);
  const gpu = await withScratchKernel(options.python, nameOfGpu, visible);
  const skipped: string[] = [];
  const waits: number[] = [];
  let done = 0;
  const judged = await inParallel(scripts, options.workers ?? 1, async (script) => {
    const answer = await withScratchKernel(
      options.python,
      (kernel) => judgeScript(kernel, script, waits),
      visible,
    );
    options.progress?.(++done, scripts.length, script.name);
    if (typeof answer !== 'string') return answer;
    skipped.push(`${script.name}: ${answer}`);
    return [];
  });
  const predictions = judged.flat();
  const score = (method: GpuMethod) => scoreOf(predictions.filter((one) => one.method === method));
  return {
    benchmark: 'gpu',
    gpu,
    methods: { contracts: score('contracts'), ladder: score('ladder') },
    ready_ms: quantile(waits, 0.5) ?? null,
    predictions,
    skipped: skipped.sort(),
  };
}

async function nameOfGpu(kernel: Kernel): Promise<string> {
  const code = 'import torch\nname = torch.cuda.get_device_name(0) + ", torch " + torch.__version__';
  const { status, userExpressions } = await kernel.execute(code, {
    timeout,
    userExpressions: { name: 'name' },
  });
  const told = userExpressions['name'] as { data?: Record<string, string> } | undefined;
  if (status === 'ok' && told?.data) return (told.data['text/plain'] ?? '').replaceAll("'", '');
  throw new GrusError('there is no GPU that torch can use here', {
    advice: 'Run this where torch.cuda.is_available() says True, and name the interpreter with --python.',
  });
}

async function judgeScript(
  kernel: Kernel,
  script: GpuScript,
  waits: number[],
): Promise<GpuPrediction[] | string> {
  const cells: CodeCell[] = script.cells.map(({ source }, position) => ({
    number: position + 1,
    id: null,
    source,
    metadata: {},
    position,
  }));
  const session = new NotebookSession(kernel, cells);
  const predictions: GpuPrediction[] = [];
  let isReady = false;
  for (const cell of cells) {
    const { purpose } = script.cells[cell.position]!;
    if (purpose !== 'setup' && !isReady) {
      const started = performance.now();
      await liveMethods.ladder(session, { ...cell, source: 'torch' });
      waits.push(Math.round(performance.now() - started));
      isReady = true;
    }
    const verdicts = purpose === 'setup' ? [] : await judge(session, cell);
    const result = await session.execute(cell, { timeout });
    if (purpose === 'setup' && result.status !== 'ok') return raisedBy(result) ?? result.status;
    const instance = `${script.name}/${cell.number}`;
    for (const verdict of verdicts) predictions.push({ instance, ...verdict, raised: raisedBy(result) });
  }
  return predictions;
}

async function judge(session: NotebookSession, cell: CodeCell) {
  const verdicts: Omit<GpuPrediction, 'instance' | 'raised'>[] = [];
  for (const method of methods) {
    const started = performance.now();
    const { outcome, rung, exception, line, rungs } = await liveMethods[method](session, cell);
    verdicts.push({
      method,
      outcome,
      rung,
      exception: exception?.type ?? null,
      line,
      ms: Math.round(performance.now() - started),
      because: rungs.at(-1)?.abstained_because ?? null,
    });
  }
  return verdicts;
}

function raisedBy({ status, error }: ExecuteResult): string | null {
  return status === 'ok' ? null : (error?.ename ?? status);
}

export function scoreOf(predictions: readonly GpuPrediction[]): GpuScore {
  const crashing = predictions.filter(({ raised }) => raised !== null);
  const fine = predictions.filter(({ raised }) => raised === null);
  const found = crashing.filter(({ outcome }) => outcome === 'crash');
  const times = predictions.map(({ ms }) => ms);
  return {
    crashes: crashing.length,
    found: found.length,
    exception_right: found.filter(({ exception, raised }) => exception === raised).length,
    fine: fine.length,
    false_alarms: fine.filter(({ outcome }) => outcome === 'crash').length,
    proved: fine.filter(({ outcome }) => outcome === 'ok').length,
    ms: { median: quantile(times, 0.5) ?? null, p95: quantile(times, 0.95) ?? null },
  };
}
