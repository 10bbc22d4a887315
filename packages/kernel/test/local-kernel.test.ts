// A local kernel over ZeroMQ, started for real: what it executes, shows, refuses, and how it ends.
import { existsSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Kernel, KernelDiedError, startKernel, withKernel } from '../src/index.js';
import { python } from './support/python.js';

describe('a started kernel', () => {
  let kernel: Kernel;
  beforeAll(async () => {
    kernel = await startKernel({ python });
  });
  afterAll(() => kernel.close());

  it('describes itself', () => {
    expect(kernel.info).toMatchObject({ language: 'python', implementation: 'ipython' });
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
});

describe('the end of a kernel', () => {
  it('rejects what is pending when the process ends itself', async () => {
    await withKernel(startKernel({ python }), async (kernel) => {
      const running = kernel.execute('import os; os._exit(7)');
      const queued = kernel.execute('1');
      await expect(running).rejects.toThrow(KernelDiedError);
      await expect(running).rejects.toThrow('exit code 7');
      await expect(queued).rejects.toThrow('exit code 7');
      await expect(kernel.request('kernel_info_request', {})).rejects.toThrow('exit code 7');
      expect(kernel.status).toBe('dead');
      expect(await kernel.ended).toBeInstanceOf(KernelDiedError);
    });
  });

  it('leaves neither process nor connection file behind', async () => {
    const kernel = await startKernel({ python });
    const pid = kernel.pid!;
    const file = kernel.connectionFile!;
    expect(existsSync(file)).toBe(true);
    await kernel.close();
    expect(() => process.kill(pid, 0)).toThrow('ESRCH');
    expect(existsSync(file)).toBe(false);
    await expect(kernel.execute('1')).rejects.toThrow('closed');
  });
});
