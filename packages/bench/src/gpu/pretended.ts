// A kernel on a machine without a GPU that looks to the agent like one that uses it.
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { GrusError } from '@grus/core';
import type { Kernel } from '@grus/kernel';
import { withScratchKernel } from '../live/scratch-kernel.js';

/** Needs the sources of the project: asked for in its folder. */
export async function withPretendedGpu<T>(python: string, work: (kernel: Kernel) => Promise<T>): Promise<T> {
  const program = await readFile(join('packages', 'bench', 'pretended', 'gpu.py'), 'utf8').catch(() => {
    throw new GrusError('the program that pretends a GPU cannot be read', {
      advice: "Run this in the folder of Grus's sources.",
    });
  });
  const code = `exec(compile(${JSON.stringify(program)}, 'pretended', 'exec'), {})`;
  const pretending = async (kernel: Kernel) => {
    const { status, error } = await kernel.execute(code, { silent: true });
    if (status !== 'ok')
      throw new GrusError(`a GPU cannot be pretended: ${error?.evalue ?? status}`, {
        advice: 'Name an interpreter with torch and ipykernel with --python.',
      });
    return work(kernel);
  };
  return withScratchKernel(python, pretending, { PYTHONPATH: resolve('packages', 'kernel') });
}
