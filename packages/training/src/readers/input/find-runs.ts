// What a person points at becomes runs: a folder of one run or of many, a log with its sibling, a notebook, text from a pipe.
import { type Stats, statSync } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { GrusError } from '@grus/core';
import { chooseRun } from '../choose-run.js';
import { type FoundFile, walkRun } from '../walk.js';
import { notebookOutputs } from './notebook-cells.js';
import { splitRuns } from './split-runs.js';

/** What kind of thing was given. */
export type InputKind = 'folder' | 'file' | 'pair' | 'notebook' | 'stdin';

export interface FoundRun {
  /** As the answer names it. */
  readonly path: string;
  readonly files: readonly FoundFile[];
}

export interface FoundRuns {
  readonly kind: InputKind;
  readonly path: string;
  /** More than one where names tell runs apart; whether each is one, its content decides. */
  readonly runs: readonly FoundRun[];
  /** All files as one run, older runs of the same tool set aside. */
  readonly whole: FoundRun;
  /** Files beyond the bound, which were left out. */
  readonly left: number;
}

const largestNotebook = 256 * 1024 * 1024;

export async function findRuns(path: string, signal?: AbortSignal): Promise<FoundRuns> {
  if (path === '-')
    return only('stdin', path, [
      { path: 'stdin', absolute: '-', size: 0, modified: 0, stream: process.stdin },
    ]);
  const stats = statsOf(path);
  if (stats.isDirectory()) return folder(path, signal);
  if (!stats.isFile() && !stats.isFIFO() && !stats.isCharacterDevice())
    throw new GrusError(`${path} is neither a file nor a directory`, {
      advice: 'Give a run directory or a log file.',
    });
  const file = { path: basename(path), absolute: path, size: stats.size, modified: stats.mtimeMs };
  if (/\.ipynb$/i.test(path) && stats.size <= largestNotebook) return notebook(path, file);
  const sibling = await siblingOf(path);
  return sibling === null ? only('file', path, [file]) : only('pair', path, [file, sibling]);
}

function statsOf(path: string): Stats {
  try {
    return statSync(path);
  } catch (cause) {
    throw new GrusError(`${path} cannot be read`, {
      advice:
        'Check the path: give a run directory or a log file that exists and is readable, or - for text from a pipe.',
      cause,
    });
  }
}

function only(kind: InputKind, path: string, files: readonly FoundFile[]): FoundRuns {
  const whole = { path, files };
  return { kind, path, runs: [whole], whole, left: 0 };
}

async function folder(path: string, signal?: AbortSignal): Promise<FoundRuns> {
  const { files, left } = await walkRun(path, signal);
  return { kind: 'folder', path, ...runsAmong(path, files), left };
}

/** The files of a folder, wherever they are, as runs. */
export function runsAmong(path: string, files: readonly FoundFile[]): Pick<FoundRuns, 'runs' | 'whole'> {
  const runs = splitRuns(files).map((run) => ({
    path: run.path === '' ? path : join(path, run.path),
    files: run.files,
  }));
  return { runs, whole: { path, files: chooseRun(files) } };
}

/** A notebook's training cells: each is a run when several are. */
async function notebook(path: string, file: FoundFile): Promise<FoundRuns> {
  const outputs = notebookOutputs(await readFile(path, 'utf8'));
  if (outputs === null)
    throw new GrusError(`${path} is no notebook`, {
      advice: 'It is not JSON with cells; give a saved .ipynb file.',
    });
  if (outputs.cells.length === 0)
    throw new GrusError(`${path} holds no outputs`, {
      advice: 'Save the notebook with its outputs, or give the log of the run.',
    });
  const files = outputs.cells.map(
    ({ cell, text }): FoundFile => ({
      path: `${file.path} cell ${cell}`,
      absolute: `${path} cell ${cell}`,
      size: Buffer.byteLength(text),
      modified: file.modified,
      content: Buffer.from(text),
      settings: outputs.settings,
    }),
  );
  const runs = files.map((cell) => ({ path: cell.absolute, files: [cell] }));
  return {
    kind: 'notebook',
    path,
    runs: runs.length === 1 ? [{ path, files }] : runs,
    whole: { path, files },
    left: 0,
  };
}

const siblingSuffixes: readonly (readonly [RegExp, string])[] = [
  [/\.out$/, '.err'],
  [/\.err$/, '.out'],
  [/\.o(\d+)$/, '.e$1'],
  [/\.e(\d+)$/, '.o$1'],
  [/\bstdout\b/, 'stderr'],
  [/\bstderr\b/, 'stdout'],
];

/** A scheduler writes two files, one per stream: the other half of the story. */
async function siblingOf(path: string): Promise<FoundFile | null> {
  const name = basename(path);
  for (const [suffix, other] of siblingSuffixes) {
    if (!suffix.test(name)) continue;
    const wanted = name.replace(suffix, other);
    const names = await readdir(dirname(path)).catch((): string[] => []);
    if (wanted === name || !names.includes(wanted)) continue;
    const absolute = join(dirname(path), wanted);
    const stats = await stat(absolute).catch(() => null);
    if (stats?.isFile()) return { path: wanted, absolute, size: stats.size, modified: stats.mtimeMs };
  }
  return null;
}
