// Decides, cell by cell, who judges: the guard beside the kernel where there is one, and the page itself otherwise.
import type { Kernel as Lab } from '@jupyterlab/services';
import type { Target } from '../gate/checker.js';
import type { RunOptions } from '../gate/executor.js';
import { type Kernels, whyUnsupported } from '../kernel/kernels.js';
import type { Mode } from '../settings/mode.js';
import type { Settings } from '../settings/settings.js';
import type { Runs } from '../state/runs.js';
import type { Attachment } from './attachment.js';
import { Guarded, type Showing } from './guarded.js';
import { type Stopped, stoppedRequestType } from './protocol.js';

export interface GuardParts {
  readonly kernels: Kernels;
  readonly settings: Settings;
  readonly runs: Runs;
  readonly attachment: Attachment;
  readonly showing: Showing;
  /** Whether the guard was shown this cell ahead, and nothing can have run since. */
  isKnown(target: Target): boolean;
}

export class Guards {
  readonly #guarded = new WeakMap<Lab.IKernelConnection, Guarded>();

  constructor(private readonly parts: GuardParts) {}

  /** Null when the kernel has no guard, or cells are to wait for a dry run: then the page judges. */
  admit(options: RunOptions, target: Target, mode: Mode): Promise<boolean> | null {
    if (!this.#judges(target)) return null;
    return this.#of(target.connection).admit(options, target, mode);
  }

  /** Has a cell judged that may be run next; false when the page judges. */
  look(target: Target, mode: Mode): boolean {
    if (!this.#judges(target)) return false;
    this.#of(target.connection).look(target, mode);
    return true;
  }

  #judges({ connection }: Target): boolean {
    return !this.parts.settings.waitsForDryRun && this.attach(connection);
  }

  /** Whether the kernel has the guard, or will have it before the next cell. */
  attach(connection: Lab.IKernelConnection): boolean {
    const { kernels, settings, attachment } = this.parts;
    const kernel = kernels.known(connection);
    if (kernel === null || !settings.beside || whyUnsupported(kernel) !== null) return false;
    return attachment.has(connection);
  }

  /** What was held while no page was there to show it. */
  async stopped(connection: Lab.IKernelConnection): Promise<Stopped | null> {
    const kernel = await this.parts.kernels.get(connection);
    const { content } = await kernel.request(stoppedRequestType, {}, { subshell: 'never' });
    return (content['stopped'] as Stopped | null | undefined) ?? null;
  }

  attached(connection: Lab.IKernelConnection): boolean {
    return this.parts.settings.beside && this.parts.attachment.isThere(connection);
  }

  /** The kernel was restarted or is gone. */
  forget(connection: Lab.IKernelConnection): void {
    this.parts.attachment.forget(connection);
    this.#guarded.get(connection)?.end();
    this.#guarded.delete(connection);
  }

  #of(connection: Lab.IKernelConnection): Guarded {
    const known = this.#guarded.get(connection);
    if (known) return known;
    const { settings, showing, runs } = this.parts;
    const made = new Guarded(connection, settings, showing, runs, (target) => this.parts.isKnown(target));
    this.#guarded.set(connection, made);
    return made;
  }
}
