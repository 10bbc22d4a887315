// Opens the kernel that the options mean: a new one for a notebook, or one that is already running.
import { dirname, resolve, sep } from 'node:path';
import { GrusError, visible } from '@grus/core';
import {
  attachKernel as attachLocal,
  connectServer,
  findKernelSpecs,
  type Kernel,
  startKernel,
} from '@grus/kernel';
import { languageOf, type NotebookDocument } from '@grus/notebook';
import type { KernelOptions } from '../options/kernel.js';
import { interpreterWithKernel } from './interpreters.js';

/**
 * A fresh kernel in the notebook's own directory. Which one: --python, --kernel-name, GRUS_PYTHON, then the kernelspec
 * that the notebook names, then any interpreter at hand that has ipykernel.
 */
export async function startKernelFor(
  path: string,
  document: NotebookDocument,
  options: KernelOptions,
): Promise<Kernel> {
  assertPython(languageOf(document), path);
  const named = options.python ?? (options.kernelName === undefined ? process.env['GRUS_PYTHON'] : undefined);
  // The kernel starts in another folder: a relative path is meant from here, a bare command is looked up as usual.
  const python = named?.includes(sep) ? resolve(named) : named;
  const cwd = dirname(resolve(path));
  if (python !== undefined) return startKernel({ python, cwd });
  const name = options.kernelName ?? document.metadata.kernelspec?.name ?? 'python3';
  return startNamed(name, cwd, options.kernelName !== undefined);
}

/** The kernelspec of this name; when the notebook merely asks for "some Python 3", any interpreter with ipykernel will do. */
async function startNamed(name: string, cwd: string, insisted: boolean): Promise<Kernel> {
  const installed = (await findKernelSpecs()).find((spec) => spec.name === name.toLowerCase());
  if (installed) assertPython(installed.language, `kernel ${installed.name}`);
  const fallback = installed || insisted || name !== 'python3' ? null : interpreterWithKernel();
  if (fallback === null) return startKernel({ name, cwd });
  process.stderr.write(
    `grus: no kernelspec named ${visible(name)} is installed; using ${visible(fallback)}\n`,
  );
  return startKernel({ python: fallback, cwd });
}

/** A kernel that somebody else started; it is only looked at, never ended. */
export async function attachKernel(options: KernelOptions): Promise<Kernel> {
  if (options.kernel !== undefined) return attachLocal(options.kernel);
  if (options.server !== undefined) {
    if (options.kernelId === undefined) {
      throw new GrusError('--server needs a kernel', { advice: 'Say which with --kernel-id ID.' });
    }
    const token = options.token ?? process.env['JUPYTER_TOKEN'];
    const server = await connectServer({ url: options.server, ...(token === undefined ? {} : { token }) });
    return server.attach(options.kernelId);
  }
  throw new GrusError('--code needs a live kernel', {
    advice: 'Name it with --kernel FILE, or --server URL and --kernel-id ID.',
  });
}

function assertPython(language: string, subject: string): void {
  if (language === 'python') return;
  throw new GrusError(`${subject} is in ${language}, and Grus reads Python only`, {
    advice: 'Choose a Python notebook, or a Python kernel with --kernel-name.',
  });
}
