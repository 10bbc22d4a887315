// A model asked for an edit of a cell whose crash is certain: only what the ladder verifies is taken from it.

import { existsSync } from 'node:fs';
import { textOf } from '@grus/core';
import type { Kernel } from '@grus/kernel';
import { openModel, proposeFix } from '@grus/llm';
import { type CheckOptions, checkCell } from '@grus/notebook';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { runIn, startTestKernel, targetOn } from './support/kernel.js';
import { type Behaviour, type ProviderServer, startProvider } from './support/server.js';
import { settingsFor } from './support/settings.js';

let kernel: Kernel;
let server: ProviderServer | undefined;
beforeAll(async () => {
  kernel = await startTestKernel();
  await runIn(kernel, "rows = [3, 4]\nsecret = 'hunter2hunter2'");
});
afterAll(() => kernel.close());
afterEach(() => server?.close());

const crashing = 'first = rows[0]\nlast = rows[5]\nprint(first, last)';
const fix = (first_line: number, last_line: number, replacement: string): Behaviour => ({
  say: JSON.stringify({ fix: { first_line, last_line, replacement } }),
});

async function propose(
  script: (index: number) => Behaviour,
  check: CheckOptions = { dry: { policy: 'auto' } },
  run = false,
) {
  server = await startProvider(script);
  const settings = settingsFor(`compatible:${server.origin}/v1#qwen`, { cache: null, retries: 0 });
  const target = targetOn(kernel, crashing);
  const verdict = await checkCell(target, check);
  expect(verdict).toMatchObject({ outcome: 'crash', rung: 'contracts', line: 2 });
  return proposeFix(target, verdict, { settings, open: await openModel(settings), check, run });
}

it('offers the first edit that really runs, after those that do not', async () => {
  const answers = [fix(2, 2, 'last = rows[7]'), fix(1, 3, 'pass'), fix(2, 2, 'last = rows[-1]')];
  const { fix: offered } = await propose((index) => answers[index]!, { dry: { policy: 'auto' } }, true);
  expect(server!.malformed).toEqual([]);
  expect(offered).toMatchObject({
    proof: 'ran',
    source: 'first = rows[0]\nlast = rows[-1]\nprint(first, last)',
    edit: { title: 'Replace line 2 by: last = rows[-1]' },
  });
  const prompt = server!.seen[0]!.body;
  expect(prompt).toContain('IndexError');
  expect(prompt).not.toContain('hunter2');
});

it('runs nothing that the model wrote unless that was asked for', async () => {
  const mark = `/tmp/grus-propose-${process.pid}`;
  const harmful = `last = rows[-1] if open(${JSON.stringify(mark)}, "w") else 0`;
  const { fix: offered } = await propose(() => fix(2, 2, harmful));
  expect(existsSync(mark)).toBe(false);
  expect(offered).toMatchObject({ proof: 'gone', edit: { origin: 'model', ran: false } });
});

it('puts back what the model was not told', async () => {
  await runIn(kernel, 'table = {"weekday of the order": [1]}');
  server = await startProvider(() => fix(2, 2, 'last = table[<str 20>][0]'));
  const settings = settingsFor(`compatible:${server.origin}/v1#qwen`, { cache: null, retries: 0 });
  const target = targetOn(kernel, 'first = rows[0]\nlast = table["weekday of the order"][0] + rows[5]');
  const verdict = await checkCell(target);
  const check = { dry: { policy: 'auto' } } as const;
  const open = await openModel(settings);
  const { fix: offered } = await proposeFix(target, verdict, { settings, open, check });
  expect(server.seen[0]!.body).not.toContain('weekday of');
  expect(offered?.source).toBe('first = rows[0]\nlast = table["weekday of the order"][0]');
});

it('takes the crash as gone without a dry run when the check is silent', async () => {
  const { fix: offered } = await propose(() => fix(2, 2, 'last = rows[1]'), { dry: { policy: 'never' } });
  expect(offered).toMatchObject({ proof: 'gone' });
});

it.each([
  [
    'edits that avoid the work',
    () => fix(2, 2, 'try:\n    last = rows[5]\nexcept IndexError:\n    last = 0'),
    /keeps the work/,
  ],
  ['edits outside the cell', () => fix(9, 12, 'pass'), /avoids the crash/],
  ['no edit', () => ({ say: '{"fix": null}' }), /proposes no edit/],
  ['prose', () => ({ say: 'Just be careful.' }), /proposes no edit/],
  ['a wrong key', () => ({ status: 401, message: 'no' }), /rejects the key/],
] as const)('offers nothing for %s, and says why in one line', async (_what, script, why) => {
  const { fix: offered, reason } = await propose(script);
  expect(offered).toBeNull();
  const because = reason && textOf(reason);
  expect(because).toMatch(why);
  expect(because).not.toContain('\n');
});
