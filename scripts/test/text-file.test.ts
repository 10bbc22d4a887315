// A file that stands for a string answers as the string does, across the blocks that it is read in.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { TextFile } from '../lib/text-file.mjs';

const folder = mkdtempSync(join(tmpdir(), 'grus-text-'));
const text = `first\n${'é*b '.repeat(3000)}\nlast\t${'c'.repeat(5000)}`;
const path = join(folder, 'text');
writeFileSync(path, text, 'latin1');
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test.each([
  [0, 5],
  [4000, 4200],
  [4096, 8192],
  [100, 12_900],
  [16_900, 17_500],
  [30_000, 30_010],
])('from %d to %d', (start, end) => {
  expect(new TextFile(path).slice(start, end)).toBe(text.slice(start, end));
});

test.each([
  ['\n', 17_000],
  ['\n', 12_000],
  ['\n', 3],
  ['\t', text.length],
  ['*', 4096],
])('the last %j before %d', (character, from) => {
  expect(new TextFile(path).lastIndexOf(character, from)).toBe(text.lastIndexOf(character, from));
});
