// The work of `grus check`: opens a kernel, replays what comes before, has the cell judged and reports it.
import { basename } from 'node:path';
import { GrusError, type Verdict, visible } from '@grus/core';
import type { ChosenKernel } from '@grus/kernel';
import {
  type CheckOptions,
  type CheckTarget,
  type CodeCell,
  checkCell,
  codeCells,
  NotebookSession,
  readNotebook,
  selectCell,
} from '@grus/notebook';
import { type CheckFlags, timeoutOf } from '../options/check.js';
import { isMany } from '../pipeline/find.js';
import { renderFix } from '../render/fix.js';
import { renderVerdict } from '../render/verdict.js';
import { exitCodes, printJson } from '../terminal/output.js';
import { type Progress, startProgress } from '../terminal/progress.js';
import { type Style, styleFor } from '../terminal/style.js';
import { labelled } from '../terminal/wrap.js';
import { answerOf } from './answer.js';
import { checkOptions, type SettledFlags } from './check-options.js';
import { readCode } from './code.js';
import { type FixAnswer, findFix } from './fix.js';
import { interpreterLine } from './interpreters.js';
import { attachKernel, doubtsAbout, startKernelFor } from './kernels.js';
import { type CheckedNotebook, rehearseAndReport } from './rehearse.js';
import { type Settled, settled } from './settled.js';
import { walk } from './walk.js';
import { watchFile } from './watch-file.js';

export async function check(paths: readonly string[], flags: CheckFlags): Promise<number> {
  if (flags.code !== undefined) return checkCode(flags.code, await settled(null, flags));
  const [notebook] = paths;
  if (notebook === undefined) {
    throw new GrusError('nothing to check', {
      advice: 'Give a notebook, or --kernel FILE with --code FILE.',
    });
  }
  if (flags.against !== undefined) {
    const { checkAgainst } = await import('./compare.js');
    return checkAgainst(paths, flags);
  }
  if (await meansMany(paths, flags)) {
    const { checkMany } = await import('../pipeline/check-many.js');
    return checkMany(paths, flags);
  }
  const json = flags.json || flags.format?.[0]?.name === 'json';
  return checkOne(notebook, { ...(await settled(notebook, flags)), json });
}

async function checkOne(notebook: string, flags: SettledFlags): Promise<number> {
  if (flags.withEdit !== undefined && flags.cell === undefined) {
    throw new GrusError('--with-edit needs a cell', { advice: 'Say which with --cell N.' });
  }
  const checker = new NotebookChecker(notebook, flags);
  try {
    return await (flags.watch ? watchFile(notebook, () => checker.round()) : checker.round());
  } finally {
    await checker.close();
  }
}

/** One notebook is told as ever, unless what only a report of several can say is asked for. */
async function meansMany(
  paths: readonly string[],
  { shard, jobs, rehearse, quick, fleet, format = [] }: CheckFlags,
): Promise<boolean> {
  const plain = format.every(({ name, file }) => (name === 'text' || name === 'json') && file === null);
  if (paths.length > 1 || shard || jobs || rehearse || quick || fleet || format.length > 1 || !plain)
    return true;
  return isMany(paths[0]!);
}

/** Checks one notebook, once or after each change; the kernel is kept while what ran in it still holds. */
class NotebookChecker {
  #session: NotebookSession | null = null;
  /** Which kernel the session runs in, and why. */
  #chosen: ChosenKernel | null = null;
  /** Sources of the cells that were run in the kernel. */
  #ran: readonly string[] = [];

  constructor(
    private readonly path: string,
    private readonly flags: SettledFlags,
  ) {}

  async round(): Promise<number> {
    const document = await readNotebook(this.path);
    const cells = codeCells(document);
    if (cells.length === 0) {
      throw new GrusError(`${this.path} has no code cells`, { advice: 'There is nothing to check in it.' });
    }
    const chosen = this.flags.cell === undefined ? null : selectCell(cells, this.flags.cell, this.path);
    const target = chosen === null ? null : await edited(chosen, this.flags);
    const progress = startProgress();
    try {
      if (target !== null && this.#session !== null && this.#stillHolds(cells, target)) {
        return await this.#judge(this.#session.withCells(cells), target, progress);
      }
      progress.update('starting a kernel');
      await this.close();
      const { kernel, chosen } = await startKernelFor(this.path, document, this.flags);
      const session = new NotebookSession(kernel, cells);
      this.#session = session;
      this.#chosen = chosen;
      if (this.flags.all) {
        return await rehearseAndReport(
          { path: this.path, chosen },
          session,
          cells,
          target,
          this.flags,
          progress,
        );
      }
      if (target === null)
        return await walkAndReport({ path: this.path, chosen }, session, cells, this.flags, progress);
      await session.replayUpTo(target, {
        ...timeoutOf(this.flags),
        ...doubtsAbout(chosen),
        onCell: (cell) =>
          progress.update(`running cell ${cell.number} of ${target.number - 1} before cell ${target.number}`),
      });
      this.#ran = cells.slice(0, target.number - 1).map((cell) => cell.source);
      return await this.#judge(session, target, progress);
    } finally {
      progress.done();
    }
  }

  async close(): Promise<void> {
    const session = this.#session;
    this.#session = null;
    await session?.kernel.close();
  }

