// A notebook that is only read: what is certain without a kernel. It takes milliseconds, so it fits in front of a commit.
import { dirname, resolve } from 'node:path';
import { climb, type Rung } from '@grus/core';
import { missingModules } from '@grus/kernel';
import { type CodeCell, judgeQuickly, modulesOf, type NotebookDocument } from '@grus/notebook';
import { chosenFor } from '../jobs/kernels.js';
import type { KernelOptions } from '../options/kernel.js';
import type { NotebookReport } from './report.js';

export async function quickNotebook(
  path: string,
  document: NotebookDocument,
  cells: readonly CodeCell[],
  { kernel, silenced }: { readonly kernel: KernelOptions; readonly silenced: readonly string[] },
): Promise<Pick<NotebookReport, 'cells' | 'unjudged' | 'problem'>> {
  const missing = await missingFor(path, document, cells, kernel);
  const found = judgeQuickly(cells, { missing, silenced });
  const rung: Rung<CodeCell> = {
    name: 'names',
    run: async (cell) =>
      found?.cell === cell
        ? { outcome: 'crash', findings: [found.finding] }
        : { outcome: 'unknown', reason: { code: 'nothing-certain', reservations: [] } },
  };
  const last = found ? found.cell.number : cells.length;
  const judged = await Promise.all(
    cells.slice(0, last).map(async (cell) => ({ cell, verdict: await climb([rung], cell) })),
  );
  const reason = { code: 'behind-crash', cell: last } as const;
  return { cells: judged, unjudged: cells.slice(last).map((cell) => ({ cell, reason })), problem: null };
}

/** What an interpreter lacks that may not be the notebook's says nothing; neither does one that is not there. */
async function missingFor(
  path: string,
  document: NotebookDocument,
  cells: readonly CodeCell[],
  kernel: KernelOptions,
): Promise<ReadonlySet<string>> {
  const chosen = await chosenFor(path, document, kernel).catch(() => null);
  if (!chosen?.certain || chosen.python === null) return new Set();
  return new Set(await missingModules(chosen.python, modulesOf(cells), dirname(resolve(path))));
}
