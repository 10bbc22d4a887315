// A whole notebook, rehearsed: cells that are soon done are run in the kernel, which is ours; from the first long one on,
// everything is tried in copies with training cut short. After a crash the cells that do not depend on it are judged too.
import type { Reason, Verdict } from '@grus/core';
import { KernelDiedError } from '@grus/kernel';
import {
  type CheckOptions,
  type CodeCell,
  Loss,
  type NotebookSession,
  type Piece,
  rehearseInCopies,
  upTo,
  wholeCell,
} from '@grus/notebook';
import { deathVerdict, experienced } from '../jobs/walk.js';
import type { JudgedCell, NotebookReport, UnjudgedCell } from './report.js';

/** A cell that has not ended in a copy after so long is a long one. */
const longMs = 4_000;
/** For a kernel that cannot be copied: a fresh process has libraries to load. */
const twinLoadMs = 8_000;

export interface RehearseOptions {
  readonly check: CheckOptions;
  /** Milliseconds that a cell may run in the kernel where no copy could try it. */
  readonly timeout: number;
  /** Milliseconds for the copies in which training is cut short. */
  readonly budgetMs?: number;
  readonly onCell?: (cell: CodeCell) => void;
}

export async function rehearseNotebook(
  session: NotebookSession,
  cells: readonly CodeCell[],
  options: RehearseOptions,
): Promise<Pick<NotebookReport, 'cells' | 'unjudged'>> {
  const rehearsing = new Rehearsing(session, options);
  await rehearsing.run(cells.map(wholeCell));
  const byNumber = (a: { cell: CodeCell }, b: { cell: CodeCell }) => a.cell.number - b.cell.number;
  return { cells: rehearsing.judged.sort(byNumber), unjudged: rehearsing.unjudged.sort(byNumber) };
}

class Rehearsing {
  readonly judged: JudgedCell[] = [];
  readonly unjudged: UnjudgedCell[] = [];
  readonly #loss = new Loss();
  /** The cell that ended the kernel. */
  #dead: CodeCell | null = null;

  constructor(
    private readonly session: NotebookSession,
    private readonly options: RehearseOptions,
  ) {}

  async run(pieces: readonly Piece[]): Promise<void> {
    const queue = [...pieces];
    for (let piece = queue.shift(); piece !== undefined; piece = queue.shift()) {
      const { cell, lostFrom } = piece;
      const code = { ...cell, source: piece.source! };
      this.options.onCell?.(cell);
      if (this.#dead) {
        this.#notJudged(cell, { code: 'behind-crash', cell: this.#dead.number });
        continue;
      }
      const missing = this.#loss.needs(code.source);
      if (missing !== null) {
        this.#notJudged(cell, missing);
        continue;
      }
      const verdict = await this.session.check(code, this.#check());
      if (isLong(verdict)) return this.#inCopies([piece, ...queue]);
      if (verdict.outcome !== 'crash') {
        await this.#execute(piece, code, verdict);
        continue;
      }
      const consequence = this.#loss.explains(verdict.exception?.type ?? '');
      if (lostFrom !== null || consequence) this.#notJudged(cell, consequence);
      else {
        this.judged.push({ cell, verdict });
        const left = upTo(cell, verdict.line ?? 1);
        // What stands before the crash is judged like a cell of its own: it may be the training.
        if (left.source === null) this.#loss.lost(cell.source, cell.number);
        else queue.unshift(left);
      }
    }
  }

  /** Runs what no copy objected to; of what is left of a crashed cell nothing is told. */
  async #execute({ cell, lostFrom }: Piece, code: CodeCell, predicted: Verdict): Promise<void> {
    const { timeout, check } = this.options;
    const result = await this.#survived(cell, this.session.execute(code, { timeout }));
    if (result === null) return;
    if (result.status === 'timeout') {
      this.#notJudged(cell, { code: 'cell-time-spent', ms: timeout });
      return;
    }
    const verdict = experienced(predicted, result, check.guessedPython);
    const consequence = result.error && this.#loss.explains(result.error.ename);
    if (lostFrom === null && !consequence) this.judged.push({ cell, verdict });
    if (consequence) this.#notJudged(cell, consequence);
    else if (result.status === 'ok') this.#loss.ran(code.source);
    else this.#loss.lost(cell.source, cell.number);
    if (lostFrom !== null) this.#loss.lost(cell.source, cell.number, lostFrom);
  }

  /** Null when the cell took the kernel with it. */
  async #survived<Result>(cell: CodeCell, running: Promise<Result>): Promise<Result | null> {
    try {
      return await running;
    } catch (error) {
      if (!(error instanceof KernelDiedError)) throw error;
      this.judged.push({ cell, verdict: deathVerdict(error.message) });
      this.#dead = cell;
      return null;
    }
  }

  async #inCopies(pieces: readonly Piece[]): Promise<void> {
    const { check, budgetMs } = this.options;
    const { isolation, requireIsolation, readyTwin } = check.dry ?? {};
    const known = new Set(this.judged.map(({ cell }) => cell));
    const { judged, unjudged } = await rehearseInCopies(this.session.kernel, pieces, {
      loss: this.#loss,
      ...(budgetMs === undefined ? {} : { budgetMs }),
      ...(isolation === undefined ? {} : { isolation }),
      ...(requireIsolation === undefined ? {} : { requireIsolation }),
      ...(readyTwin === undefined ? {} : { readyTwin }),
    });
    this.judged.push(...judged);
    this.unjudged.push(...unjudged.filter(({ cell }) => !known.has(cell)));
  }

  #notJudged(cell: CodeCell, reason: Reason | null): void {
    if (reason && this.judged.every((judged) => judged.cell !== cell)) this.unjudged.push({ cell, reason });
    this.#loss.lost(cell.source, cell.number);
  }

  #check(): CheckOptions {
    const { check } = this.options;
    return { ...check, dry: { ...check.dry, policy: 'always', budgetMs: longMs, twinLoadMs } };
  }
}

/** Whether the copy ran out of time, which only a long cell does. */
function isLong({ rungs }: Verdict): boolean {
  return rungs.some(({ reason }) => reason?.code === 'dry-time-spent');
}
