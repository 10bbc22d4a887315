// The work of `grus check --all --dry`: rehearses a cell and all after it in one copy of the kernel and says which would
// crash first, and after how long.
import { exceptionText, GrusError, textOf, visibleIn } from '@grus/core';
import type { ChosenKernel } from '@grus/kernel';
import { type CodeCell, type NotebookSession, type Rehearsal, rehearse } from '@grus/notebook';
import { type CheckFlags, timeoutOf } from '../options/check.js';
import { exitCodes, printJson } from '../terminal/output.js';
import { type Style, styleFor } from '../terminal/style.js';
import { dryOptions } from './dry.js';
import { interpreterAnswer } from './interpreters.js';

/** The notebook, and which kernel it got. */
export interface CheckedNotebook {
  readonly path: string;
  readonly chosen: ChosenKernel;
}

export async function rehearseAndReport(
  { path, chosen }: CheckedNotebook,
  session: NotebookSession,
  cells: readonly CodeCell[],
  target: CodeCell | null,
  flags: CheckFlags,
  progress: { update(text: string): void; done(): void },
): Promise<number> {
  if (flags.dry === undefined || flags.dry === 'never')
    throw new GrusError('--all rehearses in a copy of the kernel', { advice: 'Add --dry.' });
  const first = target ?? cells[0]!;
  await session.replayUpTo(first, {
    ...timeoutOf(flags),
    onCell: (cell) => progress.update(`running cell ${cell.number} before cell ${first.number}`),
  });
  progress.update(`rehearsing cells ${first.number} to ${cells.length}`);
  const remaining = cells.map((cell) => (cell.number === first.number ? first : cell));
  const rehearsal = await rehearse(session.kernel, remaining.slice(first.number - 1), dryOptions(flags));
  progress.done();
  if (flags.json) printJson({ ...answer(path, rehearsal), interpreter: interpreterAnswer(chosen) });
  else process.stdout.write(`${render(visibleIn(rehearsal), styleFor(process.stdout))}\n`);
  return rehearsal.outcome === 'crash' ? exitCodes.crash : exitCodes.nothingBad;
}

function answer(path: string, { cells, outcome }: Rehearsal) {
  const last = cells.at(-1)!;
  const finding = last.result.outcome === 'crash' ? last.result.findings[0] : null;
  return {
    notebook: path,
    cell: last.cell.number,
    outcome,
    confidence: finding?.confidence ?? (outcome === 'unknown' ? 0 : 1),
    rung: outcome === 'unknown' ? null : 'dry run',
    exception: finding?.exception ?? null,
    line: finding?.place.line ?? null,
    evidence: finding?.evidence ?? [],
    explanation: finding?.explanation ?? describe(last.result),
    remedy: finding?.remedy ?? null,
    after_ms: last.afterMs,
    cells: cells.map(({ cell, result, afterMs }) => ({
      cell: cell.number,
      outcome: result.outcome,
      after_ms: afterMs,
    })),
  };
}

function render({ cells, outcome }: Rehearsal, style: Style): string {
  const last = cells.at(-1)!;
  const finished = outcome === 'ok' ? cells : cells.slice(0, -1);
  const lines = finished.map(
    ({ cell, afterMs }) => `${style.green('✓')} ${style.bold(`cell ${cell.number}`)} finished ${at(afterMs)}`,
  );
  if (last.result.outcome === 'crash') {
    const [{ exception, place, remedy }] = last.result.findings;
    lines.push(
      `${style.red('✗')} ${style.bold(`cell ${last.cell.number} would crash`)}: ${style.red(exceptionText(exception))} in line ${place.line}, ${at(last.afterMs)}`,
      `  do    ${remedy}`,
    );
  } else if (outcome === 'unknown') {
    lines.push(`${style.green('·')} ${style.bold(`cell ${last.cell.number}`)}: ${describe(last.result)}`);
  }
  return lines.join('\n');
}

function describe(result: Rehearsal['cells'][number]['result']): string {
  return result.outcome === 'unknown' ? textOf(result.reason) : 'Every cell finished in the copy.';
}

function at(ms: number): string {
  return ms < 60_000 ? `after ${(ms / 1000).toFixed(1)} s` : `after ${(ms / 60_000).toFixed(1)} min`;
}
