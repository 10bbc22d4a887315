// Reading a folder of pairs: the minimal form that others may bring, and a clear line for each way to get it wrong.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { loadPairs, targetCell } from '../../src/live/load.js';

const notebook = (...sources: string[]) =>
  JSON.stringify({
    nbformat: 4,
    nbformat_minor: 5,
    metadata: {},
    cells: [
      { cell_type: 'markdown', metadata: {}, source: ['# Title'] },
      ...sources.map((source) => ({
        cell_type: 'code',
        metadata: {},
        source,
        outputs: [],
        execution_count: null,
      })),
    ],
  });

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'grus-load-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

function write(id: string, meta: unknown): string {
  const set = join(folder, id, 'set');
  mkdirSync(join(set, 'one'), { recursive: true });
  writeFileSync(join(set, 'one', 'buggy.ipynb'), notebook('x = 1', 'y = x / 0'));
  writeFileSync(join(set, 'one', 'fixed.ipynb'), notebook('x = 1', 'y = x / 2'));
  writeFileSync(join(set, 'one', 'meta.json'), JSON.stringify(meta));
  return set;
}

const meta = { target_cell: 1, exception: 'ZeroDivisionError', message: 'division by zero', line: 1 };

it('needs no more than the four fields of the layout', async () => {
  const [pair] = await loadPairs(write('minimal', meta));
  expect(pair!.meta).toMatchObject({ ...meta, family: 'unsorted', libraries: [] });
  expect(targetCell(pair!, 'buggy').source).toBe('y = x / 0');
  expect(targetCell(pair!, 'fixed').source).toBe('y = x / 2');
});

it('says what is wrong with a folder', async () => {
  await expect(loadPairs(join(folder, 'nowhere'))).rejects.toThrow(/nowhere cannot be read/);
  await expect(loadPairs(write('line', { ...meta, line: 0 }))).rejects.toThrow(/meta\.json is wrong at line/);
  await expect(loadPairs(write('far', { ...meta, target_cell: 2 }))).rejects.toThrow(
    /has 2 code cells, target_cell 2 is not among them/,
  );
  await expect(loadPairs(write('only', meta), ['two'])).rejects.toThrow(/has no pair two/);
});
