// No kernel that we started outlives us, however we end. A real child process holds a kernel with a running cell.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { alive } from './support/processes.js';
import { python } from './support/python.js';

const source = fileURLToPath(new URL('./fixtures/hold-kernel.ts', import.meta.url));
const bundle = fileURLToPath(new URL(`../dist/hold-kernel.${process.pid}.mjs`, import.meta.url));

beforeAll(async () => {
  await build({
    entryPoints: [source],
    outfile: bundle,
    bundle: true,
    platform: 'node',
    format: 'esm',
    conditions: ['source'],
    external: ['zeromq', '@jupyterlab/services', 'zod'],
  });
});
afterAll(() => rm(bundle, { force: true }));

async function hold(way: string) {
  const holder = spawn(process.execPath, [bundle, python, way], { stdio: ['ignore', 'pipe', 'ignore'] });
  const ended = new Promise<{ code: number | null; signal: string | null }>((resolve) => {
    holder.once('exit', (code, signal) => resolve({ code, signal }));
  });
  const line = await new Promise<string>((resolve) => {
    holder.stdout.once('data', (data: Buffer) => resolve(data.toString()));
  });
  return { holder, ended, ...(JSON.parse(line) as { pid: number; child: number; file: string }) };
}

describe('a kernel whose owner ends', () => {
  it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
    'by %s is gone with its children and files',
    async (signal) => {
      const { holder, ended, pid, child, file } = await hold('wait');
      expect([alive(pid), alive(child), existsSync(file)]).toEqual([true, true, true]);
      holder.kill(signal);
      expect((await ended).signal).toBe(signal);
      await vi.waitFor(() =>
        expect([alive(pid), alive(child), existsSync(file)]).toEqual([false, false, false]),
      );
    },
  );

  it('by its own handling of the signal is gone', async () => {
    const { holder, ended, pid, child, file } = await hold('handle');
    holder.kill('SIGINT');
    expect((await ended).code).toBe(2);
    await vi.waitFor(() =>
      expect([alive(pid), alive(child), existsSync(file)]).toEqual([false, false, false]),
    );
  });

  it.each([
    ['an error', 'fail', 1],
    ['having nothing left to do', 'finish', 0],
  ])('by %s is gone', async (_, way, code) => {
    const { ended, pid, child, file } = await hold(way);
    expect((await ended).code).toBe(code);
    await vi.waitFor(() =>
      expect([alive(pid), alive(child), existsSync(file)]).toEqual([false, false, false]),
    );
  });

  it('by SIGKILL notices and ends itself', async () => {
    const { holder, pid, child, file } = await hold('wait');
    holder.kill('SIGKILL');
    await vi.waitFor(() => expect(alive(pid)).toBe(false), { timeout: 10_000, interval: 200 });
    // Nobody is left to do this.
    process.kill(child, 'SIGKILL');
    await rm(dirname(file), { recursive: true });
  });
});
