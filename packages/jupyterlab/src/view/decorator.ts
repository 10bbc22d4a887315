// Keeps what the cells show in step with the reports: the panel under the input and the underlined range. Cells that are
// not drawn yet (a long notebook draws what is in view) are decorated when they are.
import type { Cell } from '@jupyterlab/cells';
import type { INotebookModel, INotebookTracker, NotebookPanel } from '@jupyterlab/notebook';
import type { TranslationBundle } from '@jupyterlab/translation';
import type { PanelLayout } from '@lumino/widgets';
import type { Report, Reports } from '../state/reports.js';
import { underline } from './diagnostics.js';
import { CellPanel, type PanelActions } from './panel.js';

/** What a cell shows that was not run is from an earlier run. */
const notRun: ReadonlySet<Report['fate']> = new Set(['held', 'blocked', 'left']);

export class Decorator {
  readonly #panels = new WeakMap<Cell, CellPanel>();
  readonly #watched = new WeakSet<object>();

  constructor(
    tracker: INotebookTracker,
    private readonly reports: Reports,
    private readonly actionsFor: (notebook: INotebookModel, cell: Cell) => PanelActions,
    private readonly trans: TranslationBundle,
  ) {
    reports.changed.connect((_, { notebook, cellId }) => {
      tracker.forEach(({ content }) => {
        if (content.model !== notebook) return;
        const cell = content.widgets.find(({ model }) => model.id === cellId);
        if (cell) this.#decorate(notebook, cell);
      });
    });
    tracker.widgetAdded.connect((_, panel) => this.#watchCells(panel));
  }

  panelOf(cell: Cell): CellPanel | undefined {
    return this.#panels.get(cell);
  }

  /** A moved cell gets a new widget, which must show what the old one did. */
  #watchCells({ content }: NotebookPanel): void {
    const refresh = () => {
      const { model } = content;
      if (model === null) return;
      const known = new Set(this.reports.all(model).map(({ cellId }) => cellId));
      for (const cell of content.widgets) if (known.has(cell.model.id)) this.#decorate(model, cell);
    };
    content.modelContentChanged.connect(() => queueMicrotask(refresh));
  }

  #decorate(notebook: INotebookModel, cell: Cell): void {
    if (cell.isDisposed) return;
    if (cell.isPlaceholder()) {
      void cell.ready.then(() => this.#decorate(notebook, cell));
      return;
    }
    const report = this.reports.of(notebook, cell.model.id);
    const isHeld = report !== undefined && notRun.has(report.fate) && report.verdict.outcome === 'crash';
    cell.toggleClass('grus-held', isHeld);
    const shown = this.#panels.get(cell);
    if (report === undefined) {
      shown?.dispose();
      this.#panels.delete(cell);
      underline(cell, null);
      return;
    }
    const panel = shown ?? this.#insert(notebook, cell);
    panel.present(report);
    underline(cell, report.verdict);
    this.#forgetOnEdit(notebook, cell);
  }

  #insert(notebook: INotebookModel, cell: Cell): CellPanel {
    const panel = new CellPanel(this.actionsFor(notebook, cell), this.trans);
    const layout = cell.layout as PanelLayout;
    const input = layout.widgets.findIndex(({ node }) => node.classList.contains('jp-Cell-inputWrapper'));
    layout.insertWidget(input + 1, panel);
    this.#panels.set(cell, panel);
    return panel;
  }

  /** An edited cell is another cell: what was said about it no longer holds. */
  #forgetOnEdit(notebook: INotebookModel, cell: Cell): void {
    const { sharedModel, id } = cell.model;
    if (this.#watched.has(sharedModel)) return;
    this.#watched.add(sharedModel);
    sharedModel.changed.connect((_, change) => {
      if (!('sourceChange' in change) || change.sourceChange === undefined) return;
      this.reports.of(notebook, id)?.answer?.('leave');
      this.reports.remove(notebook, id);
    });
  }
}