  #stillHolds(cells: readonly CodeCell[], target: CodeCell): boolean {
    return (
      this.#ran.length === target.number - 1 &&
      this.#ran.every((source, index) => cells[index]?.source === source)
    );
  }

  async #judge(session: NotebookSession, target: CodeCell, progress: Progress): Promise<number> {
    progress.update(`checking cell ${target.number}`);
    const chosen = this.#chosen!;
    const options = { ...(await checkOptions(this.flags, 'one-cell')), ...doubtsAbout(chosen), strict: true };
    const verdict = await session.check(target, options);
    const fix = await fixFor(targetIn(session, target), verdict, options, this.flags, progress);
    progress.done();
    const subject = { notebook: this.path, cell: target.number, source: target.source, chosen };
    return report(verdict, subject, this.flags, fix);
  }
}

async function walkAndReport(
  { path, chosen }: CheckedNotebook,
  session: NotebookSession,
  cells: readonly CodeCell[],
  flags: SettledFlags,
  progress: Progress,
): Promise<number> {
  const options = { ...(await checkOptions(flags, 'walk')), ...doubtsAbout(chosen) };
  const steps = await walk(session, cells, {
    ...timeoutOf(flags),
    check: options,
    onStep: (cell, doing) => progress.update(`${doing} cell ${cell.number} of ${cells.length}`),
  });
  const last = steps.at(-1)!;
  const fix = await fixFor(targetIn(session, last.cell), last.verdict, options, flags, progress);
  progress.done();
  if (!flags.json) {
    const style = styleFor(process.stdout);
    for (const { cell, verdict } of steps) {
      process.stdout.write(
        `${renderVerdict({ verdict, subject: `cell ${cell.number}`, source: cell.source }, style)}\n`,
      );
    }
    if (fix) process.stdout.write(`${renderFix(fix, last.cell.source, style)}\n`);
    process.stdout.write(renderInterpreter(chosen, style));
    process.stdout.write(renderSettings(flags, style));
  } else {
    const answers = steps.map(({ cell, verdict }) => answerOf(verdict, path, cell.number, chosen));
    printJson({ ...answerOf(last.verdict, path, last.cell.number, chosen), ...fix, cells: answers });
  }
  return last.verdict.outcome === 'crash' ? exitCodes.crash : exitCodes.nothingBad;
}

/** The cell with the code that --with-edit names in its place. */
async function edited(cell: CodeCell, flags: CheckFlags): Promise<CodeCell> {
  return flags.withEdit === undefined ? cell : { ...cell, source: await readCode(flags.withEdit) };
}

async function checkCode(file: string, flags: SettledFlags): Promise<number> {
  const source = await readCode(file);
  const kernel = await attachKernel(flags);
  try {
    const target = { kernel, source, metadata: {}, number: null, cells: [] };
    const options = { ...(await checkOptions(flags, 'one-cell')), strict: true };
    const verdict = await checkCell(target, options);
    return report(
      verdict,
      { notebook: null, cell: null, source, chosen: null, label: file === '-' ? 'the code' : basename(file) },
      flags,
      await fixFor(target, verdict, options, flags),
    );
  } finally {
    await kernel.close();
  }
}

interface Subject {
  readonly notebook: string | null;
  readonly cell: number | null;
  readonly source: string;
  /** Null for a kernel that somebody else started. */
  readonly chosen: ChosenKernel | null;
  readonly label?: string;
}

/** With --fix and a predicted crash: what was found; otherwise nothing. */
async function fixFor(
  target: CheckTarget,
  verdict: Verdict,
  options: CheckOptions,
  flags: CheckFlags,
  progress?: Progress,
): Promise<FixAnswer | null> {
  if (!flags.fix || verdict.outcome !== 'crash' || verdict.rung === 'execution') return null;
  progress?.update('looking for a fix');
  return findFix(target, verdict, options, flags);
}

function targetIn({ kernel, history }: NotebookSession, cell: CodeCell): CheckTarget {
  return { kernel, source: cell.source, metadata: cell.metadata, number: cell.number, cells: history };
}

function report(verdict: Verdict, subject: Subject, flags: SettledFlags, fix: FixAnswer | null): number {
  if (flags.json) {
    printJson({ ...answerOf(verdict, subject.notebook, subject.cell, subject.chosen), ...fix });
  } else {
    const view = { verdict, subject: subject.label ?? `cell ${subject.cell}`, source: subject.source };
    const style = styleFor(process.stdout);
    process.stdout.write(`${renderVerdict(view, style)}\n`);
    if (fix) process.stdout.write(`${renderFix(fix, subject.source, style)}\n`);
    if (subject.chosen) process.stdout.write(renderInterpreter(subject.chosen, style));
    process.stdout.write(renderSettings(flags, style));
  }
  return verdict.outcome === 'crash' ? exitCodes.crash : exitCodes.nothingBad;
}

function renderInterpreter(chosen: ChosenKernel, style: Style): string {
  return `${style.dim(labelled('  with  ', visible(interpreterLine(chosen)), style.width))}\n`;
}

function renderSettings({ settingsFile }: Settled, style: Style): string {
  if (!settingsFile) return '';
  return `${style.dim(labelled('  under ', visible(settingsFile), style.width))}\n`;
}
