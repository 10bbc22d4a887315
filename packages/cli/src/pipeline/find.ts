// Which notebooks the paths mean: files as they are named, folders and globs without what ignore files leave out. An
// ignore file counts for its folder and all beneath, as in git, and those above count up to the root of the repository.
import { existsSync } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { GrusError } from '@grus/core';
import ignore, { type Ignore } from 'ignore';

const ignoreFiles = ['.gitignore', '.grusignore'];
/** Copies of notebooks that Jupyter keeps, and what belongs to libraries or tools. */
const neverEntered = new Set(['.git', '.ipynb_checkpoints', '.venv', 'node_modules', '__pycache__']);
const wildcards = /[*?[]/;

/** What an ignore file says, and the folder that it says it of. */
interface Rules {
  readonly folder: string;
  readonly ignores: Ignore;
}

/** Whether a path stands for more than one notebook. */
export async function isMany(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => null);
  return found?.isDirectory() ?? wildcards.test(path);
}

/** The notebooks, each once, sorted; relative to `cwd` where they are inside of it. */
export async function findNotebooks(paths: readonly string[], cwd = process.cwd()): Promise<string[]> {
  const found = new Set<string>();
  for (const path of paths) {
    const files = await notebooksOf(path, cwd);
    for (const file of files) found.add(file);
    if (files.length === 0)
      throw new GrusError(`no notebook was found for ${path}`, {
        advice: 'Give notebooks (.ipynb) or folders with some; .gitignore and .grusignore exclude files.',
      });
  }
  return [...found].sort().map((file) => nameOf(file, cwd));
}

async function notebooksOf(path: string, cwd: string): Promise<string[]> {
  const absolute = resolve(cwd, path);
  const known = await stat(absolute).catch(() => null);
  if (known?.isDirectory()) return collect(absolute, await rulesAbove(absolute), () => true);
  if (known !== null || !wildcards.test(path)) return [absolute];
  const parts = path.split(/[\\/]/);
  const fixed = parts.slice(
    0,
    parts.findIndex((part) => wildcards.test(part)),
  );
  const base = resolve(cwd, fixed.length === 1 && fixed[0] === '' ? sep : fixed.join(sep));
  if (!existsSync(base)) return [];
  const pattern = ignore().add(`/${parts.slice(fixed.length).join('/')}`);
  return collect(base, await rulesAbove(base), (file) => pattern.ignores(slashed(relative(base, file))));
}

async function collect(
  folder: string,
  above: readonly Rules[],
  wanted: (file: string) => boolean,
): Promise<string[]> {
  const rules = [...above, ...(await rulesOf(folder))];
  const found: string[] = [];
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) {
      if (neverEntered.has(entry.name) || isIgnored(`${path}${sep}`, rules)) continue;
      found.push(...(await collect(path, rules, wanted)));
    } else if (entry.name.endsWith('.ipynb') && !isIgnored(path, rules) && wanted(path)) {
      found.push(path);
    }
  }
  return found;
}

/** The nearest ignore file that says anything about a path has the last word. */
function isIgnored(path: string, rules: readonly Rules[]): boolean {
  for (const { folder, ignores } of rules.toReversed()) {
    const { ignored, unignored } = ignores.test(
      slashed(relative(folder, path)) + (path.endsWith(sep) ? '/' : ''),
    );
    if (ignored || unignored) return ignored;
  }
  return false;
}

/** Of the folders over this one, up to the root of its repository; outside of a repository none. */
async function rulesAbove(folder: string): Promise<Rules[]> {
  const over: string[] = [];
  let at = folder;
  while (!existsSync(join(at, '.git'))) {
    const parent = dirname(at);
    if (parent === at) return [];
    over.unshift(parent);
    at = parent;
  }
  return (await Promise.all(over.map(rulesOf))).flat();
}

async function rulesOf(folder: string): Promise<Rules[]> {
  const texts = await Promise.all(
    ignoreFiles.map((name) => readFile(join(folder, name), 'utf8').catch(() => '')),
  );
  return texts.some((text) => text !== '') ? [{ folder, ignores: ignore().add(texts.join('\n')) }] : [];
}

function nameOf(file: string, cwd: string): string {
  const inside = relative(cwd, file);
  return inside.startsWith('..') ? file : inside;
}

function slashed(path: string): string {
  return path.split(sep).join('/');
}
