// The commands of the palette, the menus and the keyboard.
import type { JupyterFrontEnd } from '@jupyterlab/application';
import type { ICommandPalette } from '@jupyterlab/apputils';
import type { INotebookTracker } from '@jupyterlab/notebook';
import type { TranslationBundle } from '@jupyterlab/translation';
import type { Actions } from './actions.js';
import { isMode, modes, setNotebookMode } from './settings/mode.js';
import type { Settings } from './settings/settings.js';
import type { Reports } from './state/reports.js';
import type { Decorator } from './view/decorator.js';
import type { Sidebar } from './view/sidebar.js';

export interface CommandParts {
  readonly app: JupyterFrontEnd;
  readonly palette: ICommandPalette | null;
  readonly tracker: INotebookTracker;
  readonly actions: Actions;
  readonly reports: Reports;
  readonly decorator: Decorator;
  readonly settings: Settings;
  readonly sidebar: Sidebar;
  /** Whether Run itself asks Grus. */
  readonly gating: boolean;
  readonly trans: TranslationBundle;
}

export function addCommands(parts: CommandParts): void {
  const { app, palette, actions, trans } = parts;
  const { commands } = app;
  const onCell = (
    id: string,
    label: string,
    run: (target: NonNullable<ReturnType<Actions['target']>>) => unknown,
  ) =>
    add(id, label, () => {
      const target = actions.target();
      return target === null ? undefined : run(target);
    });
  const add = (id: string, label: string, execute: () => unknown) => {
    commands.addCommand(id, { label, execute, isEnabled: () => parts.tracker.currentWidget !== null });
    palette?.addItem({ command: id, category: 'Grus' });
  };

  onCell('grus:check', trans.__('Check the cell with Grus'), (target) => actions.checkByHand(target));
  add('grus:check-notebook', trans.__('What would Run All hit? (Grus)'), () => {
    const panel = parts.tracker.currentWidget;
    return panel ? actions.rehearse(panel) : undefined;
  });
  onCell('grus:check-and-run', trans.__('Check and run the cell with Grus'), (target) => {
    const run = () => commands.execute('notebook:run-cell');
    return parts.gating ? run() : actions.checkAndRun(target, run);
  });
  onCell('grus:dry-run', trans.__('Run the cell in a copy of the kernel (Grus)'), (target) =>
    actions.dryRun(target),
  );
  onCell('grus:ask-model', trans.__('Ask the model about the cell (Grus)…'), (target) =>
    actions.askModel(target),
  );
  onCell('grus:run-anyway', trans.__('Run the held cell anyway'), ({ notebook, cell }) =>
    parts.reports.of(notebook, cell.id)?.answer?.('run'),
  );
  onCell('grus:leave', trans.__("Don't run the held cell"), ({ notebook, cell }) =>
    parts.reports.of(notebook, cell.id)?.answer?.('leave'),
  );
  add('grus:go-to-finding', trans.__('Go to the held cell or the first finding'), () => goToFinding(parts));
  add('grus:show-findings', trans.__('Show the findings of Grus'), () =>
    app.shell.activateById(parts.sidebar.id),
  );
  addModes(parts);
}

export async function goToFinding({ tracker, reports, actions, decorator }: CommandParts): Promise<void> {
  const notebook = tracker.currentWidget?.content.model;
  if (!notebook) return;
  const found = reports.all(notebook);
  const chosen = found.find(({ answer }) => answer !== null) ?? found[0];
  const cell = chosen && (await actions.goTo(chosen.cellId));
  if (cell) decorator.panelOf(cell)?.focusFirst();
}

function addModes({ app, palette, tracker, settings, trans }: CommandParts): void {
  const names = {
    off: trans.__('off'),
    warn: trans.__('warn'),
    ask: trans.__('ask'),
    block: trans.__('block'),
  };
  app.commands.addCommand('grus:set-mode', {
    label: ({ mode, notebook }) =>
      notebook
        ? trans.__('Before a crash in this notebook: %1', names[mode as keyof typeof names])
        : trans.__('Before a crash: %1', names[mode as keyof typeof names]),
    execute: async ({ mode, notebook }) => {
      if (!isMode(mode)) return;
      const model = tracker.currentWidget?.content.model;
      if (!notebook) await settings.setMode(mode);
      else if (model) setNotebookMode(model, mode);
      settings.changed.emit();
    },
  });
  for (const mode of modes)
    for (const notebook of [false, true])
      palette?.addItem({ command: 'grus:set-mode', args: { mode, notebook }, category: 'Grus' });
}
