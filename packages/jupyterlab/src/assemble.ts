// Puts the parts together: state, ladder, gate and views.
import { snapshotRequestType } from '@grus/kernel';
import type { JupyterFrontEnd } from '@jupyterlab/application';
import type { ICommandPalette } from '@jupyterlab/apputils';
import type { INotebookCellExecutor, INotebookTracker, NotebookPanel } from '@jupyterlab/notebook';
import type { TranslationBundle } from '@jupyterlab/translation';
import { Actions } from './actions.js';
import { addCommands, type CommandParts, goToFinding } from './commands.js';
import { Ahead } from './gate/ahead.js';
import { Checker } from './gate/checker.js';
import { Climber } from './gate/climb.js';
import { GatedExecutor } from './gate/executor.js';
import { Gate } from './gate/gate.js';
import { Attachment } from './guard/attachment.js';
import { Guards } from './guard/guards.js';
import { lookRequestType, planRequestType, stoppedRequestType } from './guard/protocol.js';
import { Kernels } from './kernel/kernels.js';
import { leaveUntracked } from './kernel/untracked.js';
import { ServerPart } from './server/server-part.js';
import { followSessions } from './sessions.js';
import { Settings } from './settings/settings.js';
import { Activities } from './state/activity.js';
import { keepReports } from './state/kept.js';
import { Outcomes } from './state/outcomes.js';
import { Reports } from './state/reports.js';
import { Runs } from './state/runs.js';
import { Announcer } from './view/announcer.js';
import { Attention } from './view/attention.js';
import { Decorator } from './view/decorator.js';
import { ModeSelect } from './view/mode-select.js';
import { Sidebar } from './view/sidebar.js';
import { StatusItem } from './view/status.js';

export interface Surroundings {
  readonly app: JupyterFrontEnd;
  readonly tracker: INotebookTracker;
  /** Whichever executor won: ours, or that of another extension. */
  readonly executor: INotebookCellExecutor;
  readonly palette: ICommandPalette | null;
  readonly trans: TranslationBundle;
}

export function assemble({ app, tracker, executor, palette, trans }: Surroundings) {
  const untracked = [snapshotRequestType, planRequestType, lookRequestType, stoppedRequestType];
  for (const type of untracked) leaveUntracked(type);
  const settings = new Settings();
  const kernels = new Kernels();
  const runs = new Runs();
  const reports = new Reports();
  const activities = new Activities();
  const server = new ServerPart();
  const outcomes = new Outcomes(activities, reports);
  const attachment = new Attachment(server);
  const guards = new Guards({
    ...{ kernels, settings, runs, attachment, showing: outcomes },
    isKnown: (target) => ahead.isBeside(target),
  });
  void server.status();
  const checker = new Checker(kernels, runs, settings);
  const ahead: Ahead = new Ahead({
    tracker,
    kernels,
    checker,
    settings,
    looksBeside: (target, mode) => guards.look(target, mode),
    isBusy: (connection) => !gate.lane(connection).free,
  });
  const climber = new Climber(checker, ahead, server, settings, runs);
  const gate: Gate = new Gate({
    kernels,
    settings,
    reports,
    activities,
    outcomes,
    guarded: (options, target, mode) => guards.admit(options, target, mode),
    alreadyQuiet: (target) => climber.alreadyQuiet(target),
    check: (target) => climber.beforeRun(target),
  });
  const gating = executor instanceof GatedExecutor;
  if (gating) executor.install(gate);

  const actions = new Actions({ tracker, settings, reports, activities, checker, climber, server, trans });
  const decorator = new Decorator(
    tracker,
    reports,
    (model, cell) => actions.panelActions(model, cell),
    trans,
  );
  new Attention({
    tracker,
    reports,
    decorator,
    trans,
    reveal: (panel) => app.shell.activateById(panel.id),
    goTo: (cellId, panel) => actions.goTo(cellId, panel),
    interrupt: (notebook, cellId) => void actions.interrupt(notebook, cellId),
  });
  const sidebar = new Sidebar(tracker, reports, trans, (cellId) => void actions.goTo(cellId));
  app.shell.add(sidebar, 'right', { rank: 900, type: 'Grus' });
  announce(reports, trans);
  keepReports(tracker, reports, trans.__('Said before the notebook was opened again.'));
  followSessions({
    tracker,
    kernels,
    runs,
    reports,
    activities,
    settings,
    gate,
    server,
    guards: gating ? guards : null,
    ahead: gating ? ahead : null,
    trans,
  });

  const commandParts: CommandParts = {
    app,
    palette,
    tracker,
    actions,
    reports,
    decorator,
    settings,
    sidebar,
    gating,
    trans,
  };
  addCommands(commandParts);
  const status = new StatusItem({
    tracker,
    settings,
    activities,
    gating,
    trans,
    judgedInPage: ({ sessionContext }) => {
      const connection = sessionContext.session?.kernel;
      if (!connection || guards.attached(connection)) return '';
      return settings.beside && !server.known?.guard
        ? trans.__("Cells are judged in this page: the server's part of Grus, or its Node, is missing.")
        : trans.__('Cells are judged in this page, not beside the kernel.');
    },
    onClick: () => void goToFinding(commandParts),
  });
  return { settings, status, modeSelect: (panel: NotebookPanel) => new ModeSelect(panel, settings, trans) };
}

function announce(reports: Reports, trans: TranslationBundle): void {
  const announcer = new Announcer();
  reports.changed.connect((_, { notebook, cellId }) => {
    const report = reports.of(notebook, cellId);
    if (report === undefined || report.verdict.outcome !== 'crash' || report.outdated !== null) return;
    const { explanation } = report.verdict;
    if (report.fate === 'held') announcer.say(trans.__('Cell held. %1', explanation));
    else if (report.fate === 'blocked') announcer.say(trans.__('Cell not run. %1', explanation));
    else if (report.fate === 'foreseen')
      announcer.say(trans.__('The running cell will crash. %1', explanation));
    else if (report.fate === 'interrupted') announcer.say(trans.__('Cell interrupted. %1', explanation));
    else if (report.fate === 'checked') announcer.say(explanation);
  });
}
