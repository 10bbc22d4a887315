// Runs the built command in a child process, as a user or a script would.
import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const root = join(import.meta.dirname, '..', '..', '..');
export const python = process.env['GRUS_PYTHON'] ?? join(root, '.venv', 'bin', 'python');
export const entry = join(root, 'packages', 'cli', 'bin', 'grus.cjs');

export interface Finished {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  readonly env?: Record<string, string>;
  readonly input?: string;
  readonly cwd?: string;
}

export function start(args: readonly string[], { env = {}, cwd }: RunOptions = {}) {
  const { FORCE_COLOR: _force, ...inherited } = process.env;
  return spawn(process.execPath, [entry, ...args], {
    env: { ...inherited, GRUS_PYTHON: python, ...env },
    cwd,
  });
}

export function grus(args: readonly string[], options: RunOptions = {}): Promise<Finished> {
  const child = start(args, options);
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk) => {
    stdout += chunk;
  });
  child.stderr.on('data', (chunk) => {
    stderr += chunk;
  });
  child.stdin.end(options.input ?? '');
  return new Promise((resolve) => {
    child.on('close', (code, signal) => resolve({ code, signal, stdout, stderr }));
  });
}

export function scratch(): string {
  return mkdtempSync(join(tmpdir(), 'grus-cli-'));
}

/** Writes a notebook of the given code cells and returns its path. */
export function notebook(
  folder: string,
  sources: readonly string[],
  metadata: Record<string, unknown> = {},
  name = 'notebook.ipynb',
): string {
  const path = join(folder, name);
  mkdirSync(dirname(path), { recursive: true });
  const cells = sources.map((source, index) => ({
    cell_type: 'code',
    id: `cell-${index + 1}`,
    metadata: {},
    execution_count: null,
    outputs: [],
    source,
  }));
  writeFileSync(path, `${JSON.stringify({ cells, metadata, nbformat: 4, nbformat_minor: 5 }, null, 1)}\n`);
  return path;
}

/** Command lines of the processes that carry an environment variable of this name. */
export function processesWith(variable: string): string[] {
  const pids = execFileSync('ps', ['-e', '-o', 'pid='])
    .toString()
    .split('\n')
    .map((line) => line.trim());
  return pids.flatMap((pid) => {
    try {
      const environment = readFileSync(`/proc/${pid}/environ`, 'utf8');
      return environment.includes(`${variable}=`)
        ? [readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')]
        : [];
    } catch {
      return [];
    }
  });
}
