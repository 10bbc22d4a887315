// The work of `grus run`: a guarded execution that never leaves half a file and keeps what was computed.
import { GrusError, type Verdict, visible } from '@grus/core';
import type { ExecuteResult } from '@grus/kernel';
import {
  assertWritable,
  type CodeCell,
  codeCells,
  type NotebookDocument,
  NotebookSession,
  readNotebook,
  writeNotebook,
} from '@grus/notebook';
import type { DryFlags } from '../options/dry.js';
import type { KernelOptions } from '../options/kernel.js';
import type { SettingsOptions } from '../options/settings.js';
import { renderVerdict } from '../render/verdict.js';
import { exitCodes, printJson } from '../terminal/output.js';
import { startProgress } from '../terminal/progress.js';
import { styleFor } from '../terminal/style.js';
import { answerOf } from './answer.js';
import { guardedDryOptions } from './dry.js';
import { interpreterLine } from './interpreters.js';
import { doubtsAbout, startKernelFor } from './kernels.js';
import type { CheckedNotebook } from './rehearse.js';
import { settled } from './settled.js';
import { walk } from './walk.js';

export interface RunFlags extends KernelOptions, DryFlags, SettingsOptions {
  readonly output: string;
  readonly json?: boolean;
  readonly preview?: boolean;
  readonly timeout?: number;
}

export async function run(path: string, given: RunFlags): Promise<number> {
  const flags = await settled(path, given);
  const document = await readNotebook(path);
  const cells = codeCells(document);
  if (cells.length === 0)
    throw new GrusError(`${path} has no code cells`, { advice: 'There is nothing to run in it.' });
  await assertWritable(flags.output);
  const progress = startProgress();
  progress.update('starting a kernel');
  const executed = clearOutputs(document);
  const interrupted = new AbortController();
  const interrupt = () => interrupted.abort();
  process.once('SIGINT', interrupt).once('SIGTERM', interrupt);
  try {
    const { kernel, chosen } = await startKernelFor(path, document, flags);
    try {
      const steps = await walk(new NotebookSession(kernel, cells), cells, {
        ...(flags.timeout === undefined ? {} : { timeout: flags.timeout }),
        check: {
          preview: flags.preview ?? false,
          silenced: flags.silenced ?? [],
          dry: guardedDryOptions(flags),
          ...doubtsAbout(chosen),
        },
        signal: interrupted.signal,
        onStep: (cell, doing) => progress.update(`${doing} cell ${cell.number} of ${cells.length}`),
        onResult: (cell, result) => store(executed, cell, result),
      });
      progress.done();
      await writeNotebook(flags.output, executed);
      if (interrupted.signal.aborted) return exitCodes.interrupted;
      const last = steps.at(-1)!;
      report(last.cell, last.verdict, steps.length, cells.length, { path, chosen }, flags);
      return last.verdict.outcome === 'crash' ? exitCodes.crash : exitCodes.nothingBad;
    } catch (error) {
      await writeNotebook(flags.output, executed);
      throw error;
    } finally {
      await kernel.close();
    }
  } finally {
    process.off('SIGINT', interrupt).off('SIGTERM', interrupt);
    progress.done();
  }
}

function clearOutputs(document: NotebookDocument): NotebookDocument {
  const cells = document.cells.map((cell) =>
    cell.cell_type === 'code' ? { ...cell, outputs: [], execution_count: null } : cell,
  );
  return { ...document, cells };
}

function store(document: NotebookDocument, cell: CodeCell, result: ExecuteResult): void {
  const stored = document.cells[cell.position];
  if (stored) Object.assign(stored, { outputs: result.outputs, execution_count: result.executionCount });
}

function report(
  cell: CodeCell,
  verdict: Verdict,
  reached: number,
  total: number,
  { path, chosen }: CheckedNotebook,
  flags: RunFlags,
): void {
  if (flags.json) {
    printJson({ ...answerOf(verdict, path, cell.number, chosen), output: flags.output });
    return;
  }
  const style = styleFor(process.stdout);
  if (verdict.outcome === 'crash') {
    process.stdout.write(
      `${renderVerdict({ verdict, subject: `cell ${cell.number}`, source: cell.source }, style)}\n`,
    );
    const how = verdict.rung === 'execution' ? 'Stopped at' : 'Stopped before';
    process.stdout.write(
      `${how} cell ${cell.number} of ${total}; the cells before it and their outputs are in ${visible(flags.output)}\n`,
    );
  } else {
    process.stdout.write(`${style.green('✓')} ${reached} cells ran; written to ${visible(flags.output)}\n`);
  }
  if (!chosen.certain) process.stderr.write(`grus: used ${visible(interpreterLine(chosen))}\n`);
}
