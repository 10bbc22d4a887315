// A kernel of its own for one version of a pair, in an empty folder of its own: pairs share nothing.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Kernel, startKernel, withKernel } from '@grus/kernel';

/** One thread a kernel, so that two of them side by side do not fight; and no chatter of native libraries. */
const environment = { OMP_NUM_THREADS: '1', TF_CPP_MIN_LOG_LEVEL: '3', CUDA_VISIBLE_DEVICES: '' };

export async function withScratchKernel<T>(python: string, work: (kernel: Kernel) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'grus-pair-'));
  try {
    return await withKernel(startKernel({ python, cwd: folder, env: environment }), work);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
