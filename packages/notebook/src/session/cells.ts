// What happened so far to each code cell of a notebook: the memory that lets a remedy say "cell 4 has not been run".
import type { CodeCell } from '../file/document.js';

export type CellStatus = 'not-run' | 'ok' | 'failed';

export interface CellHistory {
  readonly number: number;
  readonly source: string;
  readonly status: CellStatus;
  readonly executionCount: number | null;
  /** Milliseconds that the cell took when it was run last, where that is known. */
  readonly ms?: number;
}

export function untouched(cells: readonly CodeCell[]): CellHistory[] {
  return cells.map(({ number, source }) => ({ number, source, status: 'not-run', executionCount: null }));
}
