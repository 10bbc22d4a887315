// What a person can do with a cell and its report, behind commands, buttons and the status bar.
import type { Edit, Finding, Verdict } from '@grus/core';
import type { Cell } from '@jupyterlab/cells';
import {
  type INotebookModel,
  type INotebookTracker,
  NotebookActions,
  type NotebookPanel,
} from '@jupyterlab/notebook';
import type { TranslationBundle } from '@jupyterlab/translation';
import { isCertain } from './gate/certain.js';
import type { Checked, Checker, Target } from './gate/checker.js';
import type { Climber } from './gate/climb.js';
import { rehearseNotebook } from './rehearsal.js';
import type { ServerPart } from './server/server-part.js';
import type { Settings } from './settings/settings.js';
import { suppress } from './settings/suppress.js';
import type { Activities } from './state/activity.js';
import { cellNumbered } from './state/cell-names.js';
import type { Reports } from './state/reports.js';
import { askSuppression, askToRun, complain, mayBeSent } from './view/dialogs.js';
import type { PanelActions } from './view/panel.js';
import { withProgress } from './view/progress.js';

export interface ActionParts {
  readonly tracker: INotebookTracker;
  readonly settings: Settings;
  readonly reports: Reports;
  readonly activities: Activities;
  readonly checker: Checker;
  readonly climber: Climber;
  readonly server: ServerPart;
  readonly trans: TranslationBundle;
}

/** A check on command may take its time: nobody waits for the cell to run. */
const patientMs = 10_000;

export class Actions {
  constructor(private readonly parts: ActionParts) {}

  /** The active code cell with its kernel; null when there is none to check. */
  target(): Target | null {
    const panel = this.parts.tracker.currentWidget;
    const cell = this.parts.tracker.activeCell;
    const connection = panel?.sessionContext.session?.kernel;
    const notebook = panel?.content.model;
    if (!notebook || !connection || cell?.model.type !== 'code') return null;
    return { notebook, cell: cell.model, connection };
  }

  /** Climbs the whole ladder where the server can, with progress and a way to cancel; else what the page can do. */
  async checkByHand(target: Target): Promise<void> {
    const { server, climber, trans } = this.parts;
    if (target.connection.status !== 'idle' || !(await server.status()).available) {
      await this.check(target);
      return;
    }
    const cancel = new AbortController();
    const request = climber.request(target, { dry: 'auto', model: 'none' });
    await withProgress(
      {
        text: trans.__('Grus checks the cell, with a dry run in a copy of the kernel…'),
        stop: trans.__('Cancel'),
        cancel,
      },
      () => this.#onServer(target, () => server.climb(request, cancel.signal), cancel.signal),
    );
  }

  /** What Run All would hit, without running anything. */
  rehearse(panel: NotebookPanel): Promise<void> {
    return rehearseNotebook({ ...this.parts, goTo: (cellId, where) => this.goTo(cellId, where) }, panel);
  }

  async check(target: Target): Promise<Checked> {
    this.parts.activities.set(target.notebook, { state: 'checking' });
    const budget = Math.max(patientMs, this.parts.settings.budget);
    const checked = await this.parts.checker.check(target, { budget, whileBusy: true });
    this.#show(target, checked);
    return checked;
  }

  /** Where another extension runs the cells: check, ask in a dialogue, run. */
  async checkAndRun(target: Target, run: () => Promise<unknown>): Promise<void> {
    const checked = await this.check(target);
    const crash = checked.kind === 'verdict' && isCertain(checked.verdict) ? checked.verdict : null;
    if (crash === null || (await askToRun(crash.explanation, this.parts.trans))) await run();
  }

  async dryRun(target: Target): Promise<void> {
    const { climber, server, trans } = this.parts;
    const cancel = new AbortController();
    const request = climber.request(target, { dry: 'always', model: 'none' });
    const shown = {
      text: trans.__('Grus runs the cell in a copy of the kernel…'),
      stop: trans.__('Cancel'),
      cancel,
    };
    await withProgress(shown, () =>
      this.#onServer(target, () => server.climb(request, cancel.signal), cancel.signal),
    );
  }

