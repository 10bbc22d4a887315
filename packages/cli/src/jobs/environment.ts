// The interpreter that notebooks are to be judged against: one that is there, or an environment that is made from a file of
// requirements and kept, until the file changes.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { GrusError } from '@grus/core';
import { probeInterpreter } from '@grus/kernel';

/** `base`: the interpreter that an environment is made with. */
export async function interpreterFor(
  against: string,
  base: string,
  progress: (text: string) => void,
): Promise<string> {
  const isFile = (await stat(against).catch(() => null))?.isFile() ?? false;
  if (isFile && /\.(?:txt|in)$/.test(against)) return environmentOf(against, base, progress);
  const told = await probeInterpreter(against.includes('/') ? resolve(against) : against);
  if (!told)
    throw new GrusError(`--against ${against} is neither a Python nor a file of requirements`, {
      advice: 'Name an interpreter, such as .venv-new/bin/python, or a file that ends in .txt.',
    });
  if (!told.ipykernel)
    throw new GrusError(`${against} has no ipykernel`, {
      advice: `Install it there: ${against} -m pip install ipykernel.`,
    });
  return against.includes('/') ? resolve(against) : against;
}

async function environmentOf(file: string, base: string, progress: (text: string) => void): Promise<string> {
  const version = (await probeInterpreter(base))?.version ?? '';
  const key = createHash('sha256')
    .update(`${version}\0${await readFile(file, 'utf8')}`)
    .digest('hex');
  const folder = join(cacheFolder(), key.slice(0, 16));
  const pythonIn = (place: string) =>
    process.platform === 'win32' ? join(place, 'Scripts', 'python.exe') : join(place, 'bin', 'python');
  const done = join(folder, 'installed');
  if (existsSync(done)) return pythonIn(folder);
  await rm(folder, { recursive: true, force: true });
  await mkdir(cacheFolder(), { recursive: true });
  progress('making an environment');
  await run(base, ['-m', 'venv', folder], `no environment could be made with ${base}`, progress);
  const pip = ['-m', 'pip', 'install', '--disable-pip-version-check', '--no-input'];
  const failed = `the packages of ${file} could not be installed`;
  await run(pythonIn(folder), [...pip, '-r', resolve(file), 'ipykernel'], failed, progress);
  await mkdir(`${done}.part`);
  await rename(`${done}.part`, done);
  return pythonIn(folder);
}

function cacheFolder(): string {
  return join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'grus', 'environments');
}

/** Shows what pip is doing, and its last words where it fails. */
function run(file: string, args: readonly string[], failed: string, progress: (text: string) => void) {
  return new Promise<void>((done, reject) => {
    const child = spawn(file, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    const last: string[] = [];
    const hear = (chunk: Buffer) => {
      for (const line of chunk
        .toString()
        .split('\n')
        .filter((text) => text.trim() !== '')) {
        last.push(line.trim());
        if (/^(?:Collecting|Downloading|Installing)/.test(line)) progress(line.slice(0, 100));
      }
      last.splice(0, Math.max(0, last.length - 20));
    };
    child.stdout.on('data', hear);
    child.stderr.on('data', hear);
    const advise = (why: string) =>
      reject(new GrusError(failed, { advice: why === '' ? 'Try it by hand with pip.' : why }));
    child.on('error', (error) => advise(error.message));
    child.on('close', (code) => {
      if (code === 0) done();
      else advise(last.filter((line) => line.startsWith('ERROR')).join(' ') || last.slice(-2).join(' '));
    });
  });
}
