// The work of `grus snapshot`.
import { GrusError, type RedactionLevel } from '@grus/core';
import { redactSnapshot } from '@grus/kernel/snapshot';
import {
  type CheckTarget,
  codeCells,
  NotebookSession,
  readNotebook,
  selectCell,
  snapshotFor,
} from '@grus/notebook';
import type { KernelOptions } from '../options/kernel.js';
import type { SettingsOptions } from '../options/settings.js';
import { modelSettings } from '../settings/apply.js';
import { settingsFor } from '../settings/find.js';
import { exitCodes, printJson } from '../terminal/output.js';
import { startProgress } from '../terminal/progress.js';
import { showAsSent } from './as-sent.js';
import { readCode } from './code.js';
import { attachKernel, startKernelFor } from './kernels.js';

export interface SnapshotFlags extends KernelOptions, SettingsOptions {
  readonly cell?: string;
  readonly code?: string;
  readonly redaction?: RedactionLevel;
  readonly model?: string;
  /** Show the question to a model instead of the snapshot it is made from. */
  readonly asSent?: boolean;
  readonly timeout?: number;
  readonly json?: boolean;
}

export async function snapshot(path: string | undefined, given: SnapshotFlags): Promise<number> {
  const settings = await settingsFor(path ?? process.cwd(), given.settings);
  const flags = given.asSent ? { ...modelSettings(settings), ...given } : given;
  if (flags.code !== undefined) {
    const source = await readCode(flags.code);
    const kernel = await attachKernel(flags);
    try {
      await show({ kernel, source, metadata: {}, number: null, cells: [] }, flags);
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
    const { kernel } = await startKernelFor(path, document, flags);
    try {
      const session = new NotebookSession(kernel, cells);
      await session.replayUpTo(target, {
        ...(flags.timeout === undefined ? {} : { timeout: flags.timeout }),
        onCell: (cell) => progress.update(`running cell ${cell.number}`),
      });
      progress.done();
      const { source, metadata, number } = target;
      await show({ kernel, source, metadata, number, cells: session.history }, flags);
    } finally {
      await kernel.close();
    }
  } finally {
    progress.done();
  }
  return exitCodes.nothingBad;
}

async function show(target: CheckTarget, flags: SnapshotFlags): Promise<void> {
  if (flags.asSent) return showAsSent(target, flags);
  printJson(redactSnapshot(await snapshotFor(target.kernel, target.source), flags.redaction ?? 'values'));
}
