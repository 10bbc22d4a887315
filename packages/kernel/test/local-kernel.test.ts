// A local kernel over ZeroMQ, started for real: what it executes, shows, refuses, and how it ends.
import { existsSync } from 'node:fs';
import type { IOutput } from '@jupyterlab/nbformat';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Kernel, KernelDiedError, startKernel, UnknownRequestError, withKernel } from '../src/index.js';
import { installEcho } from './support/echo.js';
import { alive } from './support/processes.js';
import { python } from './support/python.js';

describe('a started kernel', () => {
  let kernel: Kernel;
  beforeAll(async () => {
    kernel = await startKernel({ python });
  });
  afterAll(() => kernel.close());

  it('describes itself', () => {
    expect(kernel.info).toEqual({ language: null, subshells: true });
    expect(kernel.owned).toBe(true);
    expect(kernel.status).toBe('idle');
  });

  it('executes code and returns its outputs as a notebook holds them', async () => {
    const result = await kernel.execute('print("one")\nprint("two")\n6 * 7');
    expect(result.status).toBe('ok');
    expect(result.outputs).toEqual([
      { output_type: 'stream', name: 'stdout', text: 'one\ntwo\n' },
      {
        output_type: 'execute_result',
        data: { 'text/plain': '42' },
        metadata: {},
        execution_count: result.executionCount,
      },
    ]);
  });

  it('reports an exception with its traceback', async () => {
    const result = await kernel.execute('1 / 0');
    expect(result.status).toBe('error');
    expect(result.error).toMatchObject({ ename: 'ZeroDivisionError', evalue: 'division by zero' });
    expect(result.error?.traceback.length).toBeGreaterThan(0);
    expect(result.outputs.map((output) => output.output_type)).toEqual(['error']);
  });

  it('streams outputs while the cell runs', async () => {
    const arrivals: { text: string; at: number }[] = [];
    const onOutput = (output: IOutput) =>
      arrivals.push({ text: String(output['text']), at: performance.now() });
    const code = 'import time\nfor i in range(2):\n    print(i, flush=True)\n    time.sleep(0.4)';
    const result = await kernel.execute(code, { onOutput });
    expect(arrivals.map((arrival) => arrival.text.trim())).toEqual(['0', '1']);
    expect(arrivals[1]!.at - arrivals[0]!.at).toBeGreaterThan(200);
    expect(result.outputs).toEqual([{ output_type: 'stream', name: 'stdout', text: '0\n1\n' }]);
  });

  it('applies updates and clears of displays', async () => {
    const updated = await kernel.execute(
      'from IPython.display import display, clear_output\nd = display("a", display_id=True)\nd.update("b")',
    );
    expect(updated.outputs).toEqual([
      { output_type: 'display_data', data: { 'text/plain': "'b'" }, metadata: {} },
    ]);
    const cleared = await kernel.execute('print(1)\nclear_output(wait=True)\nprint(2)');
    expect(cleared.outputs).toEqual([{ output_type: 'stream', name: 'stdout', text: '2\n' }]);
  });

  it('counts what is stored and not what is silent', async () => {
    const before = (await kernel.execute('None')).executionCount!;
    const silent = await kernel.execute('print("unseen"); hidden = 1', { silent: true });
    expect(silent.status).toBe('ok');
    expect((await kernel.execute('hidden')).executionCount).toBe(before + 1);
  });

  it('runs the queue in order, also after a failure', async () => {
    const results = await Promise.all([
      kernel.execute('order = []; order.append(1)'),
      kernel.execute('order.append(2); raise ValueError("stop")', { stopOnError: true }),
      kernel.execute('order.append(3)'),
      kernel.execute('order'),
    ]);
    expect(results.map((result) => result.status)).toEqual(['ok', 'error', 'ok', 'ok']);
    expect(results[3]!.outputs[0]).toMatchObject({ data: { 'text/plain': '[1, 2, 3]' } });
  });

  it('refuses input() instead of hanging', async () => {
    const result = await kernel.execute('input("name? ")');
    expect(result.error?.ename).toBe('StdinNotImplementedError');
    const stubborn = await kernel.execute('get_ipython().kernel._allow_stdin = True\ninput("name? ")');
    expect(stubborn.error?.ename).toBe('KeyboardInterrupt');
  });

  it('interrupts a sleeping cell', async () => {
    const running = kernel.execute('import time; time.sleep(60)');
    await expect.poll(() => kernel.status).toBe('busy');
    await new Promise((resolve) => setTimeout(resolve, 200));
    await kernel.interrupt();
    expect((await running).error?.ename).toBe('KeyboardInterrupt');
    expect((await kernel.execute('1')).status).toBe('ok');
  });

  it('interrupts a cell whose time is up', async () => {
    const result = await kernel.execute('print("begun", flush=True)\nimport time; time.sleep(60)', {
      timeout: 500,
    });
    expect(result).toMatchObject({
      status: 'timeout',
      recovered: true,
      error: { ename: 'KeyboardInterrupt' },
    });
    expect(result.outputs[0]).toMatchObject({ text: 'begun\n' });
    expect((await kernel.execute('1')).status).toBe('ok');
  });

  it('carries custom requests with their buffers', async () => {
    await installEcho(kernel);
    const reply = await kernel.request(
      'grus_echo_request',
      { a: [1, null] },
      { buffers: [Buffer.from('x')] },
    );
    expect(reply.content).toMatchObject({ status: 'ok', got: { a: [1, null] }, buffers: 1 });
    expect(Buffer.from(reply.buffers[0]!).toString()).toBe('back');
    expect(reply.via).toBe('shell');
  });

  it('says so when a request has no handler or no answer', async () => {
    await expect(kernel.request('grus_nonsense_request', {})).rejects.toThrow(UnknownRequestError);
    await expect(kernel.request('grus_echo_request', { fail: true })).rejects.toThrow(UnknownRequestError);
  });

  it('starts afresh after a restart, and forgets what was queued', async () => {
    await kernel.execute('kept = 1');
    const pid = kernel.pid!;
    const running = kernel.execute('import time; time.sleep(60)');
    const queued = kernel.execute('kept');
    const refused = [
      expect(running).rejects.toThrow('restarted'),
      expect(queued).rejects.toThrow('restarted'),
    ];
    await kernel.restart();
    await Promise.all(refused);
    expect((await kernel.execute('kept')).error?.ename).toBe('NameError');
    expect(kernel.pid).not.toBe(pid);
    expect(() => process.kill(pid, 0)).toThrow('ESRCH');
  });
});

