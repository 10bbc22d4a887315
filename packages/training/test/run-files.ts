// Makes a run directory from an inline map of files, reads it, and forgets it.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { readRun } from '../src/readers/index.js';
import type { RunRecord } from '../src/record/run-record.js';

export async function runOf(files: Readonly<Record<string, string>>): Promise<RunRecord> {
  const folder = await mkdtemp(join(tmpdir(), 'grus-run-'));
  try {
    for (const [name, text] of Object.entries(files)) {
      await mkdir(dirname(join(folder, name)), { recursive: true });
      await writeFile(join(folder, name), text);
    }
    return await readRun(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** JSON lines of one row per step. */
export function rows(count: number, row: (step: number) => Readonly<Record<string, number>>): string {
  return Array.from({ length: count }, (_, index) => {
    const fields = Object.entries({ step: index + 1, ...row(index + 1) }).map(
      ([key, value]) => `"${key}": ${Number.isNaN(value) ? 'NaN' : value}`,
    );
    return `{${fields.join(', ')}}\n`;
  }).join('');
}

/** Repeatable noise between -1 and 1. */
export function wobble(step: number): number {
  const x = Math.sin(step * 12.9898) * 43758.5453;
  return 2 * (x - Math.floor(x)) - 1;
}
