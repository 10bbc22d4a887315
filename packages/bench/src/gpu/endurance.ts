// Many checks in a row in one kernel that uses a GPU: what they leave behind, and whether the kernel is what it would be
// without them. A second kernel is set up in the same way and never checked; both then do the same work.
import { readdirSync, readlinkSync } from 'node:fs';
import { GrusError } from '@grus/core';
import type { Kernel } from '@grus/kernel';
import { NotebookSession } from '@grus/notebook';
import { liveMethods } from '../live/methods.js';
import { withScratchKernel } from '../live/scratch-kernel.js';
import { quantile } from '../statistics/index.js';
import { type GpuScript, loadScripts } from './cells.js';
import { codeCells, getReady, onGpu, timeout } from './run.js';

/** The script whose cells are judged: two gigabytes of model, optimizer and data. */
const script = 'large-state';

export interface GpuEnduranceReport {
  readonly benchmark: 'gpu-endurance';
  readonly checks: number;
  readonly outcomes: Readonly<Record<string, number>>;
  readonly ms: { readonly median: number | null; readonly p95: number | null };
  /** Whether tensors, random numbers and torch's memory are the same after the checks as before. */
  readonly state_same: boolean;
  /** Whether the kernel then computes what one that was never checked computes. */
  readonly results_same: boolean;
  /** What there is more than before: processes of this interpreter, and bytes in use on the card. */
  readonly processes: number;
  readonly gpu_bytes: number;
  readonly descriptors: number;
  readonly threads: number;
}

export interface GpuEnduranceOptions {
  readonly data: string;
  readonly python: string;
  readonly checks: number;
  readonly onProgress?: (done: number) => void;
}

const state = `
def _told():
    import hashlib, random, torch
    torch.cuda.synchronize()
    held = hashlib.sha256()
    parts = [*model.state_dict().values(), features, labels]
    for kept in opt.state.values():
        parts.extend(kept.values())
    for part in [*parts, torch.get_rng_state(), torch.cuda.get_rng_state()]:
        held.update(part.detach().cpu().contiguous().view(-1).view(torch.uint8).numpy())
    held.update(repr(random.getstate()).encode())
    return held.hexdigest(), torch.cuda.memory_allocated(), torch.cuda.memory_reserved()
told = repr(_told())
`;
const free = 'import torch\ntold = str(torch.cuda.mem_get_info()[0])';
const work = `
import torch, torch.nn.functional as F
model.train()
found = []
for step in range(5):
    at = torch.randint(0, 4096, (64,), device="cuda")
    loss = F.cross_entropy(model(features[at]), labels[at])
    loss.backward(); opt.step(); opt.zero_grad()
    found.append(loss.item().hex())
told = " ".join(found)
`;

export async function runGpuEndurance(options: GpuEnduranceOptions): Promise<GpuEnduranceReport> {
  const [large] = await loadScripts(options.data, { only: [script] });
  const times: number[] = [];
  const outcomes: Record<string, number> = {};
  const checked = await withScratchKernel(
    options.python,
    async (kernel) => {
      const session = await setUp(kernel, large!);
      const cells = codeCells(large!).filter(({ position }) => large!.cells[position]!.purpose !== 'setup');
      await getReady(session, cells[0]!);
      const before = await look(kernel);
      for (let done = 0; done < options.checks; done += 1) {
        if (done % 10 === 0) options.onProgress?.(done);
        const started = performance.now();
        const { outcome } = await liveMethods.ladder(session, cells[done % cells.length]!);
        times.push(performance.now() - started);
        outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
      }
      return { before, after: await look(kernel), results: await ask(kernel, work) };
    },
    onGpu,
  );
  const unchecked = await withScratchKernel(
    options.python,
    async (kernel) => {
      await setUp(kernel, large!);
      return ask(kernel, work);
    },
    onGpu,
  );
  const { before, after, results } = checked;
  return {
    benchmark: 'gpu-endurance',
    checks: options.checks,
    outcomes,
    ms: { median: quantile(times, 0.5) ?? null, p95: quantile(times, 0.95) ?? null },
    state_same: before.state === after.state,
    results_same: results === unchecked,
    processes: after.processes - before.processes,
    gpu_bytes: before.free - after.free,
    descriptors: after.descriptors - before.descriptors,
    threads: after.threads - before.threads,
  };
}

async function setUp(kernel: Kernel, large: GpuScript): Promise<NotebookSession> {
  const cells = codeCells(large);
  const session = new NotebookSession(kernel, cells);
  for (const cell of cells) {
    if (large.cells[cell.position]!.purpose !== 'setup') continue;
    const { status, error } = await session.execute(cell, { timeout });
    if (status !== 'ok') throw failed(error?.ename ?? status);
  }
  return session;
}

async function look(kernel: Kernel) {
  const told = { state: await ask(kernel, state), free: Number(await ask(kernel, free)) };
  // The last twin is collected when the kernel has a moment.
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  const own = `/proc/${kernel.pid}`;
  return {
    ...told,
    descriptors: readdirSync(`${own}/fd`).length,
    threads: readdirSync(`${own}/task`).length,
    processes: processesOf(programOf(`${kernel.pid}`)),
  };
}

function processesOf(program: string | null): number {
  return readdirSync('/proc').filter((name) => /^\d+$/.test(name) && programOf(name) === program).length;
}

function programOf(pid: string): string | null {
  try {
    return readlinkSync(`/proc/${pid}/exe`);
  } catch {
    return null;
  }
}

async function ask(kernel: Kernel, code: string): Promise<string> {
  const { status, error, userExpressions } = await kernel.execute(code, {
    timeout,
    userExpressions: { told: 'told' },
  });
  const told = userExpressions['told'] as { data?: Record<string, string> } | undefined;
  if (status !== 'ok' || !told?.data) throw failed(error?.evalue ?? status);
  return (told.data['text/plain'] ?? '').replace(/^['"]|['"]$/g, '');
}

function failed(why: string): GrusError {
  return new GrusError(`the kernel could not be set up: ${why}`, {
    advice: 'Run this where torch.cuda.is_available() says True, and name the interpreter with --python.',
  });
}
