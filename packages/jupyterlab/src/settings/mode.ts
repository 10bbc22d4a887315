// What happens before a crash: chosen by the user for everything, or for one notebook in that notebook's metadata.
import type { INotebookModel } from '@jupyterlab/notebook';

export const modes = ['off', 'warn', 'ask', 'block'] as const;
export type Mode = (typeof modes)[number];

export function isMode(value: unknown): value is Mode {
  return modes.some((mode) => mode === value);
}

/** The notebook's own choice; null when it follows the user's. */
export function notebookMode(notebook: INotebookModel): Mode | null {
  const mode = grusOf(notebook)['mode'];
  return isMode(mode) ? mode : null;
}

export function setNotebookMode(notebook: INotebookModel, mode: Mode | null): void {
  const { mode: _, ...rest } = grusOf(notebook);
  const next = mode === null ? rest : { ...rest, mode };
  if (Object.keys(next).length === 0) notebook.deleteMetadata('grus');
  else notebook.setMetadata('grus', next);
}

function grusOf(notebook: INotebookModel): Record<string, unknown> {
  const grus = notebook.getMetadata('grus');
  return typeof grus === 'object' && grus !== null ? grus : {};
}
