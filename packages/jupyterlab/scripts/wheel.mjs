// Packs the Python wheel that a user installs: the built extension, the server's part, and the program that the server
// runs for the rungs that the browser cannot climb. Prints the path of the wheel.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { buildExtension, buildLadder, home, target } from './build.mjs';

const staged = join(home, 'dist', 'wheel-source');
const wheels = join(home, 'dist', 'wheel');

/** Builds everything and returns the path of the wheel. */
export async function buildWheel(python) {
  rmSync(staged, { recursive: true, force: true });
  rmSync(wheels, { recursive: true, force: true });
  mkdirSync(staged, { recursive: true });
  await buildExtension();
  cpSync(join(home, 'python'), staged, { recursive: true, filter: (path) => !path.includes('__pycache__') });
  cpSync(target, join(staged, 'labextension'), { recursive: true });
  await buildLadder(join(staged, 'grus_jupyterlab', 'ladder'));
  const args = ['-m', 'pip', 'wheel', staged, '--no-deps', '--no-build-isolation', '--wheel-dir', wheels];
  const packed = spawnSync(python, [...args, '--disable-pip-version-check'], { encoding: 'utf8' });
  if (packed.status !== 0) throw new Error(`pip could not pack the wheel:\n${packed.stdout}${packed.stderr}`);
  return join(wheels, readdirSync(wheels)[0]);
}

if (process.argv[1] === import.meta.filename) {
  const python = process.env.GRUS_PYTHON ?? join(home, '..', '..', '.venv', 'bin', 'python');
  process.stdout.write(`${await buildWheel(python)}\n`);
}
