// What is known about the cells of the open notebooks: one report a cell, kept by the id of its model, so that it
// outlives scrolling, renames, kernel restarts and reconnects.
import type { Verdict } from '@grus/core';
import type { INotebookModel } from '@jupyterlab/notebook';
import { Signal } from '@lumino/signaling';

/** What a person can answer about a held cell. */
export type Answer = 'run' | 'leave' | 'fixed';

export interface Report {
  readonly cellId: string;
  readonly verdict: Verdict;
  /** Set while the cell waits for an answer. */
  readonly answer: ((answer: Answer) => void) | null;
  /** What was done with the cell. */
  readonly fate: 'held' | 'blocked' | 'left' | 'ran' | 'checked' | 'foreseen' | 'interrupted';
  /** Ids of the cells that waited behind it and were not run either. */
  readonly behind: readonly string[];
  /** Why the report may no longer hold; null while it does. */
  readonly outdated: string | null;
}

export interface Change {
  readonly notebook: INotebookModel;
  readonly cellId: string;
}

export class Reports {
  readonly changed = new Signal<this, Change>(this);
  readonly #notebooks = new WeakMap<INotebookModel, Map<string, Report>>();

  of(notebook: INotebookModel, cellId: string): Report | undefined {
    return this.#notebooks.get(notebook)?.get(cellId);
  }

  /** Reports in the order of the cells. */
  all(notebook: INotebookModel): Report[] {
    const known = this.#notebooks.get(notebook);
    if (known === undefined || known.size === 0) return [];
    return [...notebook.cells].flatMap((cell) => known.get(cell.id) ?? []);
  }

  set(notebook: INotebookModel, report: Report): void {
    const known = this.#notebooks.get(notebook) ?? new Map<string, Report>();
    this.#notebooks.set(notebook, known.set(report.cellId, report));
    this.changed.emit({ notebook, cellId: report.cellId });
  }

  update(notebook: INotebookModel, cellId: string, change: Partial<Report>): void {
    const report = this.of(notebook, cellId);
    if (report) this.set(notebook, { ...report, ...change });
  }

  remove(notebook: INotebookModel, cellId: string): void {
    if (this.#notebooks.get(notebook)?.delete(cellId)) this.changed.emit({ notebook, cellId });
  }

  /** After a restart: what was read from the kernel is gone, but the text of the reports is still worth reading. */
  outdate(notebook: INotebookModel, why: string): void {
    for (const { cellId, outdated } of this.all(notebook))
      if (outdated === null) this.update(notebook, cellId, { outdated: why });
  }
}
