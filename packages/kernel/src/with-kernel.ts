// Runs a piece of work with a kernel and lets go of the kernel whatever happens.
import type { Kernel } from './kernel.js';

/** Example: `await withKernel(startKernel({ python }), (kernel) => kernel.execute('1 + 1'))`. */
export async function withKernel<T>(
  starting: Promise<Kernel>,
  work: (kernel: Kernel) => Promise<T>,
): Promise<T> {
  const kernel = await starting;
  try {
    return await work(kernel);
  } finally {
    await kernel.close();
  }
}
