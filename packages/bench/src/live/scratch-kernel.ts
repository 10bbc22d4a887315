// A kernel of its own for one notebook, in an empty folder of its own: notebooks of a benchmark share nothing.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Kernel, startKernel, withKernel } from '@grus/kernel';

/** One thread a kernel, so that two of them side by side do not fight; and no chatter of native libraries. */
const environment = { OMP_NUM_THREADS: '1', TF_CPP_MIN_LOG_LEVEL: '3', CUDA_VISIBLE_DEVICES: '' };

export async function withScratchKernel<T>(
  python: string,
  work: (kernel: Kernel) => Promise<T>,
  more: Readonly<Record<string, string>> = {},
): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'grus-scratch-'));
  try {
    return await withKernel(startKernel({ python, cwd: folder, env: { ...environment, ...more } }), work);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
