// Tells a screen reader what appeared in the notebook, without moving the focus.
import { element } from './dom.js';

export class Announcer {
  readonly #region = element('div', 'grus-announcer');

  constructor() {
    this.#region.setAttribute('role', 'alert');
    this.#region.setAttribute('aria-live', 'assertive');
    document.body.append(this.#region);
  }

  say(text: string): void {
    this.#region.textContent = text;
  }
}
