// The cells of one kernel that has the guard. They are sent as without Grus, all at once, with a plan ahead of them; the kernel
// refuses the one that would crash and what waits behind it. Held cells wait here for an answer, and are then sent again.
import type { Verdict } from '@grus/core';
import type { CodeCell, ICodeCellModel } from '@jupyterlab/cells';
import { runCell } from '@jupyterlab/notebook';
import type { KernelMessage, Kernel as Lab } from '@jupyterlab/services';
import type { Target } from '../gate/checker.js';
import type { RunOptions } from '../gate/executor.js';
import type { Mode } from '../settings/mode.js';
import type { Settings } from '../settings/settings.js';
import { metadataFor } from '../settings/suppress.js';
import type { Answer } from '../state/reports.js';
import type { Runs } from '../state/runs.js';
import { showState } from '../view/prompt.js';
import {
  type Foreseen,
  foreseenIn,
  type Passed,
  type Plan,
  passedIn,
  type Refusal,
  refusalIn,
  sendLook,
  sendPlan,
} from './protocol.js';
import { type Remembered, remember } from './remembered.js';
import { ToldCells } from './told-cells.js';

export interface Held {
  /** Null when there is nothing to answer: the mode is `block`. */
  readonly answer: ((answer: Answer) => void) | null;
  /** Ids of the cells that wait behind it. */
  readonly behind: readonly string[];
}

/** `stopped`: by an interrupt, or by an error in front of it. */
export type End = 'ok' | 'raised' | 'stopped';

/** What the guard reports to those who show it. */
export interface Showing {
  sent(target: Target): void;
  passed(target: Target, passed: Passed): void;
  held(target: Target, verdict: Verdict, held: Held): void;
  /** While the cell runs; `behind` are the ids of the cells that wait for it. */
  foreseen(target: Target, foreseen: Foreseen, behind: readonly string[]): void;
  /** A cell that was run is over. */
  ended(target: Target, end: End): void;
  answered(target: Target, verdict: Verdict, answer: Answer): void;
}

interface Job {
  readonly options: RunOptions;
  readonly target: Target;
  readonly mode: Mode;
  /** Run whatever is found. */
  free: boolean;
  refusal: Refusal | null;
  /** A cell that was sent before it is held. */
  isBehind: boolean;
  before: Remembered | null;
  /** JupyterLab is done with it. */
  ended: Promise<unknown>;
  settle(ran: boolean): void;
  fail(error: unknown): void;
}

/** The author wrote down that the cell raises. */
export function isMeantToFail(cell: Target['cell']): boolean {
  const tags = cell.getMetadata('tags') as unknown;
  return Array.isArray(tags) && tags.includes('raises-exception');
}

export class Guarded {
  readonly #told: ToldCells;
  /** What comes in the same turn of the event loop as a cell that was sent; null when none was. */
  #batch: Job[] | null = null;
  /** Cells that were sent and not answered, by the id of the message, in the order of sending. */
  readonly #sent = new Map<string, Job>();
  #holds = 0;
  #letGo: (() => void) | null = null;

  constructor(
    private readonly connection: Lab.IKernelConnection,
    private readonly settings: Settings,
    private readonly showing: Showing,
    runs: Runs,
    private readonly isKnown: (target: Target) => boolean,
  ) {
    this.#told = new ToldCells(runs);
    connection.anyMessage.connect(this.#listen);
  }

  /** The kernel is a fresh one. */
  end(): void {
    this.connection.anyMessage.disconnect(this.#listen);
    this.#letGo?.();
  }

  readonly #listen = (_: unknown, { msg, direction }: Lab.IAnyMessageArgs) => {
    if (direction === 'recv') this.#hear(msg);
  };

  /** All cells of one turn of the event loop are sent together. */
  admit(options: RunOptions, target: Target, mode: Mode): Promise<boolean> {
    // Somebody went on working while a cell was held: it and what waits behind it are not run.
    this.#letGo?.();
    return new Promise((settle, fail) => {
      const fresh = {
        free: isMeantToFail(target.cell),
        refusal: null,
        isBehind: false,
        before: null,
        ended: Promise.resolve(),
      };
      this.#add([{ options, target, mode, ...fresh, settle, fail }]);
    });
  }

  /** Has a cell judged that may be run next. */
  look({ notebook, cell }: Target, mode: Mode): void {
    if (isMeantToFail(cell)) return;
    sendLook(this.connection, this.#plan(notebook, [cell], mode, null), cell.sharedModel.getSource());
  }

  /** The first cell of a turn leaves the page before JupyterLab moves on and draws; the rest of a Run All follows it together. */
  #add(jobs: readonly Job[]): void {
    if (this.#batch !== null) {
      this.#batch.push(...jobs);
      return;
    }
    this.#batch = [];
    queueMicrotask(() => {
      const rest = this.#batch ?? [];
      this.#batch = null;
      this.#send(rest, jobs.at(-1));
    });
    this.#send(jobs);
  }

  /** `after`: what was sent right before them, in the same turn. */
  #send(jobs: readonly Job[], after?: Job): void {
    const [first] = jobs;
    if (first === undefined) return;
    try {
      const { target, mode } = first;
      const checked = jobs.filter(({ free }) => !free).map((job) => job.target.cell);
      const known = this.isKnown(target) ? target.cell.id : null;
      const plan = this.#plan(target.notebook, checked, mode, known);
      sendPlan(this.connection, { ...plan, after: after?.target.cell.id ?? null });
    } catch (error) {
      console.error('Grus could not announce cells; they run unchecked.', error);
    }
    for (const job of jobs) this.#run(job);
  }

