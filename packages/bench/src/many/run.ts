// Many small notebooks in one call: whether its memory stays flat, whether kernels are left behind, and whether one that hangs
// and one that ends its own kernel leave the others alone.
import { spawn } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { writeNotebook } from '../rehearsal/notebooks.js';
import { quantile } from '../statistics/index.js';

export interface ManyReport {
  readonly benchmark: 'many';
  readonly notebooks: number;
  readonly seconds: number;
  readonly outcomes: Readonly<Record<string, number>>;
  /** Notebooks that were not told what they are. */
  readonly wrong: readonly string[];
  /** Megabytes of the command itself, the median of each quarter of its time. */
  readonly megabytes: readonly number[];
  /** Processes of the call that were alive when it had ended. */
  readonly left: number;
}

export interface ManyOptions {
  /** The file that Node runs as `grus`. */
  readonly entry: string;
  readonly python: string;
  readonly count: number;
  readonly jobs: number;
  readonly progress?: (text: string) => void;
}

const told = z.object({
  notebooks: z.array(z.object({ notebook: z.string(), outcome: z.string() })),
});
const marker = 'GRUS_BENCH_MANY';
const sampleMs = 1_000;

/** Every tenth crashes, one hangs, one ends its kernel; the others run. */
function cellsOf(index: number, count: number): [expected: string, cells: string[]] {
  if (index === Math.floor(count / 3)) return ['crash', ['import time', 'time.sleep(10_000)']];
  if (index === Math.floor(count / 2))
    return ['crash', ['import os, signal', 'os.kill(os.getpid(), signal.SIGKILL)']];
  if (index % 10 === 9) return ['crash', [`rows = {"a": ${index}}`, 'rows["b"]', 'print("never")']];
  return ['ok', [`values = list(range(${index}))`, 'total = sum(values)\nprint(total)']];
}

export async function runMany({ entry, python, count, jobs, progress }: ManyOptions): Promise<ManyReport> {
  const folder = await mkdtemp(join(tmpdir(), 'grus-many-'));
  try {
    const expected = new Map<string, string>();
    for (let index = 0; index < count; index++) {
      const [outcome, cells] = cellsOf(index, count);
      const name = `${String(index).padStart(5, '0')}.ipynb`;
      expected.set(name, outcome);
      writeNotebook(join(folder, name), cells);
    }
    const started = performance.now();
    const args = ['check', '.', '--python', python, '--settings', 'none', '--jobs', String(jobs)];
    const child = spawn(process.execPath, [entry, ...args, '--timeout', '10', '--format', 'json=told.json'], {
      cwd: folder,
      stdio: ['ignore', 'ignore', 'pipe'],
      env: { ...process.env, [marker]: '1' },
    });
    child.stderr.on('data', (chunk: Buffer) => progress?.(chunk.toString().trim()));
    const samples: number[] = [];
    const sampling = setInterval(
      () => void residentOf(child.pid!).then((mb) => mb && samples.push(mb)),
      sampleMs,
    );
    await new Promise((resolve) => child.on('close', resolve));
    clearInterval(sampling);
    const seconds = (performance.now() - started) / 1000;
    const { notebooks } = told.parse(JSON.parse(await readFile(join(folder, 'told.json'), 'utf8')));
    const outcomes: Record<string, number> = {};
    for (const { outcome } of notebooks) outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
    return {
      benchmark: 'many',
      notebooks: notebooks.length,
      seconds,
      outcomes,
      wrong: notebooks
        .filter(({ notebook, outcome }) => expected.get(notebook) !== outcome)
        .map(({ notebook, outcome }) => `${notebook}: ${outcome}`),
      megabytes: quarters(samples),
      left: await countMarked(),
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function quarters(samples: readonly number[]): number[] {
  const size = Math.ceil(samples.length / 4);
  return [0, 1, 2, 3].flatMap((part) => quantile(samples.slice(part * size, (part + 1) * size), 0.5) ?? []);
}

async function residentOf(pid: number): Promise<number | null> {
  const text = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  const [, kilobytes] = /^VmRSS:\s+(\d+)/m.exec(text) ?? [];
  return kilobytes === undefined ? null : Number(kilobytes) / 1024;
}

async function countMarked(): Promise<number> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const marked = await Promise.all(
    pids.map(async (pid) => {
      const text = await readFile(`/proc/${pid}/environ`, 'utf8').catch(() => '');
      return text.includes(`${marker}=`);
    }),
  );
  return marked.filter(Boolean).length;
}
