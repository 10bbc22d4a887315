// Opens the kernel that the options mean: a new one for a notebook, or one that is already running.
import { dirname, resolve } from 'node:path';
import { GrusError } from '@grus/core';
import {
  attachKernel as attachLocal,
  type ChosenKernel,
  chooseKernel,
  connectServer,
  findKernelSpec,
  type Kernel,
  startKernel,
} from '@grus/kernel';
import { languageOf, type NotebookDocument } from '@grus/notebook';
import type { KernelOptions } from '../options/kernel.js';
import { ownInterpreter } from './interpreters.js';

/** A kernel that was started for a notebook, and why it was this one. */
export interface StartedKernel {
  readonly kernel: Kernel;
  readonly chosen: ChosenKernel;
}

/** A fresh kernel, in the notebook's own directory unless another is named. */
export async function startKernelFor(
  path: string,
  document: NotebookDocument,
  options: KernelOptions,
  cwd = dirname(resolve(path)),
): Promise<StartedKernel> {
  assertPython(languageOf(document), path);
  const chosen = await chosenFor(path, document, options);
  if (chosen.spec) {
    assertPython(chosen.spec.language, `kernel ${chosen.spec.name}`);
    return { kernel: await startKernel({ name: chosen.spec.name, cwd }), chosen };
  }
  return { kernel: await startKernel({ python: chosen.python!, cwd }), chosen };
}

/** Which kernel a notebook gets. Throws when there is none. */
export async function chosenFor(
  path: string,
  document: NotebookDocument | null,
  options: KernelOptions,
): Promise<ChosenKernel> {
  const kernelspec = document?.metadata.kernelspec?.name;
  const own = ownInterpreter();
  const chosen = await chooseKernel({
    folder: dirname(resolve(path)),
    ...(kernelspec === undefined ? {} : { kernelspec }),
    ...(options.python === undefined ? {} : { python: options.python }),
    ...(options.kernelName === undefined ? {} : { kernelName: options.kernelName }),
    ...(own === undefined ? {} : { own }),
  });
  if (chosen) return chosen;
  // Says which kernelspecs there are, and what to do.
  await findKernelSpec(options.kernelName ?? kernelspec ?? 'python3');
  throw new GrusError('no Python with ipykernel was found', {
    advice:
      'Install ipykernel in the environment of the notebook, or name a Python that has it with --python.',
  });
}

/** What a check is told of an interpreter that may not be the notebook's. */
export function doubtsAbout({ certain, python, spec }: ChosenKernel): { guessedPython?: string } {
  return certain ? {} : { guessedPython: python ?? `kernel ${spec?.name}` };
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
