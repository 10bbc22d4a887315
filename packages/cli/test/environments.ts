// Real Python environments for the tests: made by `venv`, with ipykernel from the environment of the tests.
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { python } from './grus.js';

const libraries = execFileSync(python, ['-c', 'import sysconfig; print(sysconfig.get_path("purelib"))'], {
  encoding: 'utf8',
}).trim();

export interface MadeEnvironment {
  readonly folder: string;
  readonly python: string;
}

/** An environment in the folder; `modules` can be imported in it and nowhere else. */
export function makeEnvironment(
  folder: string,
  { kernel = true, modules = [] }: { kernel?: boolean; modules?: readonly string[] } = {},
): MadeEnvironment {
  execFileSync(python, ['-m', 'venv', '--without-pip', folder]);
  const own = execFileSync(
    join(folder, 'bin', 'python'),
    ['-c', 'import sysconfig; print(sysconfig.get_path("purelib"))'],
    { encoding: 'utf8' },
  ).trim();
  if (kernel) writeFileSync(join(own, 'libraries.pth'), `${libraries}\n`);
  for (const name of modules) writeFileSync(join(own, `${name}.py`), 'value = 1\n');
  return { folder, python: join(folder, 'bin', 'python') };
}

/** A kernelspec below the data folder that starts this interpreter. */
export function installSpec(data: string, name: string, interpreter: string): void {
  const folder = join(data, 'kernels', name);
  mkdirSync(folder, { recursive: true });
  const argv = [interpreter, '-m', 'ipykernel_launcher', '-f', '{connection_file}'];
  writeFileSync(
    join(folder, 'kernel.json'),
    JSON.stringify({ argv, display_name: name, language: 'python' }),
  );
}
