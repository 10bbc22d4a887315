// ipykernel 6 has no subshells: a busy kernel is waited for within the budget. Runs where such an interpreter is given.
import { describe, expect, it } from 'vitest';
import { KernelBusyError, startKernel, withKernel } from '../src/index.js';
import { installEcho } from './support/echo.js';

const python = process.env['GRUS_PYTHON_IPYKERNEL6'];

describe.skipIf(python === undefined)('ipykernel 6', () => {
  it('executes, answers custom requests, and says when it is busy', async () => {
    await withKernel(startKernel({ python: python! }), async (kernel) => {
      expect(kernel.info.subshells).toBe(false);
      expect((await kernel.execute('6 * 7')).outputs[0]).toMatchObject({ data: { 'text/plain': '42' } });
      await installEcho(kernel);
      expect((await kernel.request('grus_echo_request', { a: 1 })).content['got']).toEqual({ a: 1 });
      const failing = kernel.execute('raise ValueError', { stopOnError: true });
      const after = kernel.request('grus_echo_request', { b: 2 });
      expect((await failing).status).toBe('error');
      expect((await after).content['got']).toEqual({ b: 2 });
      const running = kernel.execute('import time; time.sleep(1)');
      await expect.poll(() => kernel.status).toBe('busy');
      await expect(kernel.request('grus_echo_request', {}, { timeout: 200 })).rejects.toThrow(
        KernelBusyError,
      );
      expect((await kernel.request('grus_echo_request', {}, { timeout: 10_000 })).via).toBe('shell');
      await running;
      const late = await kernel.execute('import time; time.sleep(60)', { timeout: 300 });
      expect(late).toMatchObject({ status: 'timeout', recovered: true });
    });
  });
});