  /** Nothing is sent before it has been shown, and nothing that comes back is run unless that was agreed to there. */
  async askModel(target: Target): Promise<void> {
    await this.#onServer(target, async () => {
      const { climber, server, settings, trans } = this.parts;
      const request = climber.request(target, { dry: 'never', model: settings.model });
      const shown = await server.climb({ ...request, task: 'show' });
      if (shown.kind !== 'shown') return shown;
      const consent = await mayBeSent(shown, settings.verifyFix, trans);
      return consent && server.climb({ ...request, ...consent });
    });
  }

  panelActions(notebook: INotebookModel, cell: Cell): PanelActions {
    const { reports, settings, trans } = this.parts;
    const { id } = cell.model;
    return {
      applyFix: ({ edit: known, proposed }) => {
        const edit = known ?? proposed;
        if (edit === undefined) return;
        reports.of(notebook, id)?.answer?.('fixed');
        applyEdit(cell, edit);
      },
      suppress: (finding) => void this.#suppress(notebook, cell, finding, settings, trans),
      dismiss: () => reports.remove(notebook, id),
      cellNumbered: (number) => cellNumbered(notebook, number),
      goTo: (cellId) => void this.goTo(cellId),
      above: () => codeCellsAbove(notebook, id),
      interrupt: () => void this.interrupt(notebook, id),
      runThese: (ids) => void this.#runThese(notebook, id, ids),
    };
  }

  /** Gives up on a held cell, and runs these cells instead, in this order. */
  async #runThese(notebook: INotebookModel, heldId: string, ids: readonly string[]): Promise<void> {
    const { reports, tracker } = this.parts;
    const panel = tracker.find(({ content }) => content.model === notebook);
    if (!panel) return;
    reports.of(notebook, heldId)?.answer?.('leave');
    // The held cell is let go of in the next turn.
    await Promise.resolve();
    reports.update(notebook, heldId, { behind: [] });
    const widgets = ids.flatMap((id) => panel.content.widgets.find(({ model }) => model.id === id) ?? []);
    await NotebookActions.runCells(panel.content, widgets, panel.sessionContext);
  }

  /** Ends a cell that is known to crash, while it still runs. */
  async interrupt(notebook: INotebookModel, cellId: string): Promise<void> {
    const { reports, tracker } = this.parts;
    const kernel = tracker.find(({ content }) => content.model === notebook)?.sessionContext.session?.kernel;
    if (reports.of(notebook, cellId)?.fate !== 'foreseen') return;
    reports.update(notebook, cellId, { fate: 'interrupted' });
    await kernel?.interrupt();
  }

  /** Brings a cell into view and makes it the active one. */
  async goTo(
    cellId: string,
    panel: NotebookPanel | null = this.parts.tracker.currentWidget,
  ): Promise<Cell | null> {
    const content = panel?.content;
    const index = content?.widgets.findIndex(({ model }) => model.id === cellId) ?? -1;
    const cell = content?.widgets[index];
    if (!content || !cell) return null;
    content.activeCellIndex = index;
    content.mode = 'command';
    await content.scrollToItem(index, 'smart');
    return cell;
  }

  async #suppress(
    notebook: INotebookModel,
    cell: Cell,
    finding: Finding,
    settings: Settings,
    trans: TranslationBundle,
  ): Promise<void> {
    const wanted = await askSuppression(finding, trans);
    if (wanted === null) return;
    suppress(cell.model, finding.check, wanted.reason);
    if (wanted.everywhere) await settings.ignoreEverywhere(finding.check);
    const report = this.parts.reports.of(notebook, cell.model.id);
    // A held cell is checked again without this check, and goes on when nothing else is found.
    if (report?.answer) report.answer('fixed');
    else this.parts.reports.remove(notebook, cell.model.id);
  }

  async #onServer(
    target: Target,
    ask: () => Promise<Awaited<ReturnType<ServerPart['climb']>> | null>,
    cancelled?: AbortSignal,
  ): Promise<void> {
    const { activities, trans } = this.parts;
    const before = activities.of(target.notebook);
    activities.set(target.notebook, { state: 'checking' });
    try {
      const reply = await ask();
      if (reply?.kind === 'verdict') this.#show(target, { ...reply, ms: reply.verdict.ms, settled: false });
      else activities.set(target.notebook, before);
      if (reply?.kind === 'error') await complain(trans.__('Grus'), `${reply.message}. ${reply.advice}`);
    } catch (error) {
      activities.set(target.notebook, before);
      if (!cancelled?.aborted) await complain(trans.__('Grus'), error);
    }
  }

  #show({ notebook, cell }: Target, checked: Checked): void {
    const { activities, reports } = this.parts;
    if (checked.kind === 'verdict') {
      const { verdict, ms } = checked;
      this.#report(notebook, cell.id, verdict);
      activities.set(
        notebook,
        verdict.outcome === 'crash'
          ? { state: 'crash', ms, cellId: cell.id, held: false }
          : { state: 'quiet', ms },
      );
      return;
    }
    reports.remove(notebook, cell.id);
    activities.set(
      notebook,
      checked.kind === 'late'
        ? { state: 'late', ms: checked.ms }
        : { state: checked.kind, message: checked.message },
    );
  }

  #report(notebook: INotebookModel, cellId: string, verdict: Verdict): void {
    this.parts.reports.set(notebook, {
      cellId,
      verdict,
      answer: null,
      fate: 'checked',
      behind: [],
      outdated: null,
    });
  }
}

function codeCellsAbove(notebook: INotebookModel, cellId: string): string[] {
  const cells = [...notebook.cells];
  const before = cells.slice(
    0,
    cells.findIndex(({ id }) => id === cellId),
  );
  return before.filter(({ type }) => type === 'code').map(({ id }) => id);
}

function applyEdit(cell: Cell, { place, replacement }: Pick<Edit, 'place' | 'replacement'>): void {
  const source = cell.model.sharedModel.getSource();
  const starts = [0];
  for (const line of source.split('\n')) starts.push(starts.at(-1)! + line.length + 1);
  const offset = (line: number, column: number) => (starts[line - 1] ?? source.length) + column;
  cell.model.sharedModel.updateSource(
    offset(place.line, place.column),
    offset(place.endLine, place.endColumn),
    replacement,
  );
}
