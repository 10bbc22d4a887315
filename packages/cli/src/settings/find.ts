// Where the settings of a project are: `grus.toml`, or `[tool.grus]` in `pyproject.toml`, in the folder of the notebook or the
// nearest above it, up to the root of the repository or the user's home. Only one file counts. Most projects have none: what
// reads TOML is loaded when there is something to read.
import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { GrusError } from '@grus/core';
import { foldersUpFrom } from '@grus/kernel/folders';
import type { ProjectSettings } from './definition.js';

/** What holds for a notebook or run. */
export interface Settings {
  /** The file that says so; null without one. */
  readonly file: string | null;
  readonly values: ProjectSettings;
}

export const noSettings: Settings = { file: null, values: {} };

const most = 1 << 20;

/** The settings for a path; `named` is a file in their place, or `none`. */
export async function settingsFor(path: string, named?: string): Promise<Settings> {
  if (named === 'none') return noSettings;
  if (named !== undefined) {
    if (!existsSync(named))
      throw new GrusError(`${named} is not there`, { advice: 'Name a file with --settings, or none.' });
    return read(resolve(named));
  }
  const file = findFile(folderOf(path));
  return file === null ? noSettings : read(file);
}

function folderOf(path: string): string {
  const here = resolve(path);
  return existsSync(here) && statSync(here).isDirectory() ? here : dirname(here);
}

function findFile(folder: string): string | null {
  for (const one of foldersUpFrom(folder)) {
    const own = join(one, 'grus.toml');
    if (isFile(own)) return own;
    const shared = join(one, 'pyproject.toml');
    if (isFile(shared) && /^\s*\[\s*tool\s*\.\s*["']?grus["']?\s*[\].]/m.test(contentOf(shared)))
      return shared;
  }
  return null;
}

function isFile(path: string): boolean {
  return existsSync(path) && statSync(path).isFile();
}

async function read(file: string): Promise<Settings> {
  const { parseSettings } = await import('./read.js');
  return { file, values: parseSettings(contentOf(file), file) };
}

function contentOf(file: string): string {
  if (statSync(file).size > most)
    throw new GrusError(`${file} is too large for settings`, { advice: 'Keep it below a megabyte.' });
  return readFileSync(file, 'utf8');
}
