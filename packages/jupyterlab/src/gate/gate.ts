// The gate on Run: a cell is checked when its turn comes, and held, blocked or run with a warning, as the mode says.
import type { Verdict } from '@grus/core';
import type { ICellModel, ICodeCellModel } from '@jupyterlab/cells';
import { runCell } from '@jupyterlab/notebook';
import type { Kernel as Lab } from '@jupyterlab/services';
import { isMeantToFail } from '../guard/guarded.js';
import type { Kernels } from '../kernel/kernels.js';
import { type Mode, notebookMode } from '../settings/mode.js';
import type { Settings } from '../settings/settings.js';
import type { Activities } from '../state/activity.js';
import type { Outcomes } from '../state/outcomes.js';
import type { Answer, Reports } from '../state/reports.js';
import { showState } from '../view/prompt.js';
import { isCertain } from './certain.js';
import type { Checked, Target } from './checker.js';
import type { Gatekeeper, RunOptions } from './executor.js';
import { Lane } from './lane.js';

export interface GateParts {
  readonly kernels: Kernels;
  readonly settings: Settings;
  readonly reports: Reports;
  readonly activities: Activities;
  readonly outcomes: Outcomes;
  /** The guard beside the kernel, if that has one: then nothing is judged here. */
  guarded(options: RunOptions, target: Target, mode: Mode): Promise<boolean> | null;
  /** What is known of a fine cell without asking; null when it must be checked. */
  alreadyQuiet(target: Target): Checked | null;
  /** All rungs that are to be climbed before a run; never rejects. */
  check(target: Target): Promise<Checked>;
}

export class Gate implements Gatekeeper {
  readonly #lanes = new WeakMap<Lab.IKernelConnection, Lane>();
  /** Cells whose outputs are those of the run that goes on. */
  readonly #running = new WeakSet<ICellModel>();

  constructor(private readonly parts: GateParts) {}

  admit(options: RunOptions): Promise<boolean> | null {
    const { cell, notebook, sessionContext } = options;
    const connection = sessionContext?.session?.kernel;
    const mode = this.#mode(options);
    if (!connection || cell.model.type !== 'code' || mode === 'off') return null;
    if (sessionContext.isTerminating || sessionContext.pendingInput || sessionContext.hasNoKernel)
      return null;
    if (cell.model.sharedModel.getSource().trim() === '') return null;
    const model = cell.model as ICodeCellModel;
    const target = { notebook, cell: model, connection };
    const guarded = this.parts.guarded(options, target, mode);
    if (guarded !== null) return guarded;
    const lane = this.lane(connection);
    const known = lane.free ? this.parts.alreadyQuiet(target) : null;
    showState(options, model, 'running');
    return lane.add({
      run: () => (known ? this.#runKnown(options, target, known) : this.#checkAndRun(options, target)),
      drop: () => showState(options, model, 'idle'),
      hasFailed: () => this.#running.has(model) && hasFailed(model),
    });
  }

  lane(connection: Lab.IKernelConnection): Lane {
    const lane = this.#lanes.get(connection) ?? new Lane();
    this.#lanes.set(connection, lane);
    return lane;
  }

  /** In this very turn of the event loop: the request leaves the page before the page is drawn anew. */
  #runKnown(options: RunOptions, target: Target, known: Checked): Promise<boolean> {
    const ran = this.#run(options, target);
    try {
      this.#tell(target, known);
    } catch (error) {
      this.#failed(target, error);
    }
    return ran;
  }

  async #checkAndRun(options: RunOptions, target: Target): Promise<boolean> {
    let wanted = true;
    try {
      wanted = await this.#wanted(options, target);
    } catch (error) {
      this.#failed(target, error);
    }
    if (wanted) return this.#run(options, target);
    showState(options, target.cell, 'idle');
    return false;
  }

  /** A cell whose end was lost with the connection holds up no other. */
  #run(options: RunOptions, target: Target): Promise<boolean> {
    const { cell, connection } = target;
    const { reconnection } = this.parts.kernels.pulse(connection);
    const running = runCell(options);
    this.#running.add(cell);
    return reconnection
      .outlive(running, () => !hasFailed(cell as ICodeCellModel))
      .finally(() => {
        this.#running.delete(cell);
        if (!isMeantToFail(cell) && hasRaised(cell as ICodeCellModel))
          this.parts.outcomes.ended(target, 'raised');
      });
  }

  /** Whether the cell is to be run after all. */
  async #wanted(options: RunOptions, target: Target): Promise<boolean> {
    const { activities, outcomes } = this.parts;
    const { notebook } = target;
    for (;;) {
      activities.set(notebook, { state: 'checking' });
      const checked = await this.parts.check(target);
      if (options.cell.isDisposed) return false;
      const verdict = this.#tell(target, checked);
      if (verdict === null) return true;
      const mode = isCertain(verdict) ? this.#mode(options) : 'warn';
      if (mode === 'off' || mode === 'warn') {
        outcomes.show(target, verdict, 'ran', null);
        return true;
      }
      if (mode === 'block') {
        outcomes.show(target, verdict, 'blocked', null);
        return false;
      }
      const answer = await this.#ask(options, target, verdict);
      if (answer !== 'fixed') {
        outcomes.answered(target, verdict, answer);
        return answer === 'run';
      }
    }
  }

  #ask(options: RunOptions, target: Target, verdict: Verdict): Promise<Answer> {
    showState(options, target.cell, 'idle');
    const answer = new Promise<Answer>((resolve) =>
      this.parts.outcomes.held(target, verdict, { answer: resolve, behind: [] }),
    );
    return this.lane(target.connection).hold(answer, 'leave');
  }

  /** Says in the status bar what came out; returns the verdict when it is a crash. */
  #tell(target: Target, checked: Checked): Verdict | null {
    const { activities, reports, outcomes } = this.parts;
    if (checked.kind !== 'verdict') {
      outcomes.unchecked(target, checked);
      return null;
    }
    if (checked.verdict.outcome === 'crash') return checked.verdict;
    activities.set(target.notebook, { state: 'quiet', ms: checked.ms });
    reports.remove(target.notebook, target.cell.id);
    return null;
  }

  #failed({ notebook }: Target, error: unknown): void {
    console.error('Grus failed; the cell runs unchecked.', error);
    const message = error instanceof Error ? error.message : String(error);
    this.parts.activities.set(notebook, { state: 'failed', message });
  }

  #mode({ notebook }: RunOptions) {
    return notebookMode(notebook) ?? this.parts.settings.mode;
  }
}

function hasFailed({ outputs }: ICodeCellModel): boolean {
  return outputs.toJSON().some(({ output_type: type }) => type === 'error');
}

function hasRaised({ outputs }: ICodeCellModel): boolean {
  return outputs
    .toJSON()
    .some(({ output_type: type, ename }) => type === 'error' && ename !== 'KeyboardInterrupt');
}
