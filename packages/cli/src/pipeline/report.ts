// What came of one notebook, and of all of them: every format is written from this.
import { GrusError, type Outcome, type Reason, textOf, type Verdict } from '@grus/core';
import type { ChosenKernel } from '@grus/kernel';
import type { CodeCell } from '@grus/notebook';
import { answerOf } from '../jobs/answer.js';
import { exitCodes } from '../terminal/output.js';

export interface JudgedCell {
  readonly cell: CodeCell;
  readonly verdict: Verdict;
  /** Of a crash: the line of the file on which the offending line of the cell stands. */
  readonly fileLine?: number;
}

export interface UnjudgedCell {
  readonly cell: CodeCell;
  readonly reason: Reason;
}

export interface NotebookReport {
  readonly path: string;
  readonly outcome: Outcome;
  readonly cells: readonly JudgedCell[];
  readonly unjudged: readonly UnjudgedCell[];
  /** Why Grus could not do its work on it; null where it could. */
  readonly problem: string | null;
  readonly chosen: ChosenKernel | null;
  readonly ms: number;
}

export interface Summary {
  readonly notebooks: number;
  readonly crash: number;
  readonly ok: number;
  readonly unknown: number;
  /** Those that Grus could not do its work on; they count as unknown too. */
  readonly problems: number;
  readonly cells: number;
  readonly not_judged: number;
  readonly ms: number;
}

export function crashesOf({ cells }: NotebookReport): JudgedCell[] {
  return cells.filter(({ verdict }) => verdict.outcome === 'crash');
}

/** How long a cell took: to judge it, and to run it where it was run. */
export function secondsOf({ verdict }: JudgedCell): number {
  return verdict.rungs.reduce((sum, { ms }) => sum + ms, 0) / 1000;
}

/** A notebook runs when every cell does; one crash is a crash. */
export function outcomeOf({
  cells,
  unjudged,
  problem,
}: Pick<NotebookReport, 'cells' | 'unjudged' | 'problem'>): Outcome {
  const outcomes = cells.map(({ verdict }) => verdict.outcome);
  if (outcomes.includes('crash')) return 'crash';
  const whole = unjudged.length === 0 && problem === null;
  return whole && outcomes.every((outcome) => outcome === 'ok') ? 'ok' : 'unknown';
}

/** A notebook that could not be judged at all. */
export function problemReport(path: string, error: unknown, ms: number): NotebookReport {
  const problem = GrusError.isInstance(error)
    ? `${error.message}. ${error.advice}`
    : error instanceof Error
      ? error.message
      : String(error);
  return { path, outcome: 'unknown', cells: [], unjudged: [], problem, chosen: null, ms };
}

export function summaryOf(reports: readonly NotebookReport[], ms: number): Summary {
  const count = (outcome: Outcome) => reports.filter((report) => report.outcome === outcome).length;
  return {
    notebooks: reports.length,
    crash: count('crash'),
    ok: count('ok'),
    unknown: count('unknown'),
    problems: reports.filter(({ problem }) => problem !== null).length,
    cells: reports.reduce((sum, { cells }) => sum + cells.length, 0),
    not_judged: reports.reduce((sum, { unjudged }) => sum + unjudged.length, 0),
    ms: Math.round(ms),
  };
}

/** A predicted crash outweighs a notebook that could not be judged. */
export function exitCodeOf({ crash, problems }: Summary): number {
  if (crash > 0) return exitCodes.crash;
  return problems > 0 ? exitCodes.couldNotWork : exitCodes.nothingBad;
}

/** The fields of the JSON, which others script against. */
export function reportAnswer({ path, outcome, cells, unjudged, problem, chosen, ms }: NotebookReport) {
  return {
    notebook: path,
    outcome,
    cells: cells.map(({ cell, verdict }) => answerOf(verdict, path, cell.number, chosen)),
    not_judged: unjudged.map(({ cell, reason }) => ({ cell: cell.number, because: textOf(reason), reason })),
    problem,
    ms: Math.round(ms),
  };
}
