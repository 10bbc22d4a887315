// Walks one notebook of the corpus in a real kernel: each cell is judged on the state the earlier ones left and is then
// executed whatever the verdict says, so that every prediction meets the truth.
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { GrusError, type Verdict } from '@grus/core';
import { type CodeCell, NotebookSession } from '@grus/notebook';
import { crashOf } from '../live/crash.js';
import { withScratchKernel } from '../live/scratch-kernel.js';
import { type CorpusNotebook, cellsOf } from './corpus.js';
import type { CellResult, NotebookResult } from './results.js';

export interface WalkOptions {
  readonly python: string;
  readonly cache: string;
  /** Milliseconds that one cell may run. Default 40 000. */
  readonly cellTimeout?: number;
  /** Milliseconds after which no further cell of the notebook is started. Default 120 000. */
  readonly notebookTimeout?: number;
}

/** Failures in a row after which a notebook is given up: data could not be downloaded, and all that follows needs it. */
const hopeless = 5;

export async function walkNotebook(notebook: CorpusNotebook, options: WalkOptions): Promise<NotebookResult> {
  const cells: CellResult[] = [];
  const found = await cellsOf(notebook);
  try {
    await withScratchKernel(
      options.python,
      (kernel) => walk(new NotebookSession(kernel, found), found, options, cells),
      await environment(options.cache),
    );
    return { notebook: notebook.name, cells, problem: null };
  } catch (error) {
    if (!GrusError.isInstance(error)) throw error;
    return { notebook: notebook.name, cells, problem: error.message };
  }
}

async function walk(
  session: NotebookSession,
  cells: readonly CodeCell[],
  options: WalkOptions,
  results: CellResult[],
): Promise<void> {
  const deadline = performance.now() + (options.notebookTimeout ?? 120_000);
  // In a session in use the agent has long been installed: that cost belongs to no cell.
  if (cells[0]) await session.check(cells[0]);
  let failures = 0;
  for (const cell of cells) {
    if (performance.now() > deadline || failures === hopeless) return;
    const started = performance.now();
    const verdict = await session.check(cell, { preview: true });
    const ms = Math.round((performance.now() - started) * 10) / 10;
    const run = await session.execute(cell, { timeout: options.cellTimeout ?? 40_000 });
    // What an interrupted cell leaves behind is the state of no ordinary notebook.
    if (run.status !== 'ok' && run.status !== 'error') return;
    const crash = crashOf(run);
    failures = crash === null ? 0 : failures + 1;
    results.push({
      cell: cell.number,
      crash: crash === null ? null : { ...crash, message: crash.message.slice(0, 300) },
      prediction: predictionOf(verdict, cell),
      ms,
    });
  }
}

function predictionOf(verdict: Verdict, cell: CodeCell): CellResult['prediction'] {
  const { outcome, findings, rungs: _, evidence, ...fields } = verdict;
  if (outcome !== 'crash') return null;
  return {
    ...fields,
    outcome,
    evidence: evidence.map(({ fact, source }) => ({ fact, source })),
    check: findings[0]?.check ?? null,
    code: lineOf(cell, verdict.line),
  };
}

function lineOf(cell: CodeCell, line: number | null): string | null {
  return line === null ? null : (cell.source.split('\n')[line - 1]?.trim() ?? null);
}

/** No windows, no network, nothing written outside the scratch folder but the font cache, which takes long to build. */
async function environment(cache: string): Promise<Record<string, string>> {
  const home = join(cache, 'home');
  await mkdir(join(home, 'matplotlib'), { recursive: true });
  const nowhere = 'http://127.0.0.1:9';
  return {
    HOME: home,
    MPLBACKEND: 'Agg',
    MPLCONFIGDIR: join(home, 'matplotlib'),
    HTTP_PROXY: nowhere,
    HTTPS_PROXY: nowhere,
    http_proxy: nowhere,
    https_proxy: nowhere,
    no_proxy: '',
    NO_PROXY: '',
  };
}
