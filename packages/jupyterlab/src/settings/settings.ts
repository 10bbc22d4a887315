// The user's settings as the rest of the extension reads them. Until they are loaded, and for values that are not
// understood, the defaults hold.
import { type RedactionLevel, redactionLevels } from '@grus/core';
import type { RungName } from '@grus/notebook';
import type { ISettingRegistry } from '@jupyterlab/settingregistry';
import { Signal } from '@lumino/signaling';
import { isMode, type Mode } from './mode.js';

export type DryChoice = 'never' | 'background' | 'auto' | 'always';

export class Settings {
  readonly changed = new Signal<this, void>(this);
  #loaded: ISettingRegistry.ISettings | undefined;

  use(loaded: ISettingRegistry.ISettings): void {
    this.#loaded = loaded;
    loaded.changed.connect(() => this.changed.emit());
    this.changed.emit();
  }

  get mode(): Mode {
    const mode = this.#read('mode');
    return isMode(mode) ? mode : 'ask';
  }

  setMode(mode: Mode): Promise<void> {
    return this.#loaded?.set('mode', mode) ?? Promise.resolve();
  }

  /** Milliseconds that a check may hold a cell back. */
  get budget(): number {
    const budget = this.#read('budget');
    return typeof budget === 'number' && budget > 0 ? budget : 1_000;
  }

  /** Whether cells are judged in a process beside the kernel, where that is possible. */
  get beside(): boolean {
    return this.#read('beside') !== false;
  }

  /** Whether the active cell is checked before Run is pressed. */
  get ahead(): boolean {
    return this.#read('ahead') !== false;
  }

  get rungs(): RungName[] {
    const rungs = this.#strings('rungs') ?? ['names', 'contracts'];
    return rungs.filter((rung): rung is RungName => rung === 'names' || rung === 'contracts');
  }

  /** Whether checks speak whose false alarms were not counted yet. */
  get preview(): boolean {
    return this.#read('preview') === true;
  }

  get dryRun(): DryChoice {
    const dry = this.#read('dryRun');
    return dry === 'never' || dry === 'auto' || dry === 'always' ? dry : 'background';
  }

  /** Whether cells wait for a dry run before they run. */
  get waitsForDryRun(): boolean {
    return this.dryRun === 'auto' || this.dryRun === 'always';
  }

  /** Seconds that a dry run may take. */
  get dryBudget(): number {
    const budget = this.#read('dryBudget');
    return typeof budget === 'number' && budget > 0 ? budget : 10;
  }

  get model(): string {
    return String(this.#read('model') ?? '').trim();
  }

  get redaction(): RedactionLevel {
    const wanted = this.#read('redaction');
    return redactionLevels.find((level) => level === wanted) ?? 'statistics';
  }

  /** Whether what a model proposes may be run in a copy of the kernel. */
  get verifyFix(): boolean {
    return this.#read('verifyFix') === true;
  }

  /** Checks that this user never wants to hear. */
  get ignore(): string[] {
    return this.#strings('ignore') ?? [];
  }

  ignoreEverywhere(check: string): Promise<void> {
    return this.#loaded?.set('ignore', [...new Set([...this.ignore, check])]) ?? Promise.resolve();
  }

  #read(key: string): unknown {
    return this.#loaded?.get(key).composite;
  }

  #strings(key: string): string[] | undefined {
    const value = this.#read(key);
    return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : undefined;
  }
}
