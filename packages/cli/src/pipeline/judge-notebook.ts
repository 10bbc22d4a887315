// One notebook of many: a kernel of its own, each cell judged and then run, up to the first crash, or all of it rehearsed. Whatever goes wrong is
// told in its report, and the others go on.
import { readFile } from 'node:fs/promises';
import { GrusError } from '@grus/core';
import { KernelDiedError } from '@grus/kernel';
import {
  type CheckOptions,
  type CodeCell,
  codeCells,
  NotebookSession,
  readNotebook,
  sourceLines,
} from '@grus/notebook';
import { doubtsAbout, startKernelFor } from '../jobs/kernels.js';
import { deathVerdict, stepsOf } from '../jobs/walk.js';
import type { KernelOptions } from '../options/kernel.js';
import { quickNotebook } from './quick-notebook.js';
import { rehearseNotebook } from './rehearse-notebook.js';
import { type JudgedCell, type NotebookReport, outcomeOf, problemReport } from './report.js';

export interface JudgeNotebookOptions {
  readonly kernel: KernelOptions;
  readonly check: CheckOptions;
  /** Milliseconds that one cell may run. */
  readonly timeout: number;
  /** Judge the whole notebook with training cut short, past crashes; the copies have so many milliseconds. */
  readonly rehearse?: { readonly budgetMs?: number };
  /** Where the kernel is started. Default: in the folder of the notebook. */
  readonly folder?: string;
  /** Read it alone, without a kernel. */
  readonly quick?: boolean;
  readonly onStep?: (path: string, cell: CodeCell) => void;
}

export async function judgeNotebook(path: string, options: JudgeNotebookOptions): Promise<NotebookReport> {
  const started = performance.now();
  const took = () => performance.now() - started;
  try {
    const document = await readNotebook(path);
    const cells = codeCells(document);
    if (cells.length === 0)
      return { path, outcome: 'ok', cells: [], unjudged: [], problem: null, chosen: null, ms: took() };
    if (options.quick) {
      const silenced = options.check.silenced ?? [];
      const found = await quickNotebook(path, document, cells, { kernel: options.kernel, silenced });
      return { path, ...(await placed(path, found)), chosen: null, ms: took() };
    }
    const { kernel, chosen } = await startKernelFor(path, document, options.kernel, options.folder);
    try {
      const session = new NotebookSession(kernel, cells);
      const check = { ...options.check, ...doubtsAbout(chosen) };
      const found = await (options.rehearse ? rehearsed : walked)(session, cells, {
        ...options,
        check,
        path,
      });
      return { path, ...(await placed(path, found)), chosen, ms: took() };
    } finally {
      await kernel.close();
    }
  } catch (error) {
    return problemReport(path, error, took());
  }
}

async function placed(path: string, found: Found) {
  return { ...found, cells: await withFileLines(path, found.cells), outcome: outcomeOf(found) };
}

/** Where code hosts show a crash. */
async function withFileLines(path: string, cells: readonly JudgedCell[]): Promise<readonly JudgedCell[]> {
  if (cells.every(({ verdict }) => verdict.outcome !== 'crash')) return cells;
  const lines = sourceLines(await readFile(path, 'utf8'));
  return cells.map((judged) => {
    const own = lines[judged.cell.position];
    const fileLine = own?.[(judged.verdict.line ?? 1) - 1] ?? own?.[0];
    return judged.verdict.outcome === 'crash' && fileLine !== undefined ? { ...judged, fileLine } : judged;
  });
}

type Found = Pick<NotebookReport, 'cells' | 'unjudged' | 'problem'>;

async function rehearsed(
  session: NotebookSession,
  cells: readonly CodeCell[],
  { path, check, timeout, rehearse, onStep }: JudgeNotebookOptions & { readonly path: string },
): Promise<Found> {
  const found = await rehearseNotebook(session, cells, {
    ...rehearse,
    check,
    timeout,
    onCell: (cell) => onStep?.(path, cell),
  });
  return { ...found, problem: null };
}

async function walked(
  session: NotebookSession,
  cells: readonly CodeCell[],
  { path, check, timeout, onStep }: JudgeNotebookOptions & { readonly path: string },
): Promise<Found> {
  const judged: JudgedCell[] = [];
  let running: CodeCell | null = null;
  let problem: string | null = null;
  try {
    const steps = stepsOf(session, cells, {
      check,
      timeout,
      onStep: (cell, doing) => {
        running = doing === 'running' ? cell : null;
        onStep?.(path, cell);
      },
    });
    for await (const step of steps) judged.push(step);
  } catch (error) {
    if (!GrusError.isInstance(error)) throw error;
    if (error instanceof KernelDiedError && running !== null)
      judged.push({ cell: running, verdict: deathVerdict(error.message) });
    else problem = `${error.message}. ${error.advice}`;
  }
  const last = judged.at(-1)?.cell.number ?? 0;
  const reason = { code: 'behind-crash', cell: last } as const;
  const unjudged = problem === null ? cells.slice(last).map((cell) => ({ cell, reason })) : [];
  return { cells: judged, unjudged, problem };
}
