// A held cell cannot be missed: it comes into view with the focus on the safe choice, the tab is marked, and where the notebook
// is not in front, a notification leads to it.
import { Notification } from '@jupyterlab/apputils';
import type { Cell } from '@jupyterlab/cells';
import type { INotebookModel, INotebookTracker, NotebookPanel } from '@jupyterlab/notebook';
import type { TranslationBundle } from '@jupyterlab/translation';
import type { Report, Reports } from '../state/reports.js';
import type { Decorator } from './decorator.js';

export interface AttentionParts {
  readonly tracker: INotebookTracker;
  readonly reports: Reports;
  readonly decorator: Decorator;
  readonly trans: TranslationBundle;
  /** Brings a notebook to the front. */
  reveal(panel: NotebookPanel): void;
  goTo(cellId: string, panel: NotebookPanel): Promise<Cell | null>;
  interrupt(notebook: INotebookModel, cellId: string): void;
}

const mark = '⏸ ';
const markedTab = 'grus-held-tab';
const lasting: ReadonlySet<Report['fate']> = new Set(['held', 'blocked', 'foreseen', 'interrupted']);

export class Attention {
  readonly #notifications = new Map<string, string>();

  constructor(private readonly parts: AttentionParts) {
    parts.reports.changed.connect((_, { notebook, cellId }) => {
      const fate = parts.reports.of(notebook, cellId)?.fate;
      parts.tracker.forEach((panel) => {
        if (panel.content.model !== notebook) return;
        this.#markTab(panel, notebook);
        if (fate === 'held' || fate === 'blocked') void this.#show(panel, cellId);
        if (fate === 'foreseen' || fate === 'interrupted') this.#tell(panel, notebook, cellId, fate);
      });
      if (fate === undefined || !lasting.has(fate)) this.#dismiss(cellId);
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
      actions: [this.#way(panel, cellId)],
    });
    this.#notifications.set(cellId, id);
  }

  /** Nobody is torn away from what he does while a cell runs: what comes is told, and can be ended. */
  #tell(
    panel: NotebookPanel,
    notebook: INotebookModel,
    cellId: string,
    fate: 'foreseen' | 'interrupted',
  ): void {
    const { reports, trans } = this.parts;
    const { exception, line } = reports.of(notebook, cellId)!.verdict;
    const what = `${exception?.type ?? ''} (${trans.__('line %1', line ?? '?')})`;
    this.#dismiss(cellId);
    const go = this.#way(panel, cellId);
    const interrupt = {
      label: trans.__('Interrupt'),
      callback: () => this.parts.interrupt(notebook, cellId),
    };
    const id =
      fate === 'foreseen'
        ? Notification.warning(
            trans.__('The running cell in %1 will crash later: %2.', panel.title.label, what),
            { autoClose: false, actions: [go, interrupt] },
          )
        : Notification.warning(
            trans.__(
              'Grus interrupted a cell in %1 that would have crashed later: %2.',
              panel.title.label,
              what,
            ),
            { autoClose: false, actions: [go] },
          );
    this.#notifications.set(cellId, id);
  }

  #way(panel: NotebookPanel, cellId: string): Notification.IAction {
    return {
      label: this.parts.trans.__('Go to cell'),
      callback: () => {
        this.parts.reveal(panel);
        void this.#bring(panel, cellId);
      },
    };
  }

  async #bring(panel: NotebookPanel, cellId: string): Promise<void> {
    const cell = await this.parts.goTo(cellId, panel);
    if (cell === null) return;
    await cell.ready;
    // Somebody may have gone elsewhere meanwhile.
    if (panel.content.activeCell === cell) this.parts.decorator.panelOf(cell)?.focusFirst();
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

/** Whether somebody is writing in another cell. The empty one that Shift-Enter adds behind the last cell is nobody's work yet. */
function isTyping({ content }: NotebookPanel, cellId: string): boolean {
  const active = content.activeCell?.model;
  return (
    content.mode === 'edit' &&
    active?.id !== cellId &&
    active?.sharedModel.getSource() !== '' &&
    content.node.contains(document.activeElement)
  );
}
