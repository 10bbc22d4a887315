// Kernels for the agent's tests: started from the test interpreter, with code of the fixtures run in them.
import { readFileSync } from 'node:fs';
import {
  emptyRequest,
  type Kernel,
  type SnapshotRequest,
  startKernel,
  takeSnapshot,
} from '../../src/index.js';
import type { ObjectFact, Snapshot } from '../../src/snapshot/index.js';
import { python } from '../support/python.js';

export async function kernelWith(...cells: string[]): Promise<Kernel> {
  const kernel = await startKernel({
    python,
    env: { TF_CPP_MIN_LOG_LEVEL: '3', CUDA_VISIBLE_DEVICES: '-1' },
  });
  for (const cell of cells) {
    await run(kernel, cell);
  }
  return kernel;
}

/** Runs a cell and fails loudly when it fails. */
export async function run(kernel: Kernel, cell: string): Promise<string> {
  const result = await kernel.execute(cell);
  if (result.status !== 'ok') {
    throw new Error(`${result.error?.ename}: ${result.error?.evalue}\n${cell.slice(0, 500)}`);
  }
  return result.outputs.map((output) => String(output['text'] ?? '')).join('');
}

/** Process numbers of the kernel's children. */
export function childrenOf({ pid }: Kernel): string {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
}

export function fixture(name: string): string {
  return readFileSync(new URL(`./fixtures/${name}`, import.meta.url), 'utf8');
}

/** A budget that only the limits on work can exhaust, so that slow test machines see what fast ones see. */
const unhurried = { ms: 60_000, bytes: 20_000_000 };

export async function ask(kernel: Kernel, request: Partial<SnapshotRequest>): Promise<Snapshot> {
  const taken = await takeSnapshot(
    kernel,
    { ...emptyRequest, budget: unhurried, ...request },
    { timeout: 100_000 },
  );
  return taken.snapshot;
}

/** The facts of a name. */
export function factOf(snapshot: Snapshot, name: string): ObjectFact {
  return object(snapshot, snapshot.names[name]);
}

export function object(snapshot: Snapshot, ref: string | undefined): ObjectFact {
  const fact = ref === undefined ? undefined : snapshot.objects[ref];
  if (!fact) {
    throw new Error(`the snapshot does not describe ${ref}`);
  }
  return fact;
}
