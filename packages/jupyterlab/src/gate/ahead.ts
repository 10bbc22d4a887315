// Checks the active cell before anybody presses Run, while the kernel has nothing to do, so that a cell that is fine runs
// without any delay. Nothing is shown. What was found holds until something may have run in the kernel, and only a cell
// in which nothing was found profits: a crash is looked at again when Run is pressed.
import { type INotebookTracker, NotebookActions, type NotebookPanel } from '@jupyterlab/notebook';
import type { Kernel as Lab } from '@jupyterlab/services';
import type { Kernels } from '../kernel/kernels.js';
import type { LabKernel } from '../kernel/lab-kernel.js';
import { type Mode, notebookMode } from '../settings/mode.js';
import type { Settings } from '../settings/settings.js';
import { metadataFor } from '../settings/suppress.js';
import type { Checked, Checker, Judged, Target } from './checker.js';

/** Milliseconds to wait for more to happen: people run through cells with the arrow keys, type and drag sliders in bursts. */
const afterRun = 5;
const afterMove = 60;
const afterBurst = 250;

/** Checks between two things that the user does: other extensions run code whenever a kernel has done something. */
const mostUnasked = 3;

interface Entry {
  readonly cell: Target['cell'];
  readonly connection: Lab.IKernelConnection;
  readonly beats: number;
  /** The cell and the settings as they were. */
  readonly question: string;
  /** Null when the guard judges: the kernel knows what came out, and has to be told alone that it still holds. */
  readonly checking: Promise<unknown> | null;
  checked: Checked | null;
}

export interface AheadParts {
  readonly tracker: INotebookTracker;
  readonly kernels: Kernels;
  readonly checker: Checker;
  readonly settings: Settings;
  /** Has the guard beside the kernel judge the cell; false where there is none. */
  looksBeside(target: Target, mode: Mode): boolean;
  /** Whether cells wait for their turn: then what the active cell would meet is not known yet. */
  isBusy(connection: Lab.IKernelConnection): boolean;
}

export class Ahead {
  /** One is enough: the cell that would be run next. */
  #entry: Entry | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #unasked = 0;
  #panel: NotebookPanel | null = null;
  #typedIn: Target['cell']['sharedModel'] | null = null;
  readonly #followed = new WeakMap<Lab.IKernelConnection, LabKernel | null>();

  constructor(private readonly parts: AheadParts) {
    const { tracker, settings } = parts;
    tracker.activeCellChanged.connect(() => this.#moved(this.#isElsewhere() ? afterRun : afterMove));
    settings.changed.connect(() => this.#moved(afterMove));
    NotebookActions.executed.connect(() => this.#moved(afterRun));
  }

  /** Keeps an eye on a kernel that has the agent, again after it was restarted. */
  follow(connection: Lab.IKernelConnection): void {
    const { kernels } = this.parts;
    if (this.#isFollowed(connection)) return;
    if (!this.#followed.has(connection))
      kernels
        .pulse(connection)
        .settled.connect((_, ran) => this.#soon(ran === 'execute_request' ? afterRun : afterBurst));
    this.#followed.set(connection, kernels.known(connection));
    this.#moved(afterRun);
  }

  /** Whether the guard beside the kernel was shown this cell, as it is now, and nothing can have run since. */
  isBeside(target: Target): boolean {
    return this.#current(target)?.checking === null;
  }

  /** What is known of a cell in which nothing was found, if it still holds. */
  quiet(target: Target): Judged | null {
    const entry = this.#current(target);
    const { checked = null } = entry ?? {};
    if (checked?.kind !== 'verdict' || !checked.settled || checked.verdict.outcome === 'crash') return null;
    return { ...checked, ms: 0 };
  }

  /** Settles when a check of this cell, as it is now, has finished; null when none is on its way. */
  coming(target: Target): Promise<unknown> | null {
    const entry = this.#current(target);
    return entry === null || entry.checked !== null ? null : entry.checking;
  }

  #current({ cell, connection }: Target): Entry | null {
    const entry = this.#entry;
    if (entry === null || entry.cell !== cell || entry.connection !== connection) return null;
    const pulse = this.parts.kernels.pulse(connection);
    if (!pulse.quiet || pulse.beats !== entry.beats) return null;
    return entry.question === this.#question(cell) ? entry : null;
  }

  #isFollowed(connection: Lab.IKernelConnection): boolean {
    return this.#followed.get(connection) === this.parts.kernels.known(connection);
  }

  /** Whether another notebook has come to the front. */
  #isElsewhere(): boolean {
    const before = this.#panel;
    this.#panel = this.parts.tracker.currentWidget;
    return before !== this.#panel;
  }

  #moved(ms: number): void {
    this.#unasked = 0;
    this.#listen();
    this.#soon(ms);
  }

  #soon(ms: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#check(), ms);
  }

  /** Follows what is typed into the active cell, and only into that one. */
  #listen(): void {
    const typedIn = this.parts.tracker.activeCell?.model.sharedModel ?? null;
    if (typedIn === this.#typedIn) return;
    this.#typedIn?.changed.disconnect(this.#typed);
    this.#typedIn = typedIn;
    typedIn?.changed.connect(this.#typed);
  }

  readonly #typed = (_: unknown, change: object) => {
    if (!('sourceChange' in change)) return;
    this.#unasked = 0;
    this.#soon(afterBurst);
  };

  #check(): void {
    const { tracker, kernels, settings, isBusy } = this.parts;
    if (!settings.ahead) return;
    const panel = tracker.currentWidget;
    const cell = tracker.activeCell?.model;
    const connection = panel?.sessionContext.session?.kernel;
    const notebook = panel?.content.model;
    if (!notebook || !connection || cell?.type !== 'code' || !this.#isFollowed(connection)) return;
    const mode = notebookMode(notebook) ?? settings.mode;
    if (mode === 'off' || kernels.givenUp(connection)) return;
    const pulse = kernels.pulse(connection);
    const target: Target = { notebook, cell, connection };
    if (!pulse.quiet || isBusy(connection) || this.#current(target) !== null) return;
    if (cell.sharedModel.getSource().trim() === '') return;
    if (this.#unasked === mostUnasked) return;
    this.#unasked += 1;
    const { beats } = pulse;
    const entry: Entry = {
      cell,
      connection,
      beats,
      question: this.#question(cell),
      checked: null,
      checking: this.#look(target, mode, (checked) => {
        entry.checked = checked;
      }),
    };
    this.#entry = entry;
  }

  #look(target: Target, mode: Mode, tell: (checked: Checked) => void): Promise<unknown> | null {
    const { looksBeside, checker } = this.parts;
    return looksBeside(target, mode) ? null : checker.check(target, { ahead: true }).then(tell);
  }

  #question(cell: Target['cell']): string {
    const { ignore, rungs, preview } = this.parts.settings;
    return JSON.stringify([cell.sharedModel.getSource(), metadataFor(cell, ignore)['grus'], rungs, preview]);
  }
}
