// Repeats a job whenever a file is saved, until Ctrl-C. An error ends one round, not the watching.
import { watch } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, dirname, resolve } from 'node:path';
import { visible } from '@grus/core';
import { exitCodes, printError } from '../terminal/output.js';

/** Editors save by several writes or by renaming: wait until they are through. */
const settleMs = 150;

export async function watchFile(path: string, job: () => Promise<number>): Promise<number> {
  await attempt(job);
  process.stderr.write(`watching ${visible(path)}, Ctrl-C to stop\n`);
  let last = await contents(path);
  const events = watch(dirname(resolve(path)));
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> = Promise.resolve();
  events.on('change', (_event, name) => {
    if (name !== basename(path)) return;
    clearTimeout(timer);
    timer = setTimeout(() => {
      running = running.then(async () => {
        const now = await contents(path);
        if (now === null || now === last) return;
        last = now;
        await attempt(job);
      });
    }, settleMs);
  });
  await new Promise<void>((stop) => process.once('SIGINT', stop));
  clearTimeout(timer);
  events.close();
  return exitCodes.nothingBad;
}

async function attempt(job: () => Promise<number>): Promise<void> {
  try {
    await job();
  } catch (error) {
    printError(error);
  }
}

async function contents(path: string): Promise<string | null> {
  return readFile(path, 'utf8').catch(() => null);
}
