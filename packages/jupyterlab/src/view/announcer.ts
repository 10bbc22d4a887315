// Tells a screen reader what appeared in the notebook, without moving the focus.
import { element } from './dom.js';

export class Announcer {
  readonly #region = element('div', 'grus-announcer');

  constructor() {
    this.#region.setAttribute('role', 'status');
    this.#region.setAttribute('aria-live', 'polite');
    document.body.append(this.#region);
  }

  say(text: string): void {
    this.#region.textContent = text;
  }
}
