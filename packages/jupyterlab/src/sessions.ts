// Follows the kernels of the open notebooks: a fresh kernel gets the agent while it is idle, and a restarted one has
// forgotten everything.
import type { INotebookModel, INotebookTracker, NotebookPanel } from '@jupyterlab/notebook';
import type { Kernel as Lab } from '@jupyterlab/services';
import type { TranslationBundle } from '@jupyterlab/translation';
import type { Ahead } from './gate/ahead.js';
import type { Gate } from './gate/gate.js';
import type { Guards } from './guard/guards.js';
import type { Kernels } from './kernel/kernels.js';
import type { ServerPart } from './server/server-part.js';
import { notebookMode } from './settings/mode.js';
import type { Settings } from './settings/settings.js';
import type { Activities } from './state/activity.js';
import type { Reports } from './state/reports.js';
import type { Runs } from './state/runs.js';

export interface SessionParts {
  readonly tracker: INotebookTracker;
  readonly kernels: Kernels;
  readonly runs: Runs;
  readonly reports: Reports;
  readonly activities: Activities;
  readonly settings: Settings;
  readonly gate: Gate;
  readonly server: ServerPart;
  /** Null where another extension runs the cells. */
  readonly guards: Guards | null;
  /** Null where another extension runs the cells: nobody would profit. */
  readonly ahead: Ahead | null;
  readonly trans: TranslationBundle;
}

export function followSessions(parts: SessionParts): void {
  const follow = (panel: NotebookPanel) => {
    const { sessionContext } = panel;
    sessionContext.kernelChanged.connect((_, { oldValue }) => {
      if (oldValue) afresh(parts, panel, oldValue);
    });
    sessionContext.statusChanged.connect((_, status) => {
      const connection = sessionContext.session?.kernel;
      if (!connection) return;
      if (status === 'restarting' || status === 'autorestarting') afresh(parts, panel, connection);
      if (status === 'idle') void equip(parts, panel, connection);
    });
    void sessionContext.ready.then(() => {
      const connection = sessionContext.session?.kernel;
      if (connection?.status === 'idle') void equip(parts, panel, connection);
    });
  };
  parts.tracker.widgetAdded.connect((_, panel) => follow(panel));
  parts.tracker.forEach(follow);
}

function afresh(
  parts: SessionParts,
  { content: { model } }: NotebookPanel,
  connection: Lab.IKernelConnection,
) {
  parts.kernels.forget(connection);
  parts.guards?.forget(connection);
  parts.gate.lane(connection).clear();
  if (model === null) return;
  parts.runs.forget(model);
  parts.reports.outdate(model, parts.trans.__('The kernel was restarted since.'));
  parts.activities.set(model, { state: 'ready' });
}

/** Kernels that this page has asked what they held before it was there. */
const askedOnce = new WeakSet<Lab.IKernelConnection>();

async function equip(
  parts: SessionParts,
  { content: { model } }: NotebookPanel,
  connection: Lab.IKernelConnection,
): Promise<void> {
  const { kernels, guards, settings, server, ahead } = parts;
  const mode = (model && notebookMode(model)) ?? settings.mode;
  if (mode === 'off') return;
  try {
    await Promise.all([server.status(), kernels.get(connection)]);
    if (connection.isDisposed) return;
    const guarded = guards?.attach(connection) ?? false;
    // With the agent a check on command can be answered while a cell is running.
    await kernels.equip(connection);
    ahead?.follow(connection);
    if (guarded && model && guards && !askedOnce.has(connection)) {
      askedOnce.add(connection);
      await tellStopped(parts, guards, model, connection);
    }
  } catch (error) {
    console.warn('Grus: no agent yet:', error);
  }
}

/** A page that was loaded anew learns what was held meanwhile, and which cells were not run. */
async function tellStopped(
  { reports }: SessionParts,
  guards: Guards,
  notebook: INotebookModel,
  connection: Lab.IKernelConnection,
): Promise<void> {
  const isNews = () => reports.all(notebook).every(({ outdated }) => outdated !== null);
  if (!isNews()) return;
  const stopped = await guards.stopped(connection);
  const ids = new Set([...notebook.cells].map(({ id }) => id));
  if (stopped === null || !ids.has(stopped.cell) || !isNews()) return;
  const behind = stopped.behind.filter((id) => ids.has(id));
  const { cell: cellId, verdict } = stopped;
  reports.set(notebook, { cellId, verdict, fate: 'left', answer: null, behind, outdated: null });
}
