// The dry run as the third rung of the ladder, on a real kernel: it speaks where the rungs before are silent, obeys its
// policy, answers what-if questions and rehearses the cells that remain.
import { fileURLToPath } from 'node:url';
import { type Kernel, startKernel } from '@grus/kernel';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { checkCell, type DryOptions, rehearse } from '../../src/index.js';

const python =
  process.env['GRUS_PYTHON'] ?? fileURLToPath(new URL('../../../../.venv/bin/python', import.meta.url));

let kernel: Kernel;
beforeAll(async () => {
  kernel = await startKernel({ python });
  await kernel.execute('from fractions import Fraction\ntexts = ["1", "2", "three"]\nsize = 2');
});
afterAll(() => kernel.close());

const check = (source: string, dry: DryOptions) =>
  checkCell({ kernel, source, metadata: {}, number: null, cells: [] }, { dry, inquiryMs: 0 });

it('finds a crash that only running can show', async () => {
  const verdict = await check('numbers = []\nfor text in texts:\n    numbers.append(Fraction(text))', {
    policy: 'always',
  });
  expect(verdict).toMatchObject({
    outcome: 'crash',
    rung: 'dry run',
    line: 3,
    exception: { type: 'ValueError' },
  });
  expect(verdict.rungs.map(({ rung }) => rung)).toEqual(['names', 'contracts', 'dry run']);
});

it('proves that a cell finishes, and keeps its output', async () => {
  const heard: string[] = [];
  const verdict = await check('print(len(texts))', {
    policy: 'always',
    onOutput: (text) => heard.push(text),
  });
  expect(verdict).toMatchObject({ outcome: 'ok', confidence: 1, rung: 'dry run' });
  expect(heard.join('')).toBe('3\n');
});

it.each([
  [{ policy: 'never' }, /switched off/],
  [{ policy: 'ask' }, /not wanted/],
] as const)('obeys %j', async (dry, because) => {
  const { outcome, rungs } = await check('print(texts)', dry);
  expect(outcome).toBe('unknown');
  expect(rungs.at(-1)?.abstained_because).toMatch(because);
});

it('gives a cell that looks short a cheap copy, in both directions', async () => {
  const dry = { policy: 'auto', concurrent: true } as const;
  expect(await check('print(texts[size])', dry)).toMatchObject({ outcome: 'ok', confidence: 1 });
  expect(await check('print(Fraction(texts[size]))', dry)).toMatchObject({
    outcome: 'crash',
    rung: 'dry run',
    exception: { type: 'ValueError' },
  });
});

it('makes no copy of a kernel that is too large for the cell', async () => {
  const { outcome, rungs } = await check('print(texts)', { policy: 'always', largestMb: 1 });
  expect(outcome).toBe('unknown');
  expect(rungs.at(-1)?.reason).toEqual({ code: 'copy-refused', because: { code: 'kernel-large', mb: 1 } });
});

it('asks when told to', async () => {
  const verdict = await check('print(texts)', { policy: 'ask', confirm: async () => true });
  expect(verdict.outcome).toBe('ok');
});

it('settles what the rung above suspects of a cell that was spared', async () => {
  const finding = {
    check: 'suspicion',
    exception: { type: 'IndexError', message: '' },
    place: { line: 1, column: 0, endLine: 1, endColumn: 1 },
    confidence: 0.7,
    evidence: [],
    explanation: '',
    remedy: '',
  };
  const suspects = { name: 'above', run: async () => ({ outcome: 'crash', findings: [finding] }) as const };
  const judge = (source: string) =>
    checkCell(
      { kernel, source, metadata: {}, number: null, cells: [] },
      { dry: { policy: 'auto' }, inquiryMs: 0, last: suspects },
    );
  expect(await judge('print(texts)')).toMatchObject({ outcome: 'ok', confidence: 1 });
  expect(await judge('print(Fraction(texts[2] * size))')).toMatchObject({
    outcome: 'crash',
    exception: { type: 'ValueError' },
  });
});

it('leaves the verdict to the rung before when that is certain', async () => {
  const verdict = await check('print(undefined_name)', { policy: 'always' });
  expect(verdict.rung).toBe('names');
});

it('starts while the rungs before judge, gives up within its budget, and the real cell goes', async () => {
  const early = await check('for step in range(3):\n    Fraction(texts[step])', {
    policy: 'auto',
    concurrent: true,
  });
  expect(early).toMatchObject({ outcome: 'crash', rung: 'dry run', line: 2 });
  const source = 'import time\nwhile size < 10**9:\n    time.sleep(0.01)\n    size += 10**7';
  const given = await check(source, { policy: 'auto', concurrent: true, budgetMs: 200, clip: false });
  expect(given.rungs.at(-1)?.abstained_because).toMatch(/within the budget/);
  expect((await kernel.execute(`${source}\nsize = 2`)).status).toBe('ok');
});

it('answers what if', async () => {
  const cell = 'parts = [int(t) for t in texts[:size]]\nresult = parts[0]';
  expect((await check(cell, { policy: 'always' })).outcome).toBe('ok');
  const assumed = await check(cell, { policy: 'always', assume: ['size = (3)'] });
  expect(assumed).toMatchObject({ outcome: 'crash', exception: { type: 'ValueError' }, line: 1 });
  const impossible = await check(cell, { policy: 'always', assume: ['size = (1 / 0)'] });
  expect(impossible.rungs.at(-1)?.abstained_because).toMatch(/could not be assumed: ZeroDivisionError/);
});

it('rehearses the cells that remain, in one copy', async () => {
  const cell = (number: number, source: string) => ({
    number,
    source,
    metadata: {},
    id: `cell-${number}`,
    position: number - 1,
  });
  const rehearsal = await rehearse(kernel, [
    cell(1, 'total = sum(int(t) for t in texts[:size])'),
    cell(2, 'average = total / size'),
    cell(3, 'average.upper()'),
    cell(4, 'never = 1'),
  ]);
  expect(rehearsal.outcome).toBe('crash');
  expect(rehearsal.cells.map(({ result }) => result.outcome)).toEqual(['ok', 'ok', 'crash']);
  expect((await kernel.execute('total')).error?.ename).toBe('NameError');
});
