// The side panel: what was found in the current notebook, in the order of its cells, with a way to each.
import type { INotebookTracker } from '@jupyterlab/notebook';
import type { TranslationBundle } from '@jupyterlab/translation';
import { Widget } from '@lumino/widgets';
import { namedCell } from '../state/cell-names.js';
import type { Report, Reports } from '../state/reports.js';
import { button, element, prose } from './dom.js';
import { grusIcon } from './icon.js';

export class Sidebar extends Widget {
  constructor(
    private readonly tracker: INotebookTracker,
    private readonly reports: Reports,
    private readonly trans: TranslationBundle,
    private readonly goTo: (cellId: string) => void,
  ) {
    super();
    this.id = 'grus-findings';
    this.addClass('grus-sidebar');
    this.title.icon = grusIcon;
    this.title.caption = trans.__('Grus: findings of this notebook');
    this.node.setAttribute('role', 'region');
    this.node.setAttribute('aria-label', this.title.caption);
    tracker.currentChanged.connect(this.#draw, this);
    reports.changed.connect(this.#draw, this);
    this.#draw();
  }

  #draw(): void {
    const notebook = this.tracker.currentWidget?.content.model;
    const found = notebook ? this.reports.all(notebook) : [];
    const heading = element('h2', 'grus-sidebar-title', this.trans.__('Predicted crashes'));
    if (!notebook || found.length === 0) {
      this.node.replaceChildren(heading, prose('p', 'grus-nothing', this.trans.__('Nothing found so far.')));
      return;
    }
    const names = new Map([...notebook.cells].map((cell) => [cell.id, cell]));
    const items = found.map((report) =>
      element('li', '', this.#entry(report, namedCell(notebook, names.get(report.cellId)!).name)),
    );
    this.node.replaceChildren(heading, element('ul', 'grus-findings', ...items));
  }

  #entry({ cellId, verdict, outdated }: Report, name: string): HTMLElement {
    const { type = this.trans.__('No crash found'), message = '' } = verdict.exception ?? {};
    const entry = button('', 'grus-finding', () => this.goTo(cellId));
    const where = verdict.line === null ? name : `${name}, ${this.trans.__('line %1', verdict.line)}`;
    entry.append(
      element('span', 'grus-where', where),
      element('strong', '', message === '' ? type : `${type}: ${message}`),
      prose('span', 'grus-explanation', outdated ?? verdict.explanation),
    );
    return entry;
  }
}
