// Which Python runs a notebook whose kernelspec is not installed: the active environment, the one that Grus set up for
// itself, or the first on the path; each only when it has ipykernel.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const binary = process.platform === 'win32' ? join('Scripts', 'python.exe') : join('bin', 'python');

export function interpreterWithKernel(env: NodeJS.ProcessEnv = process.env): string | null {
  const environments = [env['VIRTUAL_ENV'], env['CONDA_PREFIX'], ownEnvironment()];
  const candidates = [
    ...environments
      .flatMap((folder) => (folder === undefined ? [] : [join(folder, binary)]))
      .filter(existsSync),
    'python3',
    'python',
  ];
  return candidates.find(hasKernel) ?? null;
}

function hasKernel(python: string): boolean {
  return spawnSync(python, ['-c', 'import ipykernel'], { stdio: 'ignore' }).status === 0;
}

/** The `.venv` that the set-up scripts make in the folder of the clone. */
function ownEnvironment(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, '.venv')) && dirname(folder) !== folder) folder = dirname(folder);
  return join(folder, '.venv');
}
