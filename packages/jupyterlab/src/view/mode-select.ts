// The choice in the notebook's toolbar: what happens before a crash in this notebook.
import type { NotebookPanel } from '@jupyterlab/notebook';
import type { TranslationBundle } from '@jupyterlab/translation';
import { Widget } from '@lumino/widgets';
import { isMode, modes, notebookMode, setNotebookMode } from '../settings/mode.js';
import type { Settings } from '../settings/settings.js';
import { element } from './dom.js';

const followUser = 'default';

export class ModeSelect extends Widget {
  readonly #select = element('select', 'grus-mode');

  constructor(
    private readonly panel: NotebookPanel,
    private readonly settings: Settings,
    private readonly trans: TranslationBundle,
  ) {
    super();
    this.addClass('grus-mode-item');
    this.node.append(this.#select);
    this.#select.setAttribute('aria-label', trans.__('Grus: what to do before a crash'));
    this.#select.title = trans.__('What Grus does before a cell that would crash, in this notebook');
    this.#select.addEventListener('change', () => {
      const { model } = panel.content;
      const { value } = this.#select;
      if (model) setNotebookMode(model, isMode(value) ? value : null);
      settings.changed.emit();
      panel.content.activate();
    });
    settings.changed.connect(this.#draw, this);
    void panel.context.ready.then(() => {
      if (this.isDisposed) return;
      panel.content.model?.metadataChanged.connect(this.#draw, this);
      this.#draw();
    });
    this.#draw();
  }

  #draw(): void {
    const { model } = this.panel.content;
    const names = {
      off: this.trans.__('Grus: off'),
      warn: this.trans.__('Grus: warn'),
      ask: this.trans.__('Grus: ask'),
      block: this.trans.__('Grus: block'),
    };
    const options = modes.map((mode) => new Option(names[mode], mode));
    const usual = new Option(this.trans.__('%1 (default)', names[this.settings.mode]), followUser);
    this.#select.replaceChildren(usual, ...options);
    this.#select.value = (model && notebookMode(model)) ?? followUser;
  }
}
