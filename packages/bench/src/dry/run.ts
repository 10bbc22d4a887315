// What a dry run costs beyond the cell's own time on kernels of three sizes, under each isolation that the machine offers,
// beside the only other way to try a cell out: a fresh kernel in which the notebook is replayed. And what is left behind
// after many of them.
import { readdirSync, readFileSync } from 'node:fs';
import { GrusError, textOf } from '@grus/core';
import { dryRun, type IsolationStrength, type Kernel, startKernel, strengths } from '@grus/kernel';
import { type Workload, workloads } from '../latency/workloads.js';
import { quantile } from '../statistics/index.js';

export interface DryCostRow {
  readonly kernel: string;
  readonly isolation: IsolationStrength;
  readonly runs: number;
  /** Round trip less the time that the cell itself took in the copy. */
  readonly addedMs: { readonly median: number; readonly p95: number };
  /** How long the kernel could do nothing else: the fork. */
  readonly heldMs: { readonly median: number; readonly p95: number };
  /** From the fork until the copy is fenced in and ready for the cell. */
  readonly setUpMs: { readonly median: number; readonly p95: number };
  /** Memory that the copy took beyond what it shares with the kernel, in megabytes. */
  readonly addedMb: number | null;
  /** Starting a kernel and running the cells before, to the same state. */
  readonly replayMs: number;
}

export interface DryCostReport {
  readonly benchmark: 'dry-run';
  readonly rows: readonly DryCostRow[];
  /** Isolations that are not possible here, and why. */
  readonly impossible: readonly { readonly isolation: IsolationStrength; readonly because: string }[];
  readonly endurance: {
    readonly runs: number;
    readonly descriptors: number;
    readonly threads: number;
    readonly children: number;
    readonly residentMb: number;
  };
}

export interface DryCostOptions {
  readonly python: string;
  readonly repeats?: number;
  /** Dry runs in a row whose leftovers are counted. Default 1 000. */
  readonly endurance?: number;
  readonly sizes?: readonly Workload[];
  /** Default: all of them. */
  readonly isolations?: readonly IsolationStrength[];
  readonly onProgress?: (text: string) => void;
}

const budgetMs = 60_000;
const cell = 'total = df["feature_0"].head(100).sum()\nprint(total)';
/** Tells its own memory that is shared with nobody, from inside the copy. The kernel's own library may look there. */
const privateMemory = 'print("private", __import__("psutil").Process().memory_full_info().uss // 1024)';

export async function runDryCost(options: DryCostOptions): Promise<DryCostReport> {
  const rows: DryCostRow[] = [];
  const impossible: DryCostReport['impossible'][number][] = [];
  let endurance: DryCostReport['endurance'] | undefined;
  for (const workload of options.sizes ?? workloads) {
    options.onProgress?.(`filling a kernel with ${workload.name}`);
    const started = performance.now();
    const kernel = await startKernel({ python: options.python });
    try {
      const prepared = await kernel.execute(workload.setup);
      if (prepared.error)
        throw failed(`the ${workload.name} kernel could not be filled`, prepared.error.evalue);
      const replayMs = performance.now() - started;
      for (const isolation of options.isolations ?? strengths) {
        if (impossible.some((one) => one.isolation === isolation)) continue;
        options.onProgress?.(`dry runs on ${workload.name} (${isolation})`);
        const because = await whyNot(kernel, isolation);
        if (because !== null) impossible.push({ isolation, because });
        else {
          const measured = await measure(kernel, isolation, options.repeats ?? 20);
          rows.push({ kernel: workload.name, ...measured, replayMs });
        }
      }
      endurance ??= await endure(kernel, options);
    } finally {
      await kernel.close();
    }
  }
  return { benchmark: 'dry-run', rows, impossible, endurance: endurance! };
}

/** Null when the machine can fence copies in this way. */
async function whyNot(kernel: Kernel, isolation: IsolationStrength): Promise<string | null> {
  const result = await dryRun(kernel, [cell], { budgetMs, isolation });
  return result.status === 'refused' ? textOf(result.reason) : null;
}

async function measure(
  kernel: Kernel,
  isolation: IsolationStrength,
  repeats: number,
): Promise<Omit<DryCostRow, 'kernel' | 'replayMs'>> {
  const added: number[] = [];
  const held: number[] = [];
  const setUp: number[] = [];
  for (let repeat = 0; repeat < repeats; repeat += 1) {
    const started = performance.now();
    const result = await once(kernel, cell, isolation);
    added.push(performance.now() - started - result.cells[0]!.cell_ms);
    held.push(result.held_ms);
    setUp.push(result.ready_ms ?? Number.NaN);
  }
  const told = await once(kernel, `${cell}\n${privateMemory}`, isolation);
  const kilobytes = /private (\d+)/.exec(told.cells[0]!.output)?.[1];
  return {
    isolation,
    runs: repeats,
    addedMs: spread(added),
    heldMs: spread(held),
    setUpMs: spread(setUp),
    addedMb: kilobytes === undefined ? null : Number(kilobytes) / 1024,
  };
}

async function endure(kernel: Kernel, options: DryCostOptions): Promise<DryCostReport['endurance']> {
  const runs = options.endurance ?? 1_000;
  const before = await held(kernel);
  for (let run = 0; run < runs; run += 1) {
    if (run % 50 === 0) options.onProgress?.(`dry run ${run} of ${runs} in a row`);
    await once(kernel, run % 2 === 0 ? cell : 'df["no such column"]');
  }
  const after = await held(kernel);
  return {
    runs,
    descriptors: after.descriptors - before.descriptors,
    threads: after.threads - before.threads,
    children: after.children - before.children,
    residentMb: after.residentMb - before.residentMb,
  };
}

/** What the kernel's process holds, once the last copy has been collected. */
async function held(kernel: Kernel) {
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  const own = `/proc/${kernel.pid}`;
  const resident = /VmRSS:\s+(\d+)/.exec(readFileSync(`${own}/status`, 'utf8'))?.[1];
  return {
    descriptors: readdirSync(`${own}/fd`).length,
    threads: readdirSync(`${own}/task`).length,
    children: readFileSync(`${own}/task/${kernel.pid}/children`, 'utf8').split(' ').filter(Boolean).length,
    residentMb: Number(resident) / 1024,
  };
}

async function once(kernel: Kernel, source: string, isolation: 'auto' | IsolationStrength = 'auto') {
  const result = await dryRun(kernel, [source], { budgetMs, isolation });
  if (result.status !== 'ok' || result.cells.length === 0)
    throw failed('a dry run gave no result', result.reason ? textOf(result.reason) : 'it ended early');
  return result;
}

function spread(values: readonly number[]) {
  return { median: quantile(values, 0.5) ?? Number.NaN, p95: quantile(values, 0.95) ?? Number.NaN };
}

function failed(what: string, why: string): GrusError {
  return new GrusError(`${what}: ${why}`, { advice: 'Run the benchmark on Linux with enough free memory.' });
}
