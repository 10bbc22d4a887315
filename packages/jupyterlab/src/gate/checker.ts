// Has one cell judged by the rungs that work in the browser, within the budget. Whatever happens, it answers; it never throws.
import type { Verdict } from '@grus/core';
import { checkCell } from '@grus/notebook';
import type { ICellModel } from '@jupyterlab/cells';
import type { INotebookModel } from '@jupyterlab/notebook';
import type { Kernel as Lab } from '@jupyterlab/services';
import { type Kernels, whyUnsupported } from '../kernel/kernels.js';
import { late, within } from '../kernel/wait.js';
import type { Settings } from '../settings/settings.js';
import { metadataFor } from '../settings/suppress.js';
import type { Runs } from '../state/runs.js';

export type Checked =
  | { readonly kind: 'verdict'; readonly verdict: Verdict; readonly ms: number }
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
    const budget = limits.budget ?? this.settings.budget;
    try {
      const answer = await within(this.#judge(target, budget, limits.whileBusy ?? false), budget);
      const ms = performance.now() - started;
      if (answer === late) {
        this.kernels.miss(connection);
        return { kind: 'late', ms };
      }
      if (typeof answer === 'string') return { kind: 'unsupported', message: answer };
      this.kernels.hit(connection);
      return { kind: 'verdict', verdict: answer, ms };
    } catch (error) {
      this.kernels.miss(connection);
      return { kind: 'failed', message: error instanceof Error ? error.message : String(error) };
    }
  }

  async #judge(target: Target, budget: number, whileBusy: boolean): Promise<Verdict | string> {
    const { notebook, cell, connection } = target;
    const kernel = await this.kernels.get(connection);
    const unsupported = whyUnsupported(kernel);
    if (unsupported !== null) return unsupported;
    // What another client's cell is about to change must not be judged as it is now.
    if (!whileBusy && !(await kernel.waitUntilIdle(budget))) return new Promise(() => undefined);
    const cells = this.runs.history(notebook);
    return checkCell(
      {
        kernel,
        source: cell.sharedModel.getSource(),
        metadata: metadataFor(cell, this.settings.ignore),
        number: cells.find(({ id }) => id === cell.id)?.number ?? null,
        cells,
      },
      // A cell that is fine must feel untouched: what needs a copy of the kernel is left to the dry run.
      { strict: true, rungs: this.settings.rungs, busyBudgetMs: budget, inquiryMs: 0 },
    );
  }
}
