// What Grus is doing or last did in a notebook, in the words of the status bar.
import type { INotebookModel } from '@jupyterlab/notebook';
import { Signal } from '@lumino/signaling';

export type Activity =
  | { readonly state: 'ready' }
  | { readonly state: 'checking' }
  | { readonly state: 'quiet'; readonly ms: number }
  | { readonly state: 'crash'; readonly ms: number; readonly cellId: string; readonly held: boolean }
  /** Nothing was found in a cell that then raised. */
  | { readonly state: 'unforeseen' }
  | { readonly state: 'late'; readonly ms: number }
  | { readonly state: 'failed'; readonly message: string }
  | { readonly state: 'unsupported'; readonly message: string };

export class Activities {
  readonly changed = new Signal<this, INotebookModel>(this);
  readonly #notebooks = new WeakMap<INotebookModel, Activity>();

  of(notebook: INotebookModel): Activity {
    return this.#notebooks.get(notebook) ?? { state: 'ready' };
  }

  set(notebook: INotebookModel, activity: Activity): void {
    this.#notebooks.set(notebook, activity);
    this.changed.emit(notebook);
  }
}
