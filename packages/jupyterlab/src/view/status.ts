// The item in the status bar: the mode, what Grus last did in this notebook, and what that took.
import type { INotebookTracker, NotebookPanel } from '@jupyterlab/notebook';
import type { TranslationBundle } from '@jupyterlab/translation';
import { Widget } from '@lumino/widgets';
import { notebookMode } from '../settings/mode.js';
import type { Settings } from '../settings/settings.js';
import type { Activities, Activity } from '../state/activity.js';
import { button } from './dom.js';

export interface StatusParts {
  readonly tracker: INotebookTracker;
  readonly settings: Settings;
  readonly activities: Activities;
  /** False when another extension runs the cells. */
  readonly gating: boolean;
  readonly trans: TranslationBundle;
  /** Why the cells of a notebook are judged in the page; empty when they are judged beside the kernel. */
  judgedInPage(panel: NotebookPanel): string;
  onClick(): void;
}

export class StatusItem extends Widget {
  constructor(private readonly parts: StatusParts) {
    super({ node: button('', 'grus-status', () => parts.onClick()) });
    const { tracker, settings, activities } = parts;
    tracker.currentChanged.connect(this.#draw, this);
    tracker.widgetAdded.connect((_, { content, context }) => {
      void context.ready.then(() => {
        content.model?.metadataChanged.connect(this.#draw, this);
        this.#draw();
      });
    });
    settings.changed.connect(this.#draw, this);
    activities.changed.connect(this.#draw, this);
    this.#draw();
  }

  #draw(): void {
    const { tracker, settings, activities, gating, trans } = this.parts;
    const panel = tracker.currentWidget;
    const notebook = panel?.content.model;
    this.setHidden(!notebook);
    if (!notebook || !panel) return;
    const mode = notebookMode(notebook) ?? settings.mode;
    const activity = activities.of(notebook);
    const [text, title] = mode === 'off' ? [trans.__('off'), ''] : this.#words(activity);
    this.node.textContent = `Grus: ${text}`;
    this.node.dataset['state'] = mode === 'off' ? 'off' : activity.state;
    this.node.title = [
      title,
      trans.__('Mode: %1.', mode),
      gating
        ? this.parts.judgedInPage(panel)
        : trans.__('Another extension runs the cells: use "Check and run".'),
    ]
      .filter((line) => line !== '')
      .join('\n');
  }

  #words(activity: Activity): [text: string, title: string] {
    const { trans } = this.parts;
    switch (activity.state) {
      case 'ready':
        return [trans.__('ready'), ''];
      case 'checking':
        return [trans.__('checking…'), ''];
      case 'quiet':
        return [trans.__('nothing found · %1 ms', Math.round(activity.ms)), ''];
      case 'crash': {
        const ms = Math.round(activity.ms);
        return activity.held
          ? [trans.__('cell held · %1 ms', ms), trans.__('Click to go to the cell.')]
          : [trans.__('crash predicted · %1 ms', ms), trans.__('Click to go to the cell.')];
      }
      case 'unforeseen':
        return [trans.__('did not foresee this error'), ''];
      case 'late':
        return [
          trans.__('out of time · cell ran unchecked'),
          trans.__('After %1 ms.', Math.round(activity.ms)),
        ];
      case 'failed':
        return [trans.__('failed · cell ran unchecked'), activity.message];
      case 'unsupported':
        return [trans.__('no check · %1', activity.message), ''];
    }
  }
}
