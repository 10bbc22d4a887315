// Rehearses cells that nobody wants to wait for: one after the other in a copy of the kernel whose loops and fits are cut
// short. After a crash the cells that need nothing of it go on in another copy, so that every crash is found, not the first
// alone. The kernel stays as it is.
import { climb, type Reason, type RungResult, type Verdict } from '@grus/core';
import { type DryRunResult, dryRun, type Kernel } from '@grus/kernel';
import { conclude } from '../dry/conclude.js';
import type { DryOptions } from '../dry/options.js';
import type { CodeCell } from '../file/document.js';
import { Loss, sourceBefore } from './loss.js';

/** A cell, or what of it stands before its crash. */
export interface Piece {
  readonly cell: CodeCell;
  /** What is run; null when nothing of the cell is. */
  readonly source: string | null;
  /** The line from which on the cell does not run; null while all of it does. */
  readonly lostFrom: number | null;
}

export interface RehearsedNotebook {
  readonly judged: readonly { readonly cell: CodeCell; readonly verdict: Verdict }[];
  readonly unjudged: readonly { readonly cell: CodeCell; readonly reason: Reason }[];
}

export interface InCopiesOptions extends Pick<DryOptions, 'isolation' | 'requireIsolation' | 'readyTwin'> {
  /** Milliseconds for all copies together. Default 120 000. */
  readonly budgetMs?: number;
  /** What earlier cells lost. */
  readonly loss?: Loss;
  readonly signal?: AbortSignal;
  /** Told after each copy: how many cells are settled, judged or known not to be. */
  readonly onSettled?: (cells: number) => unknown;
}

const defaultBudgetMs = 120_000;
const twinLoadMs = 60_000;

export function wholeCell(cell: CodeCell): Piece {
  return { cell, source: cell.source, lostFrom: null };
}

/** What is left of a cell that crashes in a line. */
export function upTo(cell: CodeCell, line: number): Piece {
  return { cell, source: sourceBefore(cell.source, line), lostFrom: line };
}

export async function rehearseInCopies(
  kernel: Kernel,
  pieces: readonly Piece[],
  options: InCopiesOptions = {},
): Promise<RehearsedNotebook> {
  const { budgetMs = defaultBudgetMs, loss = new Loss(), signal, onSettled, ...limits } = options;
  const verdicts = new Map<CodeCell, Verdict>();
  const reasons = new Map<CodeCell, Reason>();
  const deadline = performance.now() + budgetMs;
  let todo = [...pieces];
  while (true) {
    const lost = loss.copy();
    const runnable = reachable(todo, lost, reasons);
    const left = deadline - performance.now();
    const known = new Set(verdicts.keys());
    const open = runnable.filter(({ cell }) => !known.has(cell));
    if (open.length === 0) break;
    if (left <= 0 || signal?.aborted) {
      const reason = { code: 'dry-time-spent', ms: budgetMs, where: null, ahead: null } as const;
      for (const { cell } of open) reasons.set(cell, reason);
      break;
    }
    const copy = await dryRun(
      kernel,
      runnable.map(({ source }) => source!),
      { ...limits, budgetMs: left, twinLoadMs, cut: true },
    );
    const stuck = await hear(copy, runnable, verdicts, lost);
    if (stuck === null) break;
    if (isOver(copy)) {
      const reason = unreachedReason(copy, runnable, stuck.index);
      for (const { cell } of runnable.slice(stuck.index)) if (!known.has(cell)) reasons.set(cell, reason);
      break;
    }
    if (stuck.reason) reasons.set(stuck.piece.cell, stuck.reason);
    await onSettled?.(new Set([...verdicts.keys(), ...reasons.keys()]).size);
    todo = todo.map((piece) => (piece.cell === stuck.piece.cell ? stuck.left : piece));
  }
  const judged = pieces.flatMap(({ cell }) =>
    verdicts.has(cell) && !reasons.has(cell) ? [{ cell, verdict: verdicts.get(cell)! }] : [],
  );
  const unjudged = pieces.flatMap(({ cell }) =>
    reasons.has(cell) ? [{ cell, reason: reasons.get(cell)! }] : [],
  );
  return { judged, unjudged };
}

/** The pieces that need nothing that is lost; of the others, why not. */
function reachable(todo: readonly Piece[], loss: Loss, reasons: Map<CodeCell, Reason>): Piece[] {
  const runnable: Piece[] = [];
  for (const piece of todo) {
    const { cell, source, lostFrom } = piece;
    if (source !== null) {
      const reason = loss.needs(source);
      if (reason !== null) {
        reasons.set(cell, reason);
        loss.lost(cell.source, cell.number);
        continue;
      }
      loss.ran(source);
      runnable.push(piece);
    }
    if (lostFrom !== null) loss.lost(cell.source, cell.number, lostFrom);
  }
  return runnable;
}

interface Stuck {
  readonly index: number;
  readonly piece: Piece;
  readonly left: Piece;
  /** Set where the crash is no finding. */
  readonly reason: Reason | null;
}

/** Takes the verdicts of the copy, up to the piece that did not finish; null when all did. */
async function hear(
  copy: DryRunResult,
  pieces: readonly Piece[],
  verdicts: Map<CodeCell, Verdict>,
  lost: Loss,
): Promise<Stuck | null> {
  for (const [index, piece] of pieces.entries()) {
    const { cell, source, lostFrom } = piece;
    const told = copy.status === 'ok' ? copy.cells.find((one) => one.cell === index) : undefined;
    const result = conclude(copy, index, source!);
    if (lostFrom === null && !verdicts.has(cell))
      verdicts.set(cell, await verdictOf(result, told?.cell_ms ?? 0));
    if (told?.status === 'finished') continue;
    const crash = result.outcome === 'crash' ? result.findings[0].exception.type : null;
    // What is left of a cell was seen to run; if it does not, nothing of it is left.
    const line = lostFrom === null && told?.status === 'raised' ? (told.line ?? 1) : 1;
    return { index, piece, left: upTo(cell, line), reason: crash === null ? null : lost.explains(crash) };
  }
  return null;
}

/** Whether no other copy would come further. */
function isOver(copy: DryRunResult): boolean {
  return copy.status === 'refused' || (copy.ended !== 'done' && copy.ended !== 'died');
}

function unreachedReason(copy: DryRunResult, pieces: readonly Piece[], index: number): Reason {
  const result = conclude(copy, index, pieces[index]!.source!);
  return result.outcome === 'unknown' ? result.reason : { code: 'earlier-unfinished' };
}

/** As the ladder would tell it, had the dry run been its only rung. */
async function verdictOf(result: RungResult, ms: number): Promise<Verdict> {
  const verdict = await climb([{ name: 'dry run', run: async () => result }], null);
  return { ...verdict, ms, rungs: verdict.rungs.map((rung) => ({ ...rung, ms })) };
}
