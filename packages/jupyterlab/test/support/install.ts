// The extension as a user gets it: the wheel, built and installed by pip into a folder of its own.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { buildWheel } from '../../../../scripts/lib/stage.mjs';

export const repository = resolve(import.meta.dirname, '..', '..', '..', '..');
export const python = process.env['GRUS_PYTHON'] ?? join(repository, '.venv', 'bin', 'python');

export interface Installation {
  readonly folder: string;
  readonly wheel: string;
  /** What a Jupyter server needs in its environment to find the installation. */
  readonly environment: Readonly<Record<string, string>>;
  remove(): void;
}

export async function installWheel(): Promise<Installation> {
  const folder = mkdtempSync(join(tmpdir(), 'grus-lab-'));
  const build = join('dist', basename(folder));
  const wheel = await buildWheel(python, build);
  pip('install', '--no-deps', '--no-index', '--prefix', folder, wheel);
  const environment = {
    PYTHONPATH: sitePackages(folder),
    JUPYTER_PATH: join(folder, 'share', 'jupyter'),
    JUPYTER_CONFIG_PATH: join(folder, 'etc', 'jupyter'),
  };
  return {
    folder,
    wheel,
    environment,
    remove: () => {
      for (const path of [folder, join(repository, build)]) rmSync(path, { recursive: true, force: true });
    },
  };
}

function sitePackages(folder: string): string {
  for (const lib of ['lib', 'local/lib']) {
    const parent = join(folder, lib);
    const [version] = existsSync(parent) ? readdirSync(parent) : [];
    if (version === undefined) continue;
    const found = ['site-packages', 'dist-packages']
      .map((name) => join(parent, version, name))
      .find((path) => existsSync(path));
    if (found) return found;
  }
  throw new Error(`pip installed nothing into ${folder}`);
}

export function pip(...args: readonly string[]): void {
  const done = spawnSync(python, ['-m', 'pip', '--disable-pip-version-check', ...args], { encoding: 'utf8' });
  if (done.status !== 0) throw new Error(`pip ${args.join(' ')} failed:\n${done.stdout}${done.stderr}`);
}
