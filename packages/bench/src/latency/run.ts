// The added time of a check on kernels of three sizes, beside pyright on the same cells, and the bytes of a snapshot.
import { type Kernel, startKernel } from '@grus/kernel';
import { checkCell, snapshotFor } from '@grus/notebook';
import { quantile } from '../statistics/index.js';
import { timePyright } from './pyright.js';
import { cells, type Workload, workloads } from './workloads.js';

export interface LatencyRow {
  readonly kernel: string;
  readonly checks: number;
  readonly medianMs: number;
  readonly p95Ms: number;
  readonly medianBytes: number;
}

export interface LatencyReport {
  readonly benchmark: 'latency';
  readonly rows: readonly LatencyRow[];
  /** Median of the largest kernel over that of the smallest. */
  readonly growth: number;
  readonly pyright: { readonly medianMs: number; readonly ratio: number };
}

export interface LatencyOptions {
  readonly python: string;
  readonly repeats?: number;
  readonly sizes?: readonly Workload[];
  readonly onProgress?: (text: string) => void;
}

export async function runLatency(options: LatencyOptions): Promise<LatencyReport> {
  const rows: LatencyRow[] = [];
  for (const workload of options.sizes ?? workloads) {
    options.onProgress?.(`filling a kernel with ${workload.name}`);
    const kernel = await startKernel({ python: options.python });
    try {
      const prepared = await kernel.execute(workload.setup);
      if (prepared.error)
        throw new Error(`the ${workload.name} kernel could not be filled: ${prepared.error.evalue}`);
      options.onProgress?.(`checking cells on ${workload.name}`);
      rows.push(await measure(workload, kernel, options.repeats ?? 5));
    } finally {
      await kernel.close();
    }
  }
  options.onProgress?.('running pyright on the same cells');
  const pyright = median(await timePyright(workloads[0]!.setup, cells.slice(0, 6), options.python));
  const first = rows[0]!;
  return {
    benchmark: 'latency',
    rows,
    growth: rows.at(-1)!.medianMs / first.medianMs,
    pyright: { medianMs: pyright, ratio: pyright / first.medianMs },
  };
}

async function measure(workload: Workload, kernel: Kernel, repeats: number): Promise<LatencyRow> {
  const check = (source: string) => checkCell({ kernel, source, metadata: {}, number: null, cells: [] });
  await check(cells[0]!);
  const times: number[] = [];
  for (let repeat = 0; repeat < repeats; repeat++) {
    for (const source of cells) {
      const started = performance.now();
      await check(source);
      times.push(performance.now() - started);
    }
  }
  const bytes: number[] = [];
  for (const source of cells) bytes.push(JSON.stringify(await snapshotFor(kernel, source)).length);
  return {
    kernel: workload.name,
    checks: times.length,
    medianMs: median(times),
    p95Ms: quantile(times, 0.95) ?? Number.NaN,
    medianBytes: median(bytes),
  };
}

function median(values: readonly number[]): number {
  return quantile(values, 0.5) ?? Number.NaN;
}
