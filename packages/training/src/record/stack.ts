// Where a process stood when its stack was asked for, by py-spy or by Python's faulthandler.
import type { Where } from './where.js';

export interface StackFrame {
  readonly file: string;
  readonly line: number;
  readonly function: string;
}

export interface RankStack {
  readonly rank: number | null;
  readonly pid: number | null;
  /** Of the main thread, innermost first. */
  readonly frames: readonly StackFrame[];
  readonly at: Where;
}
