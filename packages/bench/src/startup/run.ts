// How long a command takes from the shell and back: starting Node alone, the command line, and a diagnosis of a small log and of
// recorded runs, beside the import of TensorBoard that a script of one's own would begin with. All take turns, so that load hits them alike.
import { spawnSync } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { GrusError } from '@grus/core';
import { quantile } from '../statistics/index.js';

export interface StartupRow {
  readonly command: string;
  readonly medianMs: number;
  readonly fastestMs: number;
  /** Median over that of starting Node and doing nothing. */
  readonly overNode: number;
}

export interface StartupReport {
  readonly benchmark: 'startup';
  readonly rounds: number;
  readonly rows: readonly StartupRow[];
  /** Runs that were diagnosed, smallest first. */
  readonly runs: readonly string[];
  /** Median of importing TensorBoard over that of a diagnosis; null without Python. */
  readonly tensorboardOverDiagnosis: number | null;
}

export interface StartupOptions {
  /** The file that Node runs as `grus`. */
  readonly entry: string;
  readonly python: string;
  /** Folder of run directories. */
  readonly data: string;
  readonly rounds?: number;
  readonly onProgress?: (text: string) => void;
}

const diagnosed = 5;
const names = {
  node: 'node -e 0',
  diagnose: 'grus diagnose RUN',
  tensorboard: 'python -c "import tensorboard…event_accumulator"',
} as const;

export function runStartup(options: StartupOptions): StartupReport {
  const { entry, python, rounds = 15 } = options;
  const runs = typicalRuns(options.data);
  const log = smallLog(options.data);
  const grus = (...args: string[]) => [process.execPath, entry, ...args];
  const importing = 'import tensorboard.backend.event_processing.event_accumulator';
  const commands: Readonly<Record<string, (round: number) => string[]>> = {
    [names.node]: () => [process.execPath, '-e', '0'],
    'grus --version': () => grus('--version'),
    'grus check --help': () => grus('check', '--help'),
    'grus diagnose LOG': () => grus('diagnose', log),
    [names.diagnose]: (round) => grus('diagnose', runs[round % runs.length]!),
    [names.tensorboard]: () => [python, '-c', importing],
  };
  const times = new Map<string, number[]>();
  for (let round = 0; round < rounds; round++) {
    options.onProgress?.(`round ${round + 1} of ${rounds}`);
    for (const [name, command] of Object.entries(commands)) {
      const ms = timed(command(round));
      if (ms !== null) times.set(name, [...(times.get(name) ?? []), ms]);
    }
  }
  const median = (name: string): number | null => quantile(times.get(name) ?? [], 0.5);
  const [node, diagnosis, tensorboard] = [
    median(names.node)!,
    median(names.diagnose)!,
    median(names.tensorboard),
  ];
  return {
    benchmark: 'startup',
    rounds,
    rows: [...times].map(([command, values]) => ({
      command,
      medianMs: median(command)!,
      fastestMs: Math.min(...values),
      overNode: median(command)! / node,
    })),
    runs,
    tensorboardOverDiagnosis: tensorboard === null ? null : tensorboard / diagnosis,
  };
}

/** Milliseconds, or null where the command cannot do its work. A diagnosed failure is an answer. */
function timed([file, ...args]: string[]): number | null {
  const started = performance.now();
  const { status } = spawnSync(file!, args, { stdio: 'ignore' });
  const ms = performance.now() - started;
  return status === 0 || (status === 1 && args.includes('diagnose')) ? ms : null;
}

/** From the smallest to the largest of the run directories, evenly drawn. */
function typicalRuns(folder: string): string[] {
  let found: { path: string; bytes: number }[];
  try {
    found = readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => ({ path: join(folder, name), bytes: bytesUnder(join(folder, name)) }));
  } catch (cause) {
    throw new GrusError(`${folder} cannot be read`, { advice: 'Give a folder of runs with --data.', cause });
  }
  if (found.length === 0)
    throw new GrusError(`${folder} holds no run directories`, {
      advice: 'Give a folder of runs with --data.',
    });
  const ordered = found.sort((a, b) => a.bytes - b.bytes || a.path.localeCompare(b.path));
  const count = Math.min(diagnosed, ordered.length);
  return Array.from(
    { length: count },
    (_, index) => ordered[Math.floor(((index + 0.5) * ordered.length) / count)]!.path,
  );
}

/** The log of middle size: of the recorded ones, about a kilobyte. */
function smallLog(folder: string): string {
  const logs = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.log'))
    .map((name) => ({ path: join(folder, name), bytes: statSync(join(folder, name)).size }))
    .sort((a, b) => a.bytes - b.bytes || a.path.localeCompare(b.path));
  return logs[Math.floor(logs.length / 2)]?.path ?? folder;
}

function bytesUnder(folder: string): number {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => statSync(join(folder, name)).size)
    .reduce((sum, size) => sum + size, 0);
}
