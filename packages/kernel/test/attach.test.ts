// Attaching to a kernel by its connection file: it is used, never ended, and every way it can fail is said in one line.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  attachKernel,
  type Kernel,
  KernelDiedError,
  KernelUnavailableError,
  startKernel,
} from '../src/index.js';
import { python } from './support/python.js';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'grus-attach-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe('an attached kernel', () => {
  let owner: Kernel;
  beforeAll(async () => {
    owner = await startKernel({ python });
  });
  afterAll(() => owner.close());

  it('shares the state, and lives on when we let go', async () => {
    await owner.execute('shared = 20');
    const guest = await attachKernel(owner.connectionFile!);
    expect(guest.owned).toBe(false);
    expect((await guest.execute('shared + 1')).outputs[0]).toMatchObject({ data: { 'text/plain': '21' } });
    await guest.close();
    expect((await owner.execute('shared')).status).toBe('ok');
  });

  it('is interrupted by message and not restarted', async () => {
    const guest = await attachKernel(owner.connectionFile!);
    await expect(guest.restart()).rejects.toThrow('not started by Grus');
    const running = owner.execute('import time; time.sleep(60)');
    await expect.poll(() => guest.status).toBe('busy');
    await new Promise((resolve) => setTimeout(resolve, 200));
    await guest.interrupt();
    expect((await running).error?.ename).toBe('KeyboardInterrupt');
    await guest.close();
  });

  it('is refused when the key is wrong', async () => {
    const connection = JSON.parse(await readFile(owner.connectionFile!, 'utf8'));
    const file = join(folder, 'wrong-key.json');
    await writeFile(file, JSON.stringify({ ...connection, key: 'not-the-key' }));
    await expect(attachKernel(file, { timeout: 1_500 })).rejects.toMatchObject({
      message: expect.stringContaining('ignores our messages'),
      advice: expect.stringContaining('key'),
    });
    expect((await owner.execute('1')).status).toBe('ok');
  });
});

describe('a kernel that dies while we are attached', () => {
  it('is noticed by its heartbeat', async () => {
    const owner = await startKernel({ python });
    const file = join(folder, 'dying.json');
    await writeFile(file, await readFile(owner.connectionFile!));
    const guest = await attachKernel(file);
    const pending = guest.execute('import time; time.sleep(60)');
    pending.catch(() => undefined);
    await expect.poll(() => owner.status).toBe('busy');
    process.kill(owner.pid!, 'SIGKILL');
    await expect(pending).rejects.toThrow(KernelDiedError);
    await expect(pending).rejects.toThrow('heartbeat');
    expect(((await owner.ended) as Error).message).toContain('SIGKILL');
    await guest.close();
    await owner.close();
    await expect(attachKernel(file)).rejects.toThrow('is not running');
  });
});

describe('a bad connection file', () => {
  const cases: [string, string | undefined, string][] = [
    ['missing', undefined, 'Cannot read'],
    ['not JSON', 'hello', 'not JSON'],
    ['a list', '[]', 'not a connection file'],
    ['without a port', '{"shell_port": 5}', 'iopub_port is missing'],
    ['with an unknown scheme', '{"signature_scheme": "rot13"}', 'not a connection file'],
  ];
  it.each(cases)('%s', async (name, text, message) => {
    const file = join(folder, `${name}.json`);
    if (text !== undefined) {
      await writeFile(file, text);
    }
    const attaching = attachKernel(file);
    await expect(attaching).rejects.toThrow(KernelUnavailableError);
    await expect(attaching).rejects.toThrow(message);
  });
});
