// What a cell showed before it was sent. JupyterLab clears it on sending; a cell that was not run after all shows it again.
import type { ICodeCellModel } from '@jupyterlab/cells';
import type { RunOptions } from '../gate/executor.js';
import { showState } from '../view/prompt.js';

export interface Remembered {
  restore(): void;
}

export function remember(options: RunOptions, model: ICodeCellModel): Remembered {
  const outputs = model.outputs.toJSON();
  const count = model.executionCount;
  return {
    restore: () => {
      model.sharedModel.transact(() => model.outputs.fromJSON(outputs), false);
      model.executionCount = count;
      showState(options, model, 'idle');
    },
  };
}
