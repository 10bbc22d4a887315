// What a program can ask of Grus: `import { checkNotebook, diagnose } from 'grus'`. Nothing is printed.
import { checkInKernel } from '../jobs/api.js';
import type { CheckNotebookOptions, NotebookVerdict, RunDiagnosis } from './types.js';

export type { CellVerdict, CheckNotebookOptions, NotebookVerdict, RunDiagnosis } from './types.js';

/**
 * Will a cell of this notebook crash? With `cell`, the cells before it are run in a real kernel and it is judged without
 * running; without, each cell is checked and then run, up to the first predicted crash.
 *
 * Example: `const { outcome, exception } = await checkNotebook('train.ipynb', { cell: 7 });`
 */
export async function checkNotebook(
  path: string,
  options: CheckNotebookOptions = {},
): Promise<NotebookVerdict> {
  return checkInKernel(path, options);
}

/**
 * Why does this training run fail? Of a run directory, a log file, or a folder of runs: one diagnosis each.
 *
 * Example: `const [run] = await diagnose('runs/exp-17');`
 */
export async function diagnose(path: string): Promise<readonly RunDiagnosis[]> {
  const { diagnoseAll } = await import('../jobs/diagnose.js');
  return diagnoseAll(path);
}
