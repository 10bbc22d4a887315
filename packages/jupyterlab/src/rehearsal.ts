// "What would Run All hit?": all cells of a notebook, one after the other, in copies of its kernel. Nothing runs in the kernel
// itself; crashes become findings on their cells.
import { Notification } from '@jupyterlab/apputils';
import type { INotebookModel, NotebookPanel } from '@jupyterlab/notebook';
import type { TranslationBundle } from '@jupyterlab/translation';
import { isMeantToFail } from './guard/guarded.js';
import type { RehearsalRequest, Rehearsed } from './ladder/request.js';
import type { ServerPart } from './server/server-part.js';
import type { Activities } from './state/activity.js';
import type { Reports } from './state/reports.js';
import { complain } from './view/dialogs.js';
import { withProgress } from './view/progress.js';

export interface RehearsalParts {
  readonly server: ServerPart;
  readonly reports: Reports;
  readonly activities: Activities;
  readonly trans: TranslationBundle;
  goTo(cellId: string, panel: NotebookPanel): unknown;
}

/** Seconds for all copies together: it can be cancelled. */
const budget = 600;

export async function rehearseNotebook(parts: RehearsalParts, panel: NotebookPanel): Promise<void> {
  const { server, activities, trans } = parts;
  const notebook = panel.content.model;
  const kernelId = panel.sessionContext.session?.kernel?.id;
  if (!notebook || kernelId === undefined) return;
  const cells = codeCells(notebook);
  const cancel = new AbortController();
  const before = activities.of(notebook);
  const shown = {
    text: trans.__('Grus runs the cells in copies of the kernel…'),
    stop: trans.__('Cancel'),
    cancel,
  };
  await withProgress(shown, async (say) => {
    activities.set(notebook, { state: 'checking' });
    try {
      const request: RehearsalRequest = { task: 'rehearse', kernelId, cells, budget };
      const reply = await server.rehearse(request, cancel.signal, (settled) =>
        say(trans.__('Grus runs the cells in copies of the kernel: %1 of %2…', settled, cells.length)),
      );
      if (reply.kind === 'error') await complain(trans.__('Grus'), `${reply.message}. ${reply.advice}`);
      else tell(parts, panel, notebook, reply);
    } catch (error) {
      if (!cancel.signal.aborted) await complain(trans.__('Grus'), error);
    } finally {
      if (activities.of(notebook).state === 'checking') activities.set(notebook, before);
    }
  });
}

function codeCells(notebook: INotebookModel): RehearsalRequest['cells'] {
  return [...notebook.cells].flatMap((cell, index) => {
    const source = cell.sharedModel.getSource();
    if (cell.type !== 'code' || source.trim() === '') return [];
    return [{ id: cell.id, number: index + 1, source, metadata: cell.metadata }];
  });
}

function tell(
  { reports, activities, trans, goTo }: RehearsalParts,
  panel: NotebookPanel,
  notebook: INotebookModel,
  { judged, unjudged }: Rehearsed,
): void {
  const meant = new Set([...notebook.cells].filter(isMeantToFail).map(({ id }) => id));
  const crashes = judged.filter(({ id, verdict }) => verdict.outcome === 'crash' && !meant.has(id));
  for (const { id } of [...judged, ...unjudged]) reports.remove(notebook, id);
  for (const { id: cellId, verdict } of crashes)
    reports.set(notebook, { cellId, verdict, answer: null, fate: 'checked', behind: [], outdated: null });
  const ms = judged.reduce((sum, { verdict }) => sum + verdict.ms, 0);
  const [first] = crashes;
  activities.set(
    notebook,
    first ? { state: 'crash', ms, cellId: first.id, held: false } : { state: 'quiet', ms },
  );
  const open = judged.filter(({ verdict }) => verdict.outcome === 'unknown').length + unjudged.length;
  const found = first
    ? trans._n('Run All would crash in 1 cell.', 'Run All would crash in %1 cells.', crashes.length)
    : trans.__('No cell crashed in copies of the kernel.');
  const left =
    open === 0
      ? ''
      : ` ${trans._n('1 cell is undecided.', '%1 cells are undecided.', open)} ${unjudged[0]?.because ?? ''}`;
  const actions = first
    ? [{ label: trans.__('Go to cell'), callback: () => void goTo(first.id, panel) }]
    : [];
  Notification.emit(`${found}${left}`, first ? 'warning' : 'info', { autoClose: false, actions });
}
