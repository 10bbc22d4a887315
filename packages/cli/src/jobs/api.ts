// The work of `checkNotebook`: as `grus check`, without a terminal.
import { GrusError } from '@grus/core';
import { withKernel } from '@grus/kernel';
import { codeCells, NotebookSession, readNotebook, selectCell } from '@grus/notebook';
import type { CheckNotebookOptions, NotebookVerdict } from '../api/types.js';
import type { CheckFlags } from '../options/check.js';
import { answerOf } from './answer.js';
import { dryOptions } from './dry.js';
import { doubtsAbout, startKernelFor } from './kernels.js';
import { settled } from './settled.js';
import { walk } from './walk.js';

export async function checkInKernel(path: string, options: CheckNotebookOptions): Promise<NotebookVerdict> {
  const document = await readNotebook(path);
  const cells = codeCells(document);
  if (cells.length === 0)
    throw new GrusError(`${path} has no code cells`, { advice: 'There is nothing to check in it.' });
  const target = options.cell === undefined ? null : selectCell(cells, String(options.cell), path);
  const { timeoutMs, preview, dry } = options;
  const given: CheckFlags = {
    ...(timeoutMs === undefined ? {} : { timeout: timeoutMs }),
    ...(preview === undefined ? {} : { preview }),
    ...(dry === undefined ? {} : { dry }),
  };
  const told = await settled(path, given);
  const { kernel, chosen } = await startKernelFor(path, document, options);
  const timeout = told.timeout === undefined ? {} : { timeout: told.timeout };
  const check = {
    ...doubtsAbout(chosen),
    preview: told.preview ?? false,
    silenced: told.silenced ?? [],
    dry: dryOptions(told, target === null ? 'auto' : 'always'),
  } as const;
  return withKernel(Promise.resolve(kernel), async () => {
    const session = new NotebookSession(kernel, cells);
    if (target === null) {
      const steps = await walk(session, cells, { ...timeout, check });
      const answers = steps.map(({ cell, verdict }) => answerOf(verdict, path, cell.number, chosen));
      return { ...answers.at(-1)!, cells: answers };
    }
    await session.replayUpTo(target, { ...timeout, ...doubtsAbout(chosen) });
    const verdict = await session.check(target, { ...check, strict: true });
    const answer = answerOf(verdict, path, target.number, chosen);
    return { ...answer, cells: [answer] };
  });
}
