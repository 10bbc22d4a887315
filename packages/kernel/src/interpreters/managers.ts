// Environments that a manager keeps elsewhere than beside the code, found from what it leaves in the project's folder.
import { createHash } from 'node:crypto';
import { existsSync, realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, join } from 'node:path';
import { listIfThere, readIfThere } from './files.js';

type Environment = Readonly<Record<string, string | undefined>>;

/** Pixi keeps them in the project; `default` is the one that its commands use. */
export function pixiEnvironments(folder: string): string[] {
  const environment = join(folder, '.pixi', 'envs', 'default');
  return existsSync(join(environment, 'conda-meta')) ? [environment] : [];
}

/** Poetry keeps them in its cache, named by the project and a digest of its folder: `shop-Xa81bqZt-py3.11`. */
export function poetryEnvironments(folder: string, env: Environment = process.env): string[] {
  const project = readIfThere(join(folder, 'pyproject.toml'));
  if (project === null || !(project.includes('[tool.poetry') || existsSync(join(folder, 'poetry.lock'))))
    return [];
  const [, name] = /^name\s*=\s*["']([^"']+)["']/m.exec(project) ?? [];
  if (name === undefined) return [];
  const kept = poetryFolder(env);
  const cleaned = name
    .toLowerCase()
    .replace(/[ $`!*@"\\\r\n\t]/g, '_')
    .slice(0, 42);
  const digest = createHash('sha256').update(realpathSync(folder)).digest('base64url').slice(0, 8);
  return listIfThere(kept)
    .filter((entry) => entry.startsWith(`${cleaned}-${digest}-py`))
    .sort()
    .reverse()
    .map((entry) => join(kept, entry));
}

/** The conda environment that `environment.yml` names, among those that conda has listed as its own. */
export function condaEnvironment(folder: string): string[] {
  const described =
    readIfThere(join(folder, 'environment.yml')) ?? readIfThere(join(folder, 'environment.yaml'));
  const [, name] = /^name:\s*["']?([\w.-]+)/m.exec(described ?? '') ?? [];
  const known = readIfThere(join(homedir(), '.conda', 'environments.txt')) ?? '';
  return known.split(/\r?\n/).filter((prefix) => name !== undefined && basename(prefix) === name);
}

function poetryFolder(env: Environment): string {
  const given = env['POETRY_VIRTUALENVS_PATH'];
  if (given) return given;
  if (env['POETRY_CACHE_DIR']) return join(env['POETRY_CACHE_DIR'], 'virtualenvs');
  switch (process.platform) {
    case 'darwin':
      return join(homedir(), 'Library', 'Caches', 'pypoetry', 'virtualenvs');
    case 'win32':
      return join(env['LOCALAPPDATA'] ?? homedir(), 'pypoetry', 'Cache', 'virtualenvs');
    default:
      return join(env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'pypoetry', 'virtualenvs');
  }
}
