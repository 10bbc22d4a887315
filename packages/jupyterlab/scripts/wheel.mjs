// Packs the Python wheel that a user installs: the built extension, the server's part, and the program that the server
// runs for the rungs that the browser cannot climb. Prints the path of the wheel.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { buildExtension, buildLadder, home } from './build.mjs';

/** Builds everything below `folder` and returns the path of the wheel. */
export async function buildWheel(python, folder) {
  const staged = join(folder, 'wheel-source');
  const wheels = join(folder, 'wheel');
  for (const path of [staged, wheels]) rmSync(path, { recursive: true, force: true });
  mkdirSync(staged, { recursive: true });
  cpSync(join(home, 'python'), staged, { recursive: true, filter: (path) => !path.includes('__pycache__') });
  await buildExtension(join(staged, 'labextension'));
  await buildLadder(join(staged, 'grus_jupyterlab', 'ladder'));
  const args = [
    '-m',
    'pip',
    '--disable-pip-version-check',
    'wheel',
    staged,
    '--no-deps',
    '--wheel-dir',
    wheels,
  ];
  if (hasSetuptools(python)) args.push('--no-build-isolation');
  const packed = spawnSync(python, args, { encoding: 'utf8' });
  if (packed.status !== 0) throw new Error(`pip could not pack the wheel:\n${packed.stdout}${packed.stderr}`);
  return join(wheels, readdirSync(wheels)[0]);
}

/** Whether the interpreter can pack by itself; otherwise pip fetches what it needs. */
function hasSetuptools(python) {
  const probe = 'import setuptools; raise SystemExit(int(setuptools.__version__.split(".")[0]) < 71)';
  return spawnSync(python, ['-c', probe]).status === 0;
}

if (process.argv[1] === import.meta.filename) {
  const python = process.env.GRUS_PYTHON ?? join(home, '..', '..', '.venv', 'bin', 'python');
  process.stdout.write(`${await buildWheel(python, join(home, 'dist'))}\n`);
}
