// Has one cell judged by the rungs that work in the browser, within the budget. Whatever happens, it answers; it never throws.
import type { Verdict } from '@grus/core';
import { timedOut, within } from '@grus/kernel';
import { checkCell } from '@grus/notebook';
import type { ICellModel } from '@jupyterlab/cells';
import type { INotebookModel } from '@jupyterlab/notebook';
import type { Kernel as Lab } from '@jupyterlab/services';
import { type Kernels, whyUnsupported } from '../kernel/kernels.js';
import type { Settings } from '../settings/settings.js';
import { metadataFor } from '../settings/suppress.js';
import type { Runs } from '../state/runs.js';

export interface Judged {
  readonly kind: 'verdict';
  readonly verdict: Verdict;
  readonly ms: number;
  /** Whether what was read can only be changed by a message to the kernel. */
  readonly settled: boolean;
}

export type Checked =
  | Judged
  | { readonly kind: 'late'; readonly ms: number }
  | { readonly kind: 'failed'; readonly message: string }
  | { readonly kind: 'unsupported'; readonly message: string };

export interface Target {
  readonly notebook: INotebookModel;
  readonly cell: ICellModel;
  readonly connection: Lab.IKernelConnection;
}

export interface CheckLimits {
  /** Milliseconds; the user's setting by default. */
  readonly budget?: number;
  /** Ask even while a cell is running: the answer is about the state of that moment. Default false. */
  readonly whileBusy?: boolean;
  /** Nobody waits for the answer, so a failure is not held against the kernel. Default false. */
  readonly ahead?: boolean;
}

export class Checker {
  constructor(
    private readonly kernels: Kernels,
    private readonly runs: Runs,
    private readonly settings: Settings,
  ) {}

  async check(target: Target, limits: CheckLimits = {}): Promise<Checked> {
    const { connection } = target;
    if (this.kernels.givenUp(connection)) {
      const message = 'this kernel could not be checked three times in a row; restart it to try again';
      return { kind: 'failed', message };
    }
    const started = performance.now();
    const { budget = this.settings.budget, whileBusy = false, ahead = false } = limits;
    const miss = () => {
      if (!ahead) this.kernels.miss(connection);
    };
    try {
      const answer = await within(this.#judge(target, budget, whileBusy), budget);
      const ms = performance.now() - started;
      if (answer === timedOut) {
        miss();
        return { kind: 'late', ms };
      }
      if (typeof answer === 'string') return { kind: 'unsupported', message: answer };
      this.kernels.hit(connection);
      return { ...answer, ms };
    } catch (error) {
      miss();
      return { kind: 'failed', message: error instanceof Error ? error.message : String(error) };
    }
  }

  /** Nothing is awaited before the kernel is asked, unless it is not known yet or is busy. */
  async #judge(target: Target, budget: number, whileBusy: boolean): Promise<Omit<Judged, 'ms'> | string> {
    const { notebook, cell, connection } = target;
    const kernel = this.kernels.known(connection) ?? (await this.kernels.get(connection));
    const unsupported = whyUnsupported(kernel);
    if (unsupported !== null) return unsupported;
    // What another client's cell is about to change must not be judged as it is now.
    if (!whileBusy && kernel.status !== 'idle' && !(await kernel.waitUntilIdle(budget)))
      return new Promise(() => undefined);
    const cells = this.runs.history(notebook);
    let settled = true;
    const verdict = await checkCell(
      {
        kernel,
        source: cell.sharedModel.getSource(),
        metadata: metadataFor(cell, this.settings.ignore),
        number: cells.find(({ id }) => id === cell.id)?.number ?? null,
        cells,
      },
      {
        strict: true,
        rungs: this.settings.rungs,
        preview: this.settings.preview,
        busyBudgetMs: budget,
        // A cell that is fine must feel untouched: what needs a copy of the kernel is left to the dry run.
        inquiryMs: 0,
        onRead: (_, isSettled) => {
          settled &&= isSettled;
        },
      },
    );
    return { kind: 'verdict', verdict, settled };
  }
}
