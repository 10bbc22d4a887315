// The plugins. One provides the executor, and needs nothing, so that cells run whatever becomes of the rest; the other is
// everything that a person sees.
import type { JupyterFrontEnd, JupyterFrontEndPlugin } from '@jupyterlab/application';
import { ICommandPalette, IToolbarWidgetRegistry } from '@jupyterlab/apputils';
import { INotebookCellExecutor, INotebookTracker, type NotebookPanel } from '@jupyterlab/notebook';
import { ISettingRegistry } from '@jupyterlab/settingregistry';
import { IStatusBar } from '@jupyterlab/statusbar';
import { ITranslator, nullTranslator } from '@jupyterlab/translation';
import { assemble } from './assemble.js';
import { GatedExecutor } from './gate/executor.js';
import { cellsRunOnServer } from './gate/others.js';

const pluginId = '@grus/jupyterlab:plugin';

const executor: JupyterFrontEndPlugin<INotebookCellExecutor> = {
  id: '@grus/jupyterlab:executor',
  description: 'Runs notebook cells, past the check of Grus where there is one.',
  autoStart: true,
  provides: INotebookCellExecutor,
  activate: () => new GatedExecutor(),
};

const plugin: JupyterFrontEndPlugin<void> = {
  id: pluginId,
  description: 'Says in a notebook cell that it would crash, before it runs.',
  autoStart: true,
  requires: [INotebookTracker, INotebookCellExecutor],
  optional: [ISettingRegistry, ITranslator, ICommandPalette, IStatusBar, IToolbarWidgetRegistry],
  activate: (
    app: JupyterFrontEnd,
    tracker: INotebookTracker,
    running: INotebookCellExecutor,
    registry: ISettingRegistry | null,
    translator: ITranslator | null,
    palette: ICommandPalette | null,
    statusBar: IStatusBar | null,
    toolbar: IToolbarWidgetRegistry | null,
  ) => {
    const trans = (translator ?? nullTranslator).load('grus');
    const grus = assemble({ app, tracker, executor: running, palette, trans });
    statusBar?.registerStatusItem('grus', { item: grus.status, align: 'right', rank: 900 });
    toolbar?.addFactory<NotebookPanel>('Notebook', 'grus-mode', (panel) => grus.modeSelect(panel));
    registry?.load(pluginId).then(
      (settings) => grus.settings.use(settings),
      (error: unknown) => console.warn('Grus: its settings could not be loaded; the defaults hold.', error),
    );
  },
};

export default cellsRunOnServer() ? [plugin] : [executor, plugin];
