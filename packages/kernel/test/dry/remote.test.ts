// Dry runs in kernels that are reached through a Jupyter server, and in ipykernel 6.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectServer, dryRun, type Kernel, startKernel, withKernel } from '../../src/index.js';
import { startServer, type TestServer } from '../support/server.js';

async function judge(kernel: Kernel): Promise<void> {
  await kernel.execute('x = [1, 2, 3]');
  const crash = await dryRun(kernel, ['x.append(4)\nx[9]'], { budgetMs: 20_000 });
  expect(crash).toMatchObject({ cells: [{ status: 'raised', type: 'IndexError', line: 2, doubt: null }] });
  const fine = await dryRun(kernel, ['print(sum(x))'], { budgetMs: 20_000 });
  expect(fine).toMatchObject({ cells: [{ status: 'finished', output: '6\n', doubt: null }] });
  const waiting = await dryRun(kernel, ['await __import__("asyncio").sleep(0)\n1 / 0'], { budgetMs: 20_000 });
  expect(waiting).toMatchObject({ cells: [{ type: 'ZeroDivisionError', line: 2 }] });
  const after = await kernel.execute('print(x)');
  expect(after.outputs[0]).toMatchObject({ text: '[1, 2, 3]\n' });
}

describe('through a Jupyter server', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startServer();
  });
  afterAll(() => server.stop());

  it('a copy is made where the kernel runs', async () => {
    const connection = await connectServer({ url: server.url, token: server.token });
    await withKernel(connection.start(), judge);
  });
});

const older = process.env['GRUS_PYTHON_IPYKERNEL6'];
it.skipIf(older === undefined)('in ipykernel 6', async () => {
  await withKernel(startKernel({ python: older! }), judge);
});
