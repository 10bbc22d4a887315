// Writes a recorded run again, a little at a time, and watches it grow, as `grus watch` would have.
import { appendFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { RunFollower } from '../../src/readers/index.js';
import { RunWatcher } from '../../src/watch/run-watcher.js';
import { SurroundingsKeeper } from '../../src/watch/surroundings.js';
import type { RunWarning } from '../../src/watch/warning.js';

function filesUnder(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile());
}

/** Every warning given while the run was written in `looks` portions. */
export async function replay(run: string, looks = 40): Promise<RunWarning[]> {
  const folder = mkdtempSync(join(tmpdir(), 'grus-replay-'));
  try {
    const files = filesUnder(run).map((path) => ({
      path: join(folder, relative(run, path)),
      lines: readFileSync(path, 'utf8').split(/(?<=\n)/),
    }));
    const follower = new RunFollower(folder);
    const watcher = new RunWatcher();
    const surroundings = new SurroundingsKeeper(folder, 0);
    const warnings: RunWarning[] = [];
    for (let look = 1; look <= looks; look++) {
      for (const { path, lines } of files) {
        const from = Math.floor(((look - 1) * lines.length) / looks);
        const to = Math.floor((look * lines.length) / looks);
        mkdirSync(dirname(path), { recursive: true });
        appendFileSync(path, lines.slice(from, to).join(''));
      }
      const record = await follower.poll();
      if (record === null) continue;
      const now = look * 1000;
      surroundings.moved(record.lastStep, now);
      warnings.push(...watcher.look(record, surroundings, now));
    }
    return warnings;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
