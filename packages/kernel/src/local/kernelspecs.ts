// Finds the kernels that are installed: `kernels/NAME/kernel.json` in every Jupyter data folder.
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { nearest } from '@grus/core';
import { z } from 'zod';
import { KernelUnavailableError } from '../errors.js';
import { jupyterDataFolders } from './jupyter-paths.js';

const specSchema = z.object({
  argv: z.array(z.string()).min(1),
  display_name: z.string().default(''),
  language: z.string().default(''),
  interrupt_mode: z.enum(['signal', 'message']).default('signal'),
  env: z.record(z.string(), z.string()).default({}),
});

export interface KernelSpec {
  readonly name: string;
  readonly displayName: string;
  readonly language: string;
  /** Command line, still with its placeholders. */
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly interruptMode: 'signal' | 'message';
  /** The folder of kernel.json. */
  readonly folder: string;
}

/** Every kernelspec that can be found, the first of each name; `python` adds the folder of that interpreter. */
export async function findKernelSpecs(python?: string): Promise<KernelSpec[]> {
  const found = new Map<string, KernelSpec>();
  for (const data of await jupyterDataFolders(python)) {
    const names = await readdir(join(data, 'kernels')).catch(() => []);
    for (const name of names.sort()) {
      const key = name.toLowerCase();
      const spec = found.has(key) ? undefined : await readSpec(data, name);
      if (spec !== undefined) {
        found.set(key, spec);
      }
    }
  }
  return [...found.values()];
}

export async function findKernelSpec(name: string, python?: string): Promise<KernelSpec> {
  const specs = await findKernelSpecs(python);
  const spec = specs.find((candidate) => candidate.name === name.toLowerCase());
  if (spec === undefined) {
    const names = specs.map((candidate) => candidate.name);
    const list = names.length === 0 ? 'none was found' : `found: ${names.join(', ')}`;
    const [near] = nearest(name, names);
    throw new KernelUnavailableError(`There is no kernelspec named ${name} (${list})`, {
      advice:
        near === undefined
          ? 'Install one with `python -m ipykernel install --user`, or name a Python interpreter that has ipykernel.'
          : `Did you mean ${near}? Otherwise name a Python interpreter that has ipykernel.`,
    });
  }
  return spec;
}

async function readSpec(data: string, name: string): Promise<KernelSpec | undefined> {
  const folder = join(data, 'kernels', name);
  try {
    const spec = specSchema.parse(JSON.parse(await readFile(join(folder, 'kernel.json'), 'utf8')));
    return {
      name: name.toLowerCase(),
      displayName: spec.display_name || name,
      language: spec.language.toLowerCase(),
      argv: withOwnPython(spec.argv, data),
      env: spec.env,
      interruptMode: spec.interrupt_mode,
      folder,
    };
  } catch {
    return undefined;
  }
}

/** The spec inside an environment says just "python" and means the interpreter of that environment. */
function withOwnPython(argv: readonly string[], data: string): string[] {
  const [program = '', ...rest] = argv;
  if (!/^python(3(\.\d+)?)?$/.test(program)) {
    return [program, ...rest];
  }
  const prefix = resolve(data, '..', '..');
  const candidates =
    process.platform === 'win32'
      ? [join(prefix, 'python.exe'), join(prefix, 'Scripts', 'python.exe')]
      : [join(prefix, 'bin', program), join(prefix, 'bin', 'python3')];
  return [candidates.find((candidate) => existsSync(candidate)) ?? program, ...rest];
}