describe('the end of a kernel', () => {
  it('rejects what is pending when the process ends itself', async () => {
    await withKernel(startKernel({ python }), async (kernel) => {
      const running = kernel.execute('import os; os._exit(7)');
      const queued = kernel.execute('1');
      queued.catch(() => undefined);
      await expect(running).rejects.toThrow(KernelDiedError);
      await expect(running).rejects.toThrow('exit code 7');
      await expect(queued).rejects.toThrow('exit code 7');
      await expect(kernel.request('kernel_info_request', {})).rejects.toThrow('exit code 7');
      expect(kernel.status).toBe('dead');
      expect(await kernel.ended).toBeInstanceOf(KernelDiedError);
    });
  });

  it('leaves neither process, child nor connection file behind', async () => {
    const kernel = await startKernel({ python });
    const pid = kernel.pid!;
    const file = kernel.connectionFile!;
    const spawn = 'import subprocess; print(subprocess.Popen(["sleep", "300"]).pid)';
    const child = Number((await kernel.execute(spawn)).outputs[0]?.['text']);
    expect(child).toBeGreaterThan(0);
    expect(existsSync(file)).toBe(true);
    await kernel.close();
    await expect.poll(() => alive(pid)).toBe(false);
    await expect.poll(() => alive(child)).toBe(false);
    expect(existsSync(file)).toBe(false);
    await expect(kernel.execute('1')).rejects.toThrow('closed');
  });

  it('does not wait for a cell that ignores every request to stop', async () => {
    const kernel = await startKernel({ python });
    const pid = kernel.pid!;
    const stubborn = `
import signal, time
for number in (signal.SIGINT, signal.SIGTERM):
    signal.signal(number, signal.SIG_IGN)
print("deaf", flush=True)
while True:
    time.sleep(1)`;
    let running: Promise<unknown> = Promise.resolve();
    await new Promise<void>((resolve) => {
      running = kernel.execute(stubborn, { onOutput: () => resolve() });
      running.catch(() => undefined);
    });
    await kernel.close();
    expect(alive(pid)).toBe(false);
    await expect(running).rejects.toThrow(KernelDiedError);
  });
});
