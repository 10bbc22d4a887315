// Runs scenarios through the Python recorder and says where the artefacts are.
import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { GrusError } from '@grus/core';

export interface Recorder {
  /** The folder of the scenarios. */
  readonly folder: string;
  readonly python: string;
  /** Receives the recorder's lines of progress. */
  readonly onProgress?: (line: string) => void;
}

/** Records into `to`: entries of the catalogue by id, or the contribution in a folder. */
export async function record(
  recorder: Recorder,
  what: { ids: readonly string[] } | { from: string },
  to: string,
) {
  const words = 'ids' in what ? what.ids : ['--from', what.from];
  const child = spawn(recorder.python, [join(recorder.folder, 'record.py'), '--to', to, ...words], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let trouble = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    trouble = (trouble + text).slice(-2000);
  });
  child.stdout.setEncoding('utf8').on('data', (text: string) => recorder.onProgress?.(text.trimEnd()));
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  if (code !== 0)
    throw new GrusError(`the recorder failed: ${trouble.trim().split('\n').at(-1) ?? `exit code ${code}`}`, {
      advice: 'Run python scenarios/record.py with the same words to see all of it.',
    });
}

/** Lends a folder for recordings that nobody keeps. */
export async function withScratch<T>(use: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'grus-scenarios-'));
  try {
    return await use(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
