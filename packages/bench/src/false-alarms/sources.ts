// Fetches the source distribution of a package with pip, as pip is configured, and keeps it unpacked in the cache. pip has
// no command that only downloads: it prepares the build too, which may fail for want of a compiler; `--no-clean` leaves
// the unpacked sources behind either way.
import { spawn } from 'node:child_process';
import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { GrusError } from '@grus/core';
import type { PackageVersion } from './packages.js';

/** The folder with the unpacked sources; downloaded unless the cache has them. */
export async function fetchSources(
  { name, version }: PackageVersion,
  python: string,
  cache: string,
): Promise<string> {
  const folder = join(cache, 'sources', `${name}-${version}`);
  if (await exists(folder)) return folder;
  const scratch = join(cache, 'sources', `.${name}-${version}.part`);
  await rm(scratch, { recursive: true, force: true });
  await mkdir(join(scratch, 'tmp'), { recursive: true });
  try {
    const output = await download(`${name}==${version}`, python, scratch);
    const unpacked = await findUnpacked(join(scratch, 'tmp'), name);
    if (unpacked === null || /No matching distribution found/.test(output))
      throw new GrusError(`there are no sources of ${name} ${version} to download`, {
        advice: `Leave it out with --packages, or install a version that has them. pip said: ${lastLine(output)}`,
      });
    await rename(unpacked, folder);
    return folder;
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

function download(requirement: string, python: string, scratch: string): Promise<string> {
  const options = ['--no-deps', '--no-binary', ':all:', '--no-build-isolation', '--no-clean'];
  const args = ['-m', 'pip', 'download', ...options, '--dest', join(scratch, 'dest'), requirement];
  return new Promise((resolve, reject) => {
    const pip = spawn(python, args, {
      env: { ...process.env, TMPDIR: join(scratch, 'tmp') },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    for (const stream of [pip.stdout, pip.stderr]) stream.on('data', (chunk) => (output += String(chunk)));
    pip.on('error', (cause) =>
      reject(
        new GrusError(`${python} cannot be run`, { advice: 'Name an interpreter with --python.', cause }),
      ),
    );
    pip.on('close', () => resolve(output));
  });
}

/** pip unpacks into `pip-download-*` / `NAME_*`. */
async function findUnpacked(folder: string, name: string): Promise<string | null> {
  for (const outer of await readdir(folder)) {
    if (!outer.startsWith('pip-')) continue;
    const inner = (await readdir(join(folder, outer))).find((entry) => entry.startsWith(`${name}_`));
    if (inner !== undefined) return join(folder, outer, inner);
  }
  return null;
}

function lastLine(output: string): string {
  return output.trim().split('\n').at(-1) ?? '';
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
