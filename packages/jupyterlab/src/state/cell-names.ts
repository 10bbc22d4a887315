// A cell as a person sees it: its prompt, its place in the notebook, and how it begins.
import type { ICellModel, ICodeCellModel } from '@jupyterlab/cells';
import type { INotebookModel } from '@jupyterlab/notebook';

export interface NamedCell {
  readonly id: string;
  /** "[22] import pandas as pd (cell 24 of 30)" */
  readonly name: string;
}

const longest = 40;

export function namedCell(notebook: INotebookModel, cell: ICellModel): NamedCell {
  const position = [...notebook.cells].indexOf(cell) + 1;
  const count = cell.type === 'code' ? (cell as ICodeCellModel).executionCount : null;
  const first = cell.sharedModel.getSource().trim().split('\n')[0] ?? '';
  const text = first.length > longest ? `${first.slice(0, longest - 1)}…` : first;
  const { length } = notebook.cells;
  return { id: cell.id, name: `[${count ?? ' '}] ${text} (cell ${position} of ${length})` };
}

/** By the number that the ladder was given for it: its place in the notebook, from 1. */
export function cellNumbered(notebook: INotebookModel, number: number): NamedCell | null {
  const cell = [...notebook.cells][number - 1];
  return cell ? namedCell(notebook, cell) : null;
}
