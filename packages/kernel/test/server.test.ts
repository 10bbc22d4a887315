// Kernels of a real Jupyter server: the same interface, over REST and a WebSocket with a token.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectServer, type JupyterServer, type Kernel, KernelUnavailableError } from '../src/index.js';
import { freePorts } from '../src/local/ports.js';
import { installEcho } from './support/echo.js';
import { startServer, type TestServer } from './support/server.js';

let running: TestServer;
let server: JupyterServer;
beforeAll(async () => {
  running = await startServer();
  server = await connectServer(running);
});
afterAll(() => running.stop());

describe('a Jupyter server', () => {
  it('is reached by the address that people copy from their browser', async () => {
    for (const page of ['', 'lab', 'lab/tree/notes/a.ipynb', 'tree']) {
      const copied = await connectServer({ url: `${running.url}${page}?token=${running.token}` });
      expect(copied.url).toBe(running.url);
    }
  });

  it('lists its kernelspecs', async () => {
    expect(await server.listSpecs()).toContainEqual(
      expect.objectContaining({ name: 'python3', language: 'python' }),
    );
  });

  it('refuses a wrong or a missing token', async () => {
    const wrong = connectServer({ url: running.url, token: 'wrong' });
    await expect(wrong).rejects.toThrow(KernelUnavailableError);
    await expect(wrong).rejects.toThrow(/does not accept this token \(40[13]\)/);
    await expect(connectServer({ url: running.url })).rejects.toThrow('asks for a token');
  });

  it('that is not there, or is something else, is said to be so', async () => {
    const [port] = await freePorts(1);
    await expect(connectServer({ url: `http://127.0.0.1:${port}/` })).rejects.toThrow('Cannot reach');
    await expect(connectServer({ url: 'not a url' })).rejects.toThrow('is not a URL');
    const elsewhere = connectServer({ url: `${running.url}static/`, token: running.token });
    await expect(elsewhere).rejects.toThrow('did not answer as a Jupyter server');
  });

  it('names the kernels it has when asked for one that it has not', async () => {
    await expect(server.attach('no-such-id')).rejects.toThrow('runs no kernel no-such-id');
    await expect(server.start('no-such-spec')).rejects.toThrow(
      /no kernelspec named no-such-spec \(found: .*python3/,
    );
  });
});

describe('a kernel on a Jupyter server', () => {
  let owner: Kernel;
  let id: string;
  beforeAll(async () => {
    owner = await server.start('python3');
    id = (await server.listKernels())[0]!.id;
  });
  afterAll(() => owner.close());

  it('executes, fails and streams like any other', async () => {
    const result = await owner.execute('print("hello"); 6 * 7');
    expect(result.outputs.map((output) => output.output_type)).toEqual(['stream', 'execute_result']);
    expect((await owner.execute('1 / 0')).error?.ename).toBe('ZeroDivisionError');
    expect((await owner.execute('input()')).error?.ename).toBe('StdinNotImplementedError');
  });

  it('carries custom requests with buffers', async () => {
    await installEcho(owner);
    const reply = await owner.request('grus_echo_request', { a: 1 }, { buffers: [Buffer.from('x')] });
    expect(reply.content).toMatchObject({ got: { a: 1 }, buffers: 1 });
    expect(Buffer.from(reply.buffers[0]!).toString()).toBe('back');
  });

  it('is attached to by id, asked while busy, interrupted, and left running', async () => {
    const guest = await server.attach(id);
    expect(guest.owned).toBe(false);
    const cell = owner.execute('import time\nfor _ in range(600): time.sleep(0.1)');
    await expect.poll(() => guest.status).toBe('busy');
    expect((await guest.request('grus_echo_request', { b: 2 })).via).toBe('subshell');
    await guest.interrupt();
    expect((await cell).error?.ename).toBe('KeyboardInterrupt');
    await guest.close();
    expect((await owner.execute('2')).status).toBe('ok');
    expect((await server.listKernels()).map((kernel) => kernel.id)).toContain(id);
  });

  it('is restarted only by its owner', async () => {
    const guest = await server.attach(id);
    await expect(guest.restart()).rejects.toThrow('not started by Grus');
    await guest.close();
    await owner.execute('kept = 1');
    await owner.restart();
    expect((await owner.execute('kept')).error?.ename).toBe('NameError');
  });

  it('that dies rejects what is pending', async () => {
    const doomed = await server.start();
    await expect(doomed.execute('import os; os._exit(3)')).rejects.toThrow(
      'died, and the server restarted it',
    );
    await doomed.close();
    expect(await server.listKernels()).toHaveLength(1);
  });

  it('that is shut down by somebody else is noticed', async () => {
    const other = await server.start();
    const otherId = (await server.listKernels()).map((kernel) => kernel.id).find((known) => known !== id)!;
    const guest = await server.attach(otherId);
    await other.close();
    expect(((await guest.ended) as Error).message).toContain(otherId);
    await guest.close();
    expect((await server.listKernels()).map((kernel) => kernel.id)).not.toContain(otherId);
  });
});
