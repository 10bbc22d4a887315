// What JupyterLab calls to run a cell. It stands in front of the default way, and is nothing but the default way for
// whatever Grus has no say in, and whenever Grus itself fails.
import type { INotebookCellExecutor } from '@jupyterlab/notebook';
import { runCell } from '@jupyterlab/notebook';

export type RunOptions = INotebookCellExecutor.IRunCellOptions;

export interface Gatekeeper {
  /** Null when the cell is none of its business. */
  admit(options: RunOptions): Promise<boolean> | null;
}

export class GatedExecutor implements INotebookCellExecutor {
  #gatekeeper: Gatekeeper | null = null;

  /** Until then, cells run as without Grus. */
  install(gatekeeper: Gatekeeper): void {
    this.#gatekeeper = gatekeeper;
  }

  async runCell(options: RunOptions): Promise<boolean> {
    let admitted: Promise<boolean> | null = null;
    try {
      admitted = this.#gatekeeper?.admit(options) ?? null;
    } catch (error) {
      console.error('Grus could not look at a cell; it runs unchecked.', error);
    }
    return admitted ?? runCell(options);
  }
}
