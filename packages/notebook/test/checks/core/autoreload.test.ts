// A module that was edited on disk: what the live module lacks proves nothing while autoreload is on.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Workbench } from '../../names/workbench.js';

const write = (text: string) =>
  `from pathlib import Path\nPath("helpers.py").write_text(${JSON.stringify(text)})`;
const edit = `${write('rate = 1\ndecay = 22')}\nimport os\nos.utime("helpers.py", (2e9, 2e9))`;

const signed = (parameters: string) => write(`def read(${parameters}): return 1`);
const held = `${signed('a')}\nimport helpers\nfrom helpers import read`;
const newer = `${signed('a, b=2')}\nimport os\nos.utime("helpers.py", (2.1e9, 2.1e9))`;
const cell = 'read(1, 2), helpers.read(1, 2)';

let bench: Workbench;
beforeAll(async () => {
  bench = await Workbench.open();
});
afterAll(() => bench.close());

it('predicts the missing attribute of an edited module without autoreload', async () => {
  await bench.setUp(`${write('rate = 1')}\nimport helpers`);
  await bench.setUp(edit);
  const { outcome, findings } = await bench.check('helpers.decay', []);
  expect([outcome, findings[0]?.check]).toEqual(['crash', 'attributes/missing-attribute']);
  expect(await bench.execute('helpers.decay')).toMatchObject({ error: 'AttributeError', line: 1 });
});

it('predicts wrong arguments of an edited module without autoreload', async () => {
  await bench.reset();
  await bench.setUp(held);
  await bench.setUp(newer);
  const { outcome, findings } = await bench.check(cell, []);
  expect([outcome, findings[0]?.check]).toEqual(['crash', 'calls/wrong-arguments']);
  expect(await bench.execute(cell, 'TypeError')).toMatchObject({ error: 'TypeError', line: 1 });
});

it('lets it through with autoreload', async () => {
  await bench.reset();
  await bench.setUp(`%load_ext autoreload\n%autoreload 2\n${write('rate = 1')}\nimport helpers`);
  await bench.setUp(edit);
  expect((await bench.check('helpers.decay', [])).outcome).toBe('unknown');
  expect(await bench.execute('helpers.decay')).toMatchObject({ error: null, line: null });
});

it('lets other arguments through with autoreload', async () => {
  await bench.reset();
  await bench.setUp(`%load_ext autoreload\n%autoreload 2\n${held}`);
  await bench.setUp(newer);
  expect((await bench.check(cell, [])).outcome).toBe('unknown');
  expect(await bench.execute(cell)).toMatchObject({ error: null, line: null });
});
