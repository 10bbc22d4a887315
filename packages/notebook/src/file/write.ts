// Writes a notebook in one move, so that an interrupted run never leaves half a file behind.
import { randomBytes } from 'node:crypto';
import { access, constants, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { GrusError } from '@grus/core';
import type { NotebookDocument } from './document.js';

/** Fails early, before anything was executed, when `path` could not be written later. */
export async function assertWritable(path: string): Promise<void> {
  try {
    const existing = await stat(path).catch(() => null);
    if (existing?.isDirectory()) throw new Error('is a directory');
    await access(dirname(path), constants.W_OK);
  } catch (cause) {
    throw unwritable(path, cause);
  }
}

export async function writeNotebook(path: string, document: NotebookDocument): Promise<void> {
  const temporary = join(dirname(path), `.${randomBytes(6).toString('hex')}.grus-part`);
  try {
    await writeFile(temporary, `${JSON.stringify(withSourceLines(document), null, 1)}\n`);
    await rename(temporary, path);
  } catch (cause) {
    await rm(temporary, { force: true });
    throw unwritable(path, cause);
  }
}

/** Sources as lists of lines, the form in which Jupyter itself saves them. */
function withSourceLines(document: NotebookDocument): unknown {
  return {
    ...document,
    cells: document.cells.map((cell) => ({ ...cell, source: cell.source.split(/(?<=\n)/) })),
  };
}

function unwritable(path: string, cause: unknown): GrusError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new GrusError(`${path} cannot be written: ${reason}`, {
    advice: 'Choose another place with -o.',
    cause,
  });
}
