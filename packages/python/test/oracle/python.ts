// Finds the interpreter that serves as oracle and real Python files to try things on.
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
export const python = process.env['GRUS_PYTHON'] ?? join(here, '../../../../.venv/bin/python');

/** Runs an oracle script of this folder with lines on stdin and gives one parsed JSON answer a line. */
export function askOracle(script: string, lines: readonly string[]): unknown[] {
  const output = execFileSync(python, [join(here, script)], {
    input: lines.join('\n'),
    encoding: 'utf8',
    maxBuffer: 1 << 30,
    env: { ...process.env, PYTHONUTF8: '1' },
  });
  return output
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown);
}

/** Every `step`-th file of the standard library and of what is installed beside it, in a fixed order. */
export function realFiles(limit: number): string[] {
  const roots = execFileSync(
    python,
    ['-c', 'import os, site; print(os.path.dirname(os.__file__)); print(site.getsitepackages()[0])'],
    { encoding: 'utf8' },
  )
    .trim()
    .split('\n')
    .filter((root) => existsSync(root));
  const files: string[] = [];
  for (const root of roots) collect(root, 0, files);
  const step = Math.max(1, Math.floor(files.length / limit));
  return files.filter((_, index) => index % step === 0).slice(0, limit);
}

function collect(folder: string, depth: number, into: string[]): void {
  if (depth > 4) return;
  const entries = readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  for (const entry of entries) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) {
      if (!['site-packages', '__pycache__', 'idlelib', 'turtledemo'].includes(entry.name))
        collect(path, depth + 1, into);
    } else if (entry.name.endsWith('.py')) into.push(path);
  }
}