  #plan(
    notebook: Target['notebook'],
    cells: readonly Target['cell'][],
    mode: Mode,
    known: Plan['known'],
  ): Plan {
    const { budget, rungs, preview, ignore, dryRun } = this.settings;
    const ignored = cells.flatMap((cell) => {
      const ids = metadataFor(cell, ignore)['grus'] as { ignore: string[] };
      return ids.ignore.length === 0 ? [] : [[cell.id, ids.ignore] as const];
    });
    return {
      run: cells.map(({ id }) => id),
      ignore: Object.fromEntries(ignored),
      // The kernel takes messages in their order: these have run when the plan's cells are judged.
      ...this.#told.changes(notebook, new Set([...this.#sent.values()].map(({ target }) => target.cell.id))),
      ...{ mode, budget, rungs, preview, holds: this.#holds, known, after: null },
      ahead: dryRun === 'background',
    };
  }

  #run(job: Job): void {
    const { options, target } = job;
    const cell = options.cell as CodeCell;
    if (cell.isDisposed) {
      job.settle(false);
      return;
    }
    job.refusal = null;
    job.isBehind = false;
    job.before = remember(options, target.cell as ICodeCellModel);
    if (!job.free) this.showing.sent(target);
    const running = runCell({
      ...options,
      onCellExecuted: (told) => {
        if (job.refusal === null) options.onCellExecuted(told);
      },
    });
    const id = cell.outputArea.future?.msg.header.msg_id;
    if (id !== undefined) this.#sent.set(id, job);
    job.ended = running.then(job.settle, (error: unknown) => {
      if (job.refusal === null) job.fail(error);
    });
  }

  #hear(message: KernelMessage.IMessage): void {
    const parent = message.parent_header as Partial<KernelMessage.IHeader>;
    const job = this.#sent.get(parent.msg_id ?? '');
    if (job === undefined) return;
    const passed = passedIn(message);
    if (passed !== null) this.showing.passed(job.target, passed);
    const foreseen = foreseenIn(message);
    if (foreseen !== null) {
      const waiting = [...this.#sent.values()].filter((each) => each !== job);
      this.showing.foreseen(
        job.target,
        foreseen,
        waiting.map(({ target }) => target.cell.id),
      );
    }
    const refusal = refusalIn(message);
    if (refusal === undefined) return;
    this.#sent.delete(parent.msg_id ?? '');
    job.refusal = refusal;
    if (refusal === null) {
      const end = endOf(message.content as { readonly status?: string; readonly ename?: string });
      // Nothing was looked for in a cell that runs whatever is found.
      this.showing.ended(job.target, end === 'raised' && job.free ? 'stopped' : end);
      return;
    }
    if (refusal.kind === 'behind') {
      if (job.isBehind) return;
      // Behind a cell of which this page knows nothing: sent again.
      this.#holds = refusal.holds;
      void job.ended.then(() => this.#add([job]));
      return;
    }
    this.#holds += 1;
    // The kernel answers in order: what has no answer by now waits behind this cell, and will not be run either.
    const behind = [...this.#sent.values()];
    for (const each of behind) each.isBehind = true;
    void this.#stop(job, refusal, behind);
  }

  async #stop(
    job: Job,
    refusal: Exclude<Refusal, { kind: 'behind' }>,
    behind: readonly Job[],
  ): Promise<void> {
    await Promise.all([job, ...behind].map(({ ended }) => ended));
    const waiting = behind.filter((each) => each.refusal?.kind === 'behind');
    for (const each of [job, ...waiting]) each.before?.restore();
    const answer = refusal.kind === 'held' ? await this.#ask(job, refusal.verdict, waiting) : 'leave';
    if (answer === 'leave') {
      for (const { options, target, settle } of [job, ...waiting]) {
        showState(options, target.cell, 'idle');
        settle(false);
      }
      return;
    }
    job.free = answer === 'run';
    this.#add([job, ...waiting]);
  }

  async #ask({ target, mode }: Job, verdict: Verdict, waiting: readonly Job[]): Promise<Answer> {
    const behind = waiting.map((job) => job.target.cell.id);
    if (mode === 'block') {
      this.showing.held(target, verdict, { answer: null, behind });
      return 'leave';
    }
    for (const { options, target: other } of waiting) showState(options, other.cell, 'running');
    const answer = await new Promise<Answer>((resolve) => {
      this.#letGo = () => resolve('leave');
      this.showing.held(target, verdict, { answer: resolve, behind });
    });
    this.#letGo = null;
    this.showing.answered(target, verdict, answer);
    return answer;
  }
}

function endOf(reply: { readonly status?: string; readonly ename?: string }): End {
  if (reply.status === 'ok') return 'ok';
  return reply.status === 'error' && reply.ename !== 'KeyboardInterrupt' ? 'raised' : 'stopped';
}
