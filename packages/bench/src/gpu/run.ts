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
import { withPretendedGpu } from './pretended.js';

export const gpuMethods = ['contracts', 'ladder'] as const;
export type GpuMethod = (typeof gpuMethods)[number];

export interface GpuPrediction {
  /** Name of the script and number of the cell in it. */
  readonly instance: string;
  readonly method: GpuMethod;
  readonly outcome: Verdict['outcome'];
  readonly rung: string | null;
  readonly exception: string | null;
  /** What the exception would say. */
  readonly predicted: string | null;
  readonly line: number | null;
  readonly ms: number;
  /** Why the last rung did not commit. */
  readonly because: string | null;
  /** What the cell really raised, and its message; null when it finished. */
  readonly raised: string | null;
  readonly message: string | null;
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
  /** Scripts that could not be judged to their end, with the reason: a library that is not installed, say. */
  readonly skipped: readonly string[];
}

export interface GpuOptions {
  readonly data: string;
  readonly python: string;
  /** Default: all. */
  readonly methods?: readonly GpuMethod[];
  /** Needs no GPU: kernels pretend to have one, and what the scripts say of their cells counts as what happened. */
  readonly pretended?: boolean;
  readonly only?: readonly string[];
  readonly skip?: readonly string[];
  readonly workers?: number;
  /** Called with every prediction as soon as the cell has really been run. */
  readonly onPrediction?: (prediction: GpuPrediction) => void;
  readonly progress?: (done: number, total: number, script: string) => void;
}

export const timeout = 120_000;
export const onGpu = { CUDA_VISIBLE_DEVICES: '0' };

export async function runGpu(options: GpuOptions): Promise<GpuReport> {
  const scripts = await loadScripts(options.data, options);
  const chosen = options.methods ?? gpuMethods;
  const withKernel = options.pretended ? withPretendedGpu : withGpu;
  const gpu = await withKernel(options.python, nameOfGpu);
  const skipped: string[] = [];
  const waits: number[] = [];
  const predictions: GpuPrediction[] = [];
  let done = 0;
  const keep = (prediction: GpuPrediction) => {
    predictions.push(prediction);
    options.onPrediction?.(prediction);
  };
  await inParallel(scripts, options.workers ?? 1, async (script) => {
    const judging = { script, methods: chosen, isPretended: options.pretended ?? false, keep, waits };
    const trouble = await withKernel(options.python, (kernel) => judgeScript(kernel, judging)).catch(
      (error: unknown) => `${error}`,
    );
    options.progress?.(++done, scripts.length, script.name);
    if (trouble !== null) skipped.push(`${script.name}: ${trouble}`);
  });
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

function withGpu<T>(python: string, work: (kernel: Kernel) => Promise<T>): Promise<T> {
  return withScratchKernel(python, work, onGpu);
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

const settle =
  "__import__('sys').modules.get('torch') and __import__('torch').cuda.is_initialized() and __import__('torch').cuda.synchronize()";

interface Judging {
  readonly script: GpuScript;
  readonly methods: readonly GpuMethod[];
  readonly isPretended: boolean;
  readonly keep: (prediction: GpuPrediction) => void;
  readonly waits: number[];
}

/** Why the script could not be judged to its end; null when it was. */
async function judgeScript(kernel: Kernel, judging: Judging): Promise<string | null> {
  const { script, methods, isPretended, keep, waits } = judging;
  const cells = codeCells(script);
  const session = new NotebookSession(kernel, cells);
  let isReady = false;
  for (const cell of cells) {
    const { purpose } = script.cells[cell.position]!;
    if (purpose !== 'setup' && !isReady && methods.includes('ladder')) {
      waits.push(await getReady(session, cell));
      isReady = true;
    }
    const verdicts = purpose === 'setup' ? [] : await judge(session, cell, methods);
    const run = await session.execute(cell, { timeout });
    // A GPU works on after the cell: what it refuses then is the cell's doing, and the kernel's context is lost.
    const result = run.status === 'ok' ? await kernel.execute(settle, { timeout }) : run;
    const happened = raisedBy(result);
    const raised =
      isPretended && purpose !== 'setup' ? (purpose === 'crash' ? (happened ?? '?') : null) : happened;
    if (purpose === 'setup' && raised !== null) return raised;
    const instance = `${script.name}/${cell.number}`;
    const message = result.error?.evalue ?? null;
    for (const verdict of verdicts) keep({ instance, ...verdict, raised, message });
  }
  return null;
}

export function codeCells(script: GpuScript): CodeCell[] {
  return script.cells.map(({ source }, position) => ({
    number: position + 1,
    id: null,
    source,
    metadata: {},
    position,
  }));
}

/** Milliseconds until the first twin of a kernel has answered. */
export async function getReady(session: NotebookSession, cell: CodeCell): Promise<number> {
  const started = performance.now();
  await liveMethods.ladder(session, { ...cell, source: 'torch' });
  return Math.round(performance.now() - started);
}

async function judge(session: NotebookSession, cell: CodeCell, methods: readonly GpuMethod[]) {
  const verdicts: Omit<GpuPrediction, 'instance' | 'raised' | 'message'>[] = [];
  for (const method of methods) {
    const started = performance.now();
    const { outcome, rung, exception, line, rungs } = await liveMethods[method](session, cell);
    verdicts.push({
      method,
      outcome,
      rung,
      exception: exception?.type ?? null,
      predicted: exception?.message ?? null,
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
