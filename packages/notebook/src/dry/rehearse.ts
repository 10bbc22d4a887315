// The rehearsal of Run All: the remaining cells one after the other in one copy of the kernel, each on the state that the
// one before left there, up to the first that would crash.
import type { RungResult } from '@grus/core';
import type { Kernel } from '@grus/kernel';
import type { CodeCell } from '../file/document.js';
import { conclude } from './conclude.js';
import type { DryOptions } from './options.js';
import { inCopy } from './rung.js';

export interface RehearsedCell {
  readonly cell: CodeCell;
  readonly result: RungResult;
  /** Milliseconds from the start of the first cell until this one is over in a real run; about, where loops were cut. */
  readonly afterMs: number;
}

export interface Rehearsal {
  /** The cells that were reached; the last one is the first that did not certainly finish. */
  readonly cells: readonly RehearsedCell[];
  readonly outcome: 'crash' | 'ok' | 'unknown';
}

const defaultBudgetMs = 300_000;

export async function rehearse(
  kernel: Kernel,
  cells: readonly CodeCell[],
  options: Omit<DryOptions, 'policy'> = {},
): Promise<Rehearsal> {
  const assume = options.assume ?? [];
  const sources = [...assume, ...cells.map(({ source }) => source)];
  const copy = await inCopy(kernel, sources, { budgetMs: defaultBudgetMs, ...options, policy: 'always' });
  const reached: RehearsedCell[] = [];
  let afterMs = 0;
  for (const [index, cell] of cells.entries()) {
    const result = conclude(copy, assume.length + index, cell.source);
    const told =
      copy.status === 'ok' ? copy.cells.find((one) => one.cell === assume.length + index) : undefined;
    afterMs += told?.cell_ms ?? 0;
    if (told) options.onOutput?.(told.output);
    reached.push({ cell, result, afterMs: Math.round(afterMs + (told?.skipped_ms ?? 0)) });
    if (result.outcome === 'crash') return { cells: reached, outcome: 'crash' };
    // In a copy that was sent ahead a cell with a cut loop proves nothing by itself; the cells after it still may.
    const passed = told?.status === 'finished' && told.clipped.length > 0;
    if (result.outcome !== 'ok' && !passed) return { cells: reached, outcome: 'unknown' };
  }
  return {
    cells: reached,
    outcome: reached.every(({ result }) => result.outcome === 'ok') ? 'ok' : 'unknown',
  };
}
