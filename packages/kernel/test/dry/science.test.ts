// Dry runs in a kernel with the scientific stack, after its thread pools have been used: the cells finish in the copy as
// they would in the kernel, and nothing of the kernel changes, however often.
import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { dryRun, type Kernel } from '../../src/index.js';
import { childrenOf, kernelWith } from '../agent/support.js';
import { cellsOf } from '../support/cells.js';

const [state, ...cells] = cellsOf(new URL('./fixtures/science.py', import.meta.url));
let kernel: Kernel;
let before: string;
let children: string;

beforeAll(async () => {
  kernel = await kernelWith(state!.cell);
  await fingerprint();
  before = await fingerprint();
  children = childrenOf(kernel);
});
afterAll(() => kernel.close());

async function fingerprint(): Promise<string> {
  const told = await kernel.execute('', { silent: true, userExpressions: { told: 'fingerprint()' } });
  return JSON.stringify(told.userExpressions['told']);
}

/** What touches a thread of the kernel's proves nothing, and still changes nothing. */
const reservedOf = (cell: string) =>
  cell.includes('waiting.name') ? { code: 'cannot-know', source: 'thread' } : null;

it.each(cells)('$name', async ({ cell }) => {
  const result = await dryRun(kernel, [cell], { budgetMs: 60_000 });
  expect(result).toMatchObject({
    status: 'ok',
    ended: 'done',
    cells: [{ status: 'finished', doubt: reservedOf(cell) }],
  });
  expect(await fingerprint()).toBe(before);
});

it('fifty dry runs leave no descriptor, no thread, no process and no memory behind', async () => {
  const { pid } = kernel;
  const held = () => ({
    descriptors: readdirSync(`/proc/${pid}/fd`).length,
    children: childrenOf(kernel),
    threads: readdirSync(`/proc/${pid}/task`).length,
  });
  const resident = () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]);
  const once = () => dryRun(kernel, ['frame["a"].sum()\n1 / 0'], { budgetMs: 20_000 });
  for (let warm = 0; warm < 5; warm += 1) await once();
  await expect.poll(() => held().children, { timeout: 5_000 }).toBe(children);
  const first = held();
  const memory = resident();
  for (let count = 0; count < 50; count += 1) {
    expect(await once()).toMatchObject({ cells: [{ type: 'ZeroDivisionError', line: 2 }] });
  }
  await expect.poll(held, { timeout: 5_000 }).toEqual(first);
  expect(resident() - memory).toBeLessThan(10_000);
  expect(await fingerprint()).toBe(before);
});
