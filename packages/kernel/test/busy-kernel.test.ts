// Asking a kernel that is running a cell: through a subshell where it has them, otherwise not for ever.
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { attachKernel, type Kernel, KernelBusyError, startKernel } from '../src/index.js';
import { installEcho } from './support/echo.js';
import { python } from './support/python.js';

describe('a busy kernel', () => {
  let owner: Kernel;
  let guest: Kernel;
  let running: Promise<unknown>;
  beforeAll(async () => {
    owner = await startKernel({ python });
    await installEcho(owner);
    running = owner.execute('import time\nfor _ in range(600): time.sleep(0.1)');
    await vi.waitUntil(() => owner.status === 'busy');
    guest = await attachKernel(owner.connectionFile!);
  });
  afterAll(async () => {
    await guest.close();
    await owner.interrupt();
    await running;
    await owner.close();
  });

  it('is seen as busy by one who attaches later', () => {
    expect(guest.info.subshells).toBe(true);
    expect(guest.status).toBe('busy');
  });

  it('answers a request through a subshell meanwhile', async () => {
    for (const kernel of [owner, guest]) {
      const reply = await kernel.request('grus_echo_request', { here: 1 });
      expect(reply.via).toBe('subshell');
      expect(reply.content['got']).toEqual({ here: 1 });
      expect(kernel.status).toBe('busy');
    }
  });

  it('executes in a subshell when asked to', async () => {
    const result = await guest.execute('side = 41 + 1\nside', { subshell: 'when-busy' });
    expect(result.outputs[0]).toMatchObject({ data: { 'text/plain': '42' } });
  });

  it('is not queued behind for ever where no subshell may be used', async () => {
    const options = { subshell: 'never', timeout: 300 } as const;
    await expect(owner.request('grus_echo_request', {}, options)).rejects.toThrow(KernelBusyError);
    await expect(guest.execute('never = 1', { busyBudget: 300 })).rejects.toThrow('is busy');
  });

  it('is idle again for everybody, with nothing of ours left in its queue', async () => {
    await owner.interrupt();
    await running;
    expect(await guest.waitUntilIdle(5_000)).toBe(true);
    const names = await guest.execute('("never" in dir(), side)');
    expect(names.outputs[0]).toMatchObject({ data: { 'text/plain': '(False, 42)' } });
    expect((await guest.request('grus_echo_request', {})).via).toBe('shell');
  });

  it('keeps no subshell of a client that has let go', async () => {
    await guest.close();
    const list = await owner.request('list_subshell_request', {}, { channel: 'control' });
    expect(list.content['subshell_id']).toHaveLength(1);
  });
});

describe('a kernel whose queue another client aborted', () => {
  it('gets the request again', async () => {
    const owner = await startKernel({ python });
    const guest = await attachKernel(owner.connectionFile!);
    try {
      const failing = owner.execute('import time; time.sleep(0.5); raise ValueError', { stopOnError: true });
      const follow = guest.execute('6 * 7', { busyBudget: 5_000 });
      expect((await failing).status).toBe('error');
      expect((await follow).status).toBe('ok');
    } finally {
      await guest.close();
      await owner.close();
    }
  });
});
