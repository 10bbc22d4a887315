// Which cells ran in a kernel and how that ended: the memory behind remedies such as "run cell 4 first".
import type { CellHistory, CellStatus } from '@grus/notebook';
import { type INotebookModel, NotebookActions } from '@jupyterlab/notebook';

interface Run {
  readonly source: string;
  readonly status: CellStatus;
}

export class Runs {
  readonly #notebooks = new WeakMap<INotebookModel, Map<string, Run>>();

  constructor() {
    NotebookActions.executed.connect((_, { notebook, cell, success }) => {
      if (notebook.model === null || cell.model.type !== 'code') return;
      const source = cell.model.sharedModel.getSource();
      this.#of(notebook.model).set(cell.model.id, { source, status: success ? 'ok' : 'failed' });
    });
  }

  /** The kernel is a fresh one. */
  forget(notebook: INotebookModel): void {
    this.#notebooks.delete(notebook);
  }

  /** The code cells of the notebook, as the ladder wants them, numbered as a person counts: all cells, from 1. */
  history(notebook: INotebookModel): (CellHistory & { readonly id: string })[] {
    const runs = this.#of(notebook);
    return [...notebook.cells].flatMap((cell, index) => {
      if (cell.type !== 'code') return [];
      const source = cell.sharedModel.getSource();
      const run = runs.get(cell.id);
      const status = run?.source === source ? run.status : 'not-run';
      return [{ id: cell.id, number: index + 1, source, status, executionCount: null }];
    });
  }

  #of(notebook: INotebookModel): Map<string, Run> {
    const known = this.#notebooks.get(notebook) ?? new Map<string, Run>();
    this.#notebooks.set(notebook, known);
    return known;
  }
}
