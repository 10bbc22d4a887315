// What a kernel was told about the cells of its notebook, so that only what changed is told again.
import type { INotebookModel } from '@jupyterlab/notebook';
import type { Runs } from '../state/runs.js';
import type { Plan } from './protocol.js';

export class ToldCells {
  readonly #told = new Map<string, string>();

  constructor(private readonly runs: Runs) {}

  /** `running`: ids of cells whose end is not known yet, and that count as run. */
  changes(notebook: INotebookModel, running: ReadonlySet<string>): Pick<Plan, 'changed' | 'gone'> {
    const now = this.runs
      .history(notebook)
      .map((cell) => (running.has(cell.id) ? { ...cell, status: 'ok' as const } : cell));
    const ids = new Set(now.map(({ id }) => id));
    const gone = [...this.#told.keys()].filter((id) => !ids.has(id));
    const changed = now.filter(({ id, number, source, status }) => {
      const text = `${number} ${status} ${source}`;
      if (this.#told.get(id) === text) return false;
      this.#told.set(id, text);
      return true;
    });
    for (const id of gone) this.#told.delete(id);
    return {
      changed: changed.map(({ id, number, source, status }) => ({ id, number, source, status })),
      gone,
    };
  }
}
