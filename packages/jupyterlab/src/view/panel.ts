// The panel under a cell's input: what would happen, where, why, what to do, and which rung said so.
import type { Finding } from '@grus/core';
import type { TranslationBundle } from '@jupyterlab/translation';
import { Widget } from '@lumino/widgets';
import { isCertain } from '../gate/certain.js';
import type { NamedCell } from '../state/cell-names.js';
import type { Report } from '../state/reports.js';
import { button, element, prose } from './dom.js';

export interface PanelActions {
  applyFix(finding: Finding): void;
  suppress(finding: Finding): void;
  dismiss(): void;
  /** A cell that the verdict speaks of, as a person sees it. */
  cellNumbered(number: number): NamedCell | null;
  goTo(cellId: string): void;
  /** Ids of the code cells in front of this one. */
  above(): readonly string[];
  interrupt(): void;
  /** Runs these cells one after the other, in place of whatever waits. */
  runThese(cellIds: readonly string[]): void;
}

export class CellPanel extends Widget {
  #report: Report | null = null;

  constructor(
    private readonly actions: PanelActions,
    private readonly trans: TranslationBundle,
  ) {
    super({ node: element('section', 'grus-panel') });
    this.node.setAttribute('role', 'group');
    // Keys pressed on a button of the panel are not commands for the notebook.
    this.node.addEventListener('keydown', (event) => {
      if (event.key === 'Enter' || event.key === ' ') event.stopPropagation();
      if (event.key !== 'Escape') return;
      event.stopPropagation();
      if (this.#report?.answer) this.#report.answer('leave');
      else this.actions.dismiss();
    });
  }

  present(report: Report): void {
    const { verdict, fate } = report;
    this.#report = report;
    const open = this.node.querySelector('details')?.open ?? false;
    this.node.dataset['outcome'] = verdict.outcome;
    this.node.dataset['fate'] = fate;
    this.node.dataset['certain'] = String(isCertain(verdict));
    this.node.setAttribute('aria-label', this.trans.__('Grus: %1', this.#title(report)));
    this.node.replaceChildren(
      this.#head(report),
      prose('p', 'grus-explanation', verdict.explanation),
      ...(verdict.remedy ? [prose('p', 'grus-remedy', verdict.remedy)] : []),
      ...this.#needed(report),
      ...(report.outdated === null ? [] : [prose('p', 'grus-outdated', report.outdated)]),
      this.#buttons(report),
      this.#why(report, open),
    );
  }

  focusFirst(): void {
    this.node.querySelector<HTMLElement>('.grus-actions button')?.focus();
  }

  #title({ verdict }: Report): string {
    if (verdict.outcome === 'ok') return this.trans.__('It runs: a copy of the kernel ran it to its end');
    if (verdict.outcome !== 'crash')
      return this.trans.__('No certain crash found, and no proof that it runs');
    const { type = '', message = '' } = verdict.exception ?? {};
    return message === '' ? type : `${type}: ${message}`;
  }

  #head(report: Report): HTMLElement {
    const { verdict } = report;
    const line =
      verdict.line === null ? [] : [element('span', 'grus-line', this.trans.__('line %1', verdict.line))];
    const close = button('×', 'grus-dismiss', () => this.actions.dismiss());
    close.setAttribute('aria-label', this.trans.__('Dismiss'));
    return element(
      'div',
      'grus-head',
      element('span', 'grus-fate', this.#fate(report)),
      element('strong', 'grus-title', this.#title(report)),
      ...line,
      element('span', 'grus-rung', verdict.rung ?? ''),
      ...(report.answer === null ? [close] : []),
    );
  }

  #fate({ fate, verdict }: Report): string {
    if (verdict.outcome !== 'crash') return this.trans.__('Checked');
    switch (fate) {
      case 'held':
        return this.trans.__('Held: would crash');
      case 'blocked':
        return this.trans.__('Not run: would crash');
      case 'left':
        return this.trans.__('Not run');
      case 'ran':
        return this.trans.__('Crash predicted');
      case 'checked':
        return this.trans.__('Would crash');
      case 'foreseen':
        return this.trans.__('Running: will crash');
      case 'interrupted':
        return this.trans.__('Interrupted: would have crashed');
    }
  }

  #buttons(report: Report): HTMLElement {
    const { answer, verdict } = report;
    const [finding] = verdict.findings;
    const made: HTMLElement[] = [];
    if (answer !== null) {
      made.push(
        button(this.trans.__("Don't run"), 'grus-leave', () => answer('leave')),
        button(this.trans.__('Run anyway'), 'grus-run', () => answer('run')),
      );
    }
    if (report.fate === 'foreseen')
      made.push(button(this.trans.__('Interrupt'), 'grus-interrupt', () => this.actions.interrupt()));
    const edit = finding?.edit ?? (finding?.proposed?.ran ? finding.proposed : undefined);
    if (finding && edit) {
      const label = answer === null ? this.trans.__('Apply fix') : this.trans.__('Apply fix and run');
      const fix = button(label, 'grus-fix', () => this.actions.applyFix(finding));
      fix.title = edit.title;
      made.push(fix);
    }
    made.push(...this.#others(report));
    made.push(button(this.trans.__('Show why'), 'grus-show-why', () => this.#toggleWhy()));
    if (finding && isCertain(verdict))
      made.push(button(this.trans.__('Ignore…'), 'grus-ignore', () => this.actions.suppress(finding)));
    return element('div', 'grus-actions', ...made);
  }

  /** The cell that must run first, as a link. */
  #needed({ verdict }: Report): HTMLElement[] {
    const needed = this.#neededCell(verdict);
    if (needed === null) return [];
    const link = button(needed.name, 'grus-link', () => this.actions.goTo(needed.id));
    return [element('p', 'grus-needed', this.trans.__('First:'), ' ', link)];
  }

  #neededCell({ findings }: Report['verdict']): NamedCell | null {
    const number = findings[0]?.needs;
    return number === undefined ? null : this.actions.cellNumbered(number);
  }

  /** Runs of other cells that help: the one that must run first, and those that were not run behind this one. */
  #others({ cellId, verdict, behind, answer }: Report): HTMLElement[] {
    const needed = this.#neededCell(verdict);
    const made: HTMLElement[] = [];
    if (needed !== null)
      made.push(
        button(this.trans.__('Run that cell first'), 'grus-run-first', () =>
          this.actions.runThese([needed.id, cellId, ...behind]),
        ),
        button(this.trans.__('Run all above first'), 'grus-run-above', () =>
          this.actions.runThese([...this.actions.above(), cellId, ...behind]),
        ),
      );
    if (behind.length > 0 && answer === null)
      made.push(
        button(
          this.trans._n('Run the cell behind it', 'Run the %1 cells behind it', behind.length),
          'grus-run-behind',
          () => this.actions.runThese(behind),
        ),
      );
    return made;
  }

  #why({ verdict }: Report, open: boolean): HTMLElement {
    const evidence = verdict.evidence.map(({ fact, source }) => prose('li', '', `${fact} (${source})`));
    const rungs = verdict.rungs.map(({ rung, outcome, ms, abstained_because: why }) =>
      prose('li', '', `${rung}: ${outcome}, ${ms} ms${why ? ` — ${why}` : ''}`),
    );
    const check = verdict.findings[0]?.check;
    const details = element(
      'details',
      'grus-why',
      element(
        'summary',
        '',
        verdict.outcome === 'crash' ? this.trans.__('Evidence') : this.trans.__('What was looked at'),
      ),
      element('ul', 'grus-evidence', ...evidence),
      element('ul', 'grus-rungs', ...rungs),
      ...(check ? [element('p', 'grus-check', check)] : []),
    );
    // Whoever asked about a cell that is not said to crash wants to know what was looked at.
    details.open = open || verdict.outcome !== 'crash';
    return details;
  }

  #toggleWhy(): void {
    const details = this.node.querySelector('details');
    if (details) details.open = !details.open;
  }
}
