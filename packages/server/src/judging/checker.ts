// Judges notebooks for whoever asks, one after the other: those below one folder, which whoever started the worker named, because their cells are run.
import { realpath, stat } from 'node:fs/promises';
import { isAbsolute, relative } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { visible } from '@grus/core';
import { digestOfFile } from '../client/push.js';
import { checkSeconds, type Queue, type TakenCheck } from '../queue/queue.js';
import { type Check, type CheckAnswer, keepAnswer, waitingCheck } from '../store/checks.js';
import type { Database } from '../store/database.js';
import { keepWorking, type RunningWorker } from './loop.js';

export interface NotebookSettings {
  /** Whose notebooks may be run. */
  readonly folder: string;
  /** What `grus check` says of it, as JSON. */
  judge(path: string, options: { readonly rehearse: boolean }): Promise<unknown>;
  /** Ends a judgement that takes too long. */
  end(): Promise<void>;
}

interface CheckerParts {
  readonly database: Database;
  readonly queue: Queue;
  readonly notebooks: NotebookSettings;
  readonly onTrouble: (text: string) => void;
}

/** Less than what the queue waits for. */
const mostMs = (checkSeconds - 30) * 1_000;

export function startChecker({ database, queue, notebooks, onTrouble }: CheckerParts): RunningWorker {
  const { checks } = queue;
  const work = async (job: TakenCheck): Promise<void> => {
    const check = await waitingCheck(database, job.check);
    const done = (answer: CheckAnswer): Promise<void> =>
      keepAnswer(database, job.check, answer, (connection) => checks.done(job, connection));
    if (check === null) return done({ trouble: 'it was answered already' });
    const path = await placeOf(check, notebooks.folder);
    if (path === null)
      return done({
        trouble: `the worker has no such notebook: ${visible(check.path)} is not below its folder, or differs`,
      });
    try {
      await done({ report: await bounded(notebooks, path, check) });
    } catch (error) {
      await checks.failed(job, visible(String(error)));
    }
  };
  return keepWorking(async () => {
    const job = await checks.take();
    if (job !== null) {
      await work(job);
      return true;
    }
    const lost = await checks.takeGivenUp();
    if (lost === null) return false;
    await keepAnswer(database, lost.check, { trouble: 'its judgement did not end' }, (connection) =>
      checks.buried(lost, connection),
    );
    return true;
  }, onTrouble);
}

/** Null where it is not that notebook. */
async function placeOf({ path, digest }: Check, folder: string): Promise<string | null> {
  const [root, place] = await Promise.all([realpath(folder), realpath(path).catch(() => null)]);
  if (place === null) return null;
  const below = relative(root, place);
  if (below === '' || below.startsWith('..') || isAbsolute(below)) return null;
  const { size } = await stat(place);
  return (await digestOfFile({ path, absolute: place, size })) === digest ? place : null;
}

async function bounded(notebooks: NotebookSettings, path: string, { rehearse }: Check): Promise<unknown> {
  const ended = new AbortController();
  const tooLong = wait(mostMs, undefined, { signal: ended.signal }).then(
    () => notebooks.end(),
    () => undefined,
  );
  try {
    return await notebooks.judge(path, { rehearse });
  } finally {
    ended.abort();
    await tooLong;
  }
}
