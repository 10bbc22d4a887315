// No kernel that we started outlives us, however we end. A real child process holds a kernel with a running cell.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { alive } from './support/processes.js';
import { python } from './support/python.js';

const source = fileURLToPath(new URL('./fixtures/hold-kernel.ts', import.meta.url));
const bundle = fileURLToPath(new URL(`./hold-kernel.${process.pid}.mjs`, import.meta.url));

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
afterAll(async () => {
  const { rm } = await import('node:fs/promises');
  await rm(bundle, { force: true });
});

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

  it('by an error is gone', async () => {
    const { ended, pid, child, file } = await hold('exit');
    expect((await ended).code).toBe(1);
    await vi.waitFor(() =>
      expect([alive(pid), alive(child), existsSync(file)]).toEqual([false, false, false]),
    );
  });

  it('by SIGKILL notices and ends itself', async () => {
    const { holder, pid } = await hold('wait');
    holder.kill('SIGKILL');
    await vi.waitFor(() => expect(alive(pid)).toBe(false), { timeout: 10_000, interval: 200 });
  });
});
