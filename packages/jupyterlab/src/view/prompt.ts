// The prompt of a code cell: [*] while it waits or runs, its count or nothing otherwise.
import type { CodeCell, ICellModel, ICodeCellModel } from '@jupyterlab/cells';
import type { RunOptions } from '../gate/executor.js';

/** The cell may have gone from the page while its model is still there, in another view. */
export function showState({ cell }: RunOptions, model: ICellModel, state: 'running' | 'idle'): void {
  const code = model as ICodeCellModel;
  // The cells of JupyterLab 4.2 have no such state; there the prompt itself is set.
  if (Reflect.has(code, 'executionState')) code.executionState = state;
  else if (!cell.isDisposed)
    (cell as CodeCell).setPrompt(state === 'running' ? '*' : String(code.executionCount ?? ''));
}
