// A notebook in a kernel: runs cells one after the other, remembers what happened to each, and has a cell judged
// on the state that the earlier ones left.
import { GrusError, type Verdict } from '@grus/core';
import type { ExecuteResult, Kernel } from '@grus/kernel';
import type { CodeCell } from '../file/document.js';
import { type CheckOptions, checkCell, isMissingModule } from '../ladder/check-cell.js';
import { type CellHistory, untouched } from './cells.js';

export interface ExecuteCellOptions {
  /** Milliseconds that one cell may run; no limit by default. */
  readonly timeout?: number;
  readonly onOutput?: (output: ExecuteResult['outputs'][number]) => void;
}

export interface ReplayOptions extends ExecuteCellOptions, Pick<CheckOptions, 'guessedPython'> {
  readonly onCell?: (cell: CodeCell) => void;
}

export class NotebookSession {
  readonly kernel: Kernel;
  readonly #cells: readonly CodeCell[];
  #history: CellHistory[];

  constructor(kernel: Kernel, cells: readonly CodeCell[]) {
    this.kernel = kernel;
    this.#cells = cells;
    this.#history = untouched(cells);
  }

  get history(): readonly CellHistory[] {
    return this.#history;
  }

  /** The same kernel and history with cells whose text has changed since; those that ran must be the same. */
  withCells(cells: readonly CodeCell[]): NotebookSession {
    const session = new NotebookSession(this.kernel, cells);
    session.#history = session.#history.map((entry) => {
      const before = this.#history.find(
        (earlier) => earlier.number === entry.number && earlier.source === entry.source,
      );
      return before ?? entry;
    });
    return session;
  }

  check(cell: CodeCell, options?: CheckOptions): Promise<Verdict> {
    return checkCell(
      {
        kernel: this.kernel,
        source: cell.source,
        metadata: cell.metadata,
        number: cell.number,
        cells: this.#history,
      },
      options,
    );
  }

  async execute(cell: CodeCell, options: ExecuteCellOptions = {}): Promise<ExecuteResult> {
    const result = await this.kernel.execute(cell.source, options);
    const status = result.status === 'ok' ? 'ok' : 'failed';
    const { executionCount, ms } = result;
    this.#history = this.#history.map((entry) =>
      entry.number === cell.number ? { ...entry, status, executionCount, ms } : entry,
    );
    return result;
  }

  /** Runs the cells before `target`. The first that fails ends the replay: it, not the target, is the one that crashes. */
  async replayUpTo(target: CodeCell, options: ReplayOptions = {}): Promise<void> {
    for (const cell of this.#cells) {
      if (cell.number >= target.number) return;
      options.onCell?.(cell);
      const result = await this.execute(cell, options);
      if (result.status !== 'ok') throw replayFailure(cell, target, result, options);
    }
  }
}

function replayFailure(
  cell: CodeCell,
  target: CodeCell,
  result: ExecuteResult,
  { guessedPython }: ReplayOptions,
): GrusError {
  if (guessedPython !== undefined && result.error && isMissingModule(result.error.ename)) {
    return new GrusError(`cell ${cell.number} needs a module: ${result.error.evalue} in ${guessedPython}`, {
      advice: 'That Python was a guess: name the one of the notebook with --python or --kernel-name.',
    });
  }
  const what =
    result.status === 'timeout'
      ? 'it ran out of time'
      : result.error
        ? `${result.error.ename}: ${result.error.evalue}`
        : result.status;
  return new GrusError(`cell ${cell.number} fails before cell ${target.number} is reached: ${what}`, {
    advice: `It is cell ${cell.number} that crashes: fix it first, or check it with --cell ${cell.number}.`,
  });
}
