// Reading is reading: over objects of every base class that count each call of their own code, nothing of theirs is run by a
// snapshot, by the reading of a cell, or by what the kernel does before it makes a copy.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { dryRun, inquire, type Kernel } from '../../src/index.js';
import { ask, fixture, kernelWith, run } from './support.js';

let kernel: Kernel;
let traps: string[];
beforeAll(async () => {
  kernel = await kernelWith(fixture('traps.py'));
  traps = (await told('print(*traps)')).split(' ');
}, 120_000);
afterAll(() => kernel.close());

const told = async (cell: string) => (await run(kernel, `${cell}\n0;`)).trim();
/** What was called since the last time. */
const calls = () => told('print(list(dict.fromkeys(calls)))\ncalls.clear()');

const others =
  'trap in_list in_dict in_array in_module beside_keys class_beside_keys function_with_traps named proxy'.split(
    ' ',
  );

it('there are many kinds of traps', () => {
  expect(traps.length).toBeGreaterThanOrEqual(240);
});

it('a snapshot of each runs nothing of theirs', async () => {
  const names = [...traps, ...others];
  await calls();
  const snapshot = await ask(kernel, {
    names: [...names, 'undefined_name'],
    paths: names.flatMap((name) => [`${name}.shape`, `${name}.slow`, `${name}.no_such_attribute`]),
    imports: [
      { module: 'no_such_module', names: ['a'] },
      { module: 'trapped', names: ['shape', 'other'] },
      { module: 'trapped.inner', names: [] },
      { module: 'proxied.inner', names: ['a'] },
      { module: 'json.tool', names: [] },
    ],
    labels: ['a'],
    cells: true,
    background: true,
    questions: names.flatMap((name) => [
      { id: `${name} key`, ask: 'has_key' as const, path: name, value: 'a' },
      { id: `${name} label`, ask: 'has_label' as const, path: name, value: 'a' },
      { id: `${name} column`, ask: 'column' as const, path: name, value: 'a' },
    ]),
  });
  expect(await calls()).toBe('[]');
  expect(snapshot.modules['no_such_module']).toMatchObject({
    status: 'unknown',
    reason: { code: 'finder-not-asked' },
  });
  expect(snapshot.modules['json.tool']?.status).toBe('present');
  expect(snapshot.absent).toContain('undefined_name');
  // Text of a class of its own is read from where every text keeps its characters.
  expect(snapshot.versions['trapped']).toBe('a');
});

it('reading a cell of one line that names them runs nothing of theirs', async () => {
  await calls();
  for (const name of [...traps.filter((_, index) => index % 5 === 0), ...others, 'timeit']) {
    await ask(kernel, { compile: name });
    await ask(kernel, { compile: `${name} 1` });
  }
  expect(await calls()).toBe('[]');
});

it('before a copy is made nothing of theirs is run', async () => {
  await calls();
  await dryRun(kernel, traps.slice(0, 40), { budgetMs: 2_000 });
  expect(await calls()).toBe('[]');
});

it('in the kernel nothing of theirs is run when a library is asked about them', async () => {
  await calls();
  for (const name of traps.filter((_, index) => index % 12 === 0))
    await inquire(
      kernel,
      {
        steps: [
          { id: 0, op: 'live', path: name, real: true },
          { id: 1, op: 'method', receiver: 0, name: 'slow', args: [], real: true },
        ],
        wanted: [1],
      },
      { check: name, budgetMs: 1_000, cpuMs: 500 },
    );
  expect(await calls()).toBe('[]');
}, 120_000);
