// The work of `grus snapshot`.
import { GrusError, type RedactionLevel } from '@grus/core';
import { redactSnapshot } from '@grus/kernel/snapshot';
import { codeCells, NotebookSession, readNotebook, selectCell, snapshotFor } from '@grus/notebook';
import type { KernelOptions } from '../options/kernel.js';
import { exitCodes, printJson } from '../terminal/output.js';
import { startProgress } from '../terminal/progress.js';
import { readCode } from './code.js';
import { attachKernel, startKernelFor } from './kernels.js';

export interface SnapshotFlags extends KernelOptions {
  readonly cell?: string;
  readonly code?: string;
  readonly redaction: RedactionLevel;
  readonly timeout?: number;
  readonly json?: boolean;
}

export async function snapshot(path: string | undefined, flags: SnapshotFlags): Promise<number> {
  if (flags.code !== undefined) {
    const source = await readCode(flags.code);
    const kernel = await attachKernel(flags);
    try {
      printJson(redactSnapshot(await snapshotFor(kernel, source), flags.redaction));
    } finally {
      await kernel.close();
    }
    return exitCodes.nothingBad;
  }
  if (path === undefined)
    throw new GrusError('nothing to look at', {
      advice: 'Give a notebook, or --kernel FILE with --code FILE.',
    });
  const document = await readNotebook(path);
  const cells = codeCells(document);
  const target = selectCell(cells, flags.cell ?? String(cells.length), path);
  const progress = startProgress();
  try {
    progress.update('starting a kernel');
    const kernel = await startKernelFor(path, document, flags);
    try {
      const session = new NotebookSession(kernel, cells);
      await session.replayUpTo(target, {
        ...(flags.timeout === undefined ? {} : { timeout: flags.timeout }),
        onCell: (cell) => progress.update(`running cell ${cell.number}`),
      });
      progress.done();
      printJson(redactSnapshot(await snapshotFor(kernel, target.source), flags.redaction));
    } finally {
      await kernel.close();
    }
  } finally {
    progress.done();
  }
  return exitCodes.nothingBad;
}
