// Pyright's command line on the same cells: the alternative that a person has today, timed in the same run.
import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Milliseconds for each cell, checked with everything that ran before it in front. */
export async function timePyright(
  setup: string,
  cells: readonly string[],
  python: string,
): Promise<number[]> {
  const entry = createRequire(import.meta.url).resolve('pyright/index.js');
  const folder = await mkdtemp(join(tmpdir(), 'grus-pyright-'));
  try {
    const file = join(folder, 'cell.py');
    const times: number[] = [];
    for (const cell of cells) {
      await writeFile(file, `${setup}\n${cell}\n`);
      const started = performance.now();
      spawnSync(process.execPath, [entry, '--pythonpath', python, '--outputjson', file], {
        encoding: 'utf8',
      });
      times.push(performance.now() - started);
    }
    return times;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
