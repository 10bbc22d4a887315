// Where the Python environment of a project may be: an active one, or one in or for a folder above the notebook. Only
// files are looked at; nothing is started.
import { existsSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { foldersUpFrom } from '../folders.js';
import { readIfThere } from './files.js';
import { condaEnvironment, pixiEnvironments, poetryEnvironments } from './managers.js';

type Environment = Readonly<Record<string, string | undefined>>;

/** Folder names that people and tools give to an environment beside the code. */
const usualNames = ['.venv', 'venv', '.conda', 'env', '.env'];

/** The interpreter in the folder of an environment; null where there is none. */
export function interpreterIn(prefix: string): string | null {
  const candidates =
    process.platform === 'win32'
      ? [join(prefix, 'Scripts', 'python.exe'), join(prefix, 'python.exe')]
      : [join(prefix, 'bin', 'python'), join(prefix, 'bin', 'python3')];
  return candidates.find(existsSync) ?? null;
}

/** Environments that the shell was put into on purpose. Conda's base, which shells enter by themselves, is none. */
export function activeEnvironments(env: Environment = process.env): string[] {
  const conda = isBase(env) ? undefined : env['CONDA_PREFIX'];
  return interpretersIn([env['VIRTUAL_ENV'], conda]);
}

/** Conda's base environment, where the shell is in it. */
export function baseEnvironment(env: Environment = process.env): string[] {
  return isBase(env) ? interpretersIn([env['CONDA_PREFIX']]) : [];
}

/** Environments of the folder and of those above it, up to the project's root, the nearest first. */
export function nearEnvironments(folder: string, env: Environment = process.env): string[] {
  return foldersUpFrom(folder).flatMap((one) => interpretersIn(environmentsOf(one, env).filter(isOurs)));
}

/** The interpreter that the settings of an editor name for the folder: VS Code's `python.defaultInterpreterPath`. */
export function editorInterpreters(folder: string): string[] {
  return foldersUpFrom(folder).flatMap((one) => {
    const settings = readIfThere(join(one, '.vscode', 'settings.json'));
    const [, named] = /^\s*"python\.defaultInterpreterPath"\s*:\s*"([^"\\]+)"/m.exec(settings ?? '') ?? [];
    if (named === undefined) return [];
    const path = resolve(one, named.replace('${workspaceFolder}', one).replace(/^~(?=\/)/, homedir()));
    return existsSync(path) && statSync(path).isFile() ? [path] : [];
  });
}

function environmentsOf(folder: string, env: Environment): string[] {
  const uv = env['UV_PROJECT_ENVIRONMENT'];
  const ofUv = uv !== undefined && existsSync(join(folder, 'uv.lock')) ? [resolve(folder, uv)] : [];
  return [
    ...ofUv,
    ...usualNames.map((name) => join(folder, name)).filter(isEnvironment),
    ...pixiEnvironments(folder),
    ...poetryEnvironments(folder, env),
    ...condaEnvironment(folder),
  ];
}

function isEnvironment(folder: string): boolean {
  return existsSync(join(folder, 'pyvenv.cfg')) || existsSync(join(folder, 'conda-meta'));
}

/** What another user put into a folder that all may write to is not started. */
function isOurs(folder: string): boolean {
  if (process.platform === 'win32') return true;
  const owner = statSync(folder, { throwIfNoEntry: false })?.uid;
  return owner === process.getuid?.() || owner === 0;
}

function isBase(env: Environment): boolean {
  return env['CONDA_DEFAULT_ENV'] === 'base';
}

function interpretersIn(prefixes: readonly (string | undefined)[]): string[] {
  return prefixes.flatMap((prefix) => (prefix ? (interpreterIn(prefix) ?? []) : []));
}
