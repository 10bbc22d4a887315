// Magics as notebooks have them: the cell goes on behind them, and what they run is looked into.
import type { Kernel } from '@grus/kernel';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { check, notebookKernel, run } from './setup.js';

let kernel: Kernel;
beforeAll(async () => {
  kernel = await notebookKernel();
});
afterAll(() => kernel.close());

const dryRun = { rungs: ['dry run'], dry: { policy: 'always', budgetMs: 60_000 } } as const;

const crashes: [string, string, number][] = [
  ['x = 1\n%time bad(3)', 'AttributeError', 2],
  ['x = 1\n\n%timeit -n 1 -r 1 bad(3)', 'AttributeError', 3],
  ['%time z = df["missing"]', 'KeyError', 1],
  ['%matplotlib inline\ndf["missing"]', 'KeyError', 2],
  ["%config InlineBackend.figure_format = 'retina'\nundefined_one", 'NameError', 2],
  ['!true\ndf["missing"]', 'KeyError', 2],
];

it.each(crashes)('is seen behind or inside a magic: %j', async (source, type, line) => {
  expect(await check(kernel, source)).toMatchObject({ outcome: 'crash', exception: { type }, line });
  expect(await check(kernel, source, dryRun)).toMatchObject({ outcome: 'crash', exception: { type }, line });
  expect(await run(kernel, source)).toEqual({ type, line });
});

it('a crash in the body of a cell magic is reported in its line', async () => {
  const told = { outcome: 'crash', exception: { type: 'AttributeError' }, line: 3 };
  expect(await check(kernel, '%%time\nx = 1\nbad(3)')).toMatchObject(told);
  expect(await check(kernel, '%%time\nx = 1\nbad(3)', dryRun)).toMatchObject(told);
});

it.each([
  'x = 1\n%time good(3)',
  '%timeit -n 1 -r 1 good(3)',
  '%time w = df["a"]\nw.sum()',
  '%timeit -n 1 -r 1 fresh = 3',
  '%matplotlib inline\ndf["a"]',
])('a healthy cell stays without alarm: %j', async (source) => {
  expect((await check(kernel, source)).outcome).toBe('unknown');
  expect(await run(kernel, source)).toBeNull();
});

it.each(['who', 'ls', 'pwd', 'cd .', 'store'])(
  'a magic without its escape is no name: %s',
  async (source) => {
    expect((await check(kernel, source)).outcome).toBe('unknown');
    expect(await run(kernel, source)).toBeNull();
  },
);

it('takes the names of magics from the session', async () => {
  const source = "greet['x']";
  expect(await check(kernel, source)).toMatchObject({ outcome: 'crash', exception: { type: 'NameError' } });
  await run(kernel, 'get_ipython().register_magic_function(lambda line: None, "line", "greet")');
  expect((await check(kernel, source)).outcome).toBe('unknown');
  expect(await run(kernel, source)).toBeNull();
  await run(kernel, 'greet = {"y": 1}');
  expect(await check(kernel, source)).toMatchObject({ outcome: 'crash', exception: { type: 'KeyError' } });
  expect(await run(kernel, source)).toEqual({ type: 'KeyError', line: 1 });
});
