// A real kernel for tests of the whole ladder.
import { join } from 'node:path';
import { type Kernel, startKernel } from '@grus/kernel';
import type { CheckTarget } from '@grus/notebook';

const root = join(import.meta.dirname, '..', '..', '..', '..');
export const python = process.env['GRUS_PYTHON'] ?? join(root, '.venv', 'bin', 'python');

export function startTestKernel(): Promise<Kernel> {
  return startKernel({ python });
}

export function targetOn(kernel: Kernel, source: string): CheckTarget {
  return { kernel, source, metadata: {}, number: null, cells: [] };
}

export async function runIn(kernel: Kernel, source: string): Promise<void> {
  const result = await kernel.execute(source);
  if (result.status !== 'ok')
    throw new Error(`the setup failed: ${result.error?.ename}: ${result.error?.evalue}`);
}
