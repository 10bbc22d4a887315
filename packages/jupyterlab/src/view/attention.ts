// A held cell cannot be missed: it comes into view with the focus on the safe choice, the tab is marked, and where the notebook
// is not in front, a notification leads to it.
import { Notification } from '@jupyterlab/apputils';
import type { Cell } from '@jupyterlab/cells';
import type { INotebookModel, INotebookTracker, NotebookPanel } from '@jupyterlab/notebook';
import type { TranslationBundle } from '@jupyterlab/translation';
import type { Reports } from '../state/reports.js';
import type { Decorator } from './decorator.js';

export interface AttentionParts {
  readonly tracker: INotebookTracker;
  readonly reports: Reports;
  readonly decorator: Decorator;
  readonly trans: TranslationBundle;
  goTo(cellId: string, panel: NotebookPanel): Promise<Cell | null>;
}

const mark = '⏸ ';
const markedTab = 'grus-held-tab';

export class Attention {
  readonly #notifications = new Map<string, string>();

  constructor(private readonly parts: AttentionParts) {
    parts.reports.changed.connect((_, { notebook, cellId }) => {
      const fate = parts.reports.of(notebook, cellId)?.fate;
      parts.tracker.forEach((panel) => {
        if (panel.content.model !== notebook) return;
        this.#markTab(panel, notebook);
        if (fate === 'held' || fate === 'blocked') void this.#show(panel, cellId);
      });
      if (fate !== 'held' && fate !== 'blocked') this.#dismiss(cellId);
    });
  }

  async #show(panel: NotebookPanel, cellId: string): Promise<void> {
    const { tracker, trans } = this.parts;
    if (panel.isVisible && tracker.currentWidget === panel && !document.hidden && !isTyping(panel, cellId)) {
      await this.#bring(panel, cellId);
      return;
    }
    if (this.#notifications.has(cellId)) return;
    const text = trans.__('Grus held a cell in %1: it would crash.', panel.title.label);
    const id = Notification.warning(text, {
      autoClose: false,
      actions: [{ label: trans.__('Go to cell'), callback: () => void this.#bring(panel, cellId) }],
    });
    this.#notifications.set(cellId, id);
  }

  async #bring(panel: NotebookPanel, cellId: string): Promise<void> {
    const cell = await this.parts.goTo(cellId, panel);
    if (cell === null) return;
    await cell.ready;
    this.parts.decorator.panelOf(cell)?.focusFirst();
  }

  #dismiss(cellId: string): void {
    const id = this.#notifications.get(cellId);
    if (id === undefined) return;
    this.#notifications.delete(cellId);
    Notification.dismiss(id);
  }

  /** The tab by a class, never by its label: JupyterLab renames the file when the label changes. And the window's title. */
  #markTab({ title }: NotebookPanel, notebook: INotebookModel): void {
    const held = this.parts.reports.all(notebook).some(({ answer }) => answer !== null);
    const classes = title.className.split(' ').filter((name) => name !== '');
    if (classes.includes(markedTab) === held) return;
    title.className = (held ? [...classes, markedTab] : classes.filter((name) => name !== markedTab)).join(
      ' ',
    );
    document.title = held ? `${mark}${document.title}` : document.title.replace(mark, '');
  }
}

/** Whether somebody is writing in another cell. */
function isTyping({ content }: NotebookPanel, cellId: string): boolean {
  return (
    content.mode === 'edit' &&
    content.activeCell?.model.id !== cellId &&
    content.node.contains(document.activeElement)
  );
}
