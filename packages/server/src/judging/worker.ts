// Takes jobs from the queue, one after the other, until it is stopped. It keeps nothing: what it was at when it died is given to another.
import { visible } from '@grus/core';
import { type ArtefactStore, LostFileError, placesOf } from '../artefacts/files.js';
import type { Queue, TakenJob } from '../queue/queue.js';
import type { Database } from '../store/database.js';
import { keepTrouble, keepVerdict, noteTry, waitingRun } from '../store/verdicts.js';
import { type Bounds, boundedThread } from './bounded-thread.js';
import { keepWorking, type RunningWorker } from './loop.js';

export interface WorkerParts {
  readonly database: Database;
  readonly queue: Queue;
  readonly artefacts: ArtefactStore;
  readonly bounds: Bounds;
  /** For what went wrong outside of a job. */
  readonly onTrouble: (text: string) => void;
}

export function startWorker(parts: WorkerParts): RunningWorker {
  const { database, queue, onTrouble } = parts;
  const thread = boundedThread(parts.bounds);

  const step = async (): Promise<boolean> => {
    const job = await queue.take();
    if (job !== null) {
      await work(job);
      return true;
    }
    const lost = await queue.takeGivenUp();
    if (lost === null) return false;
    await keepTrouble(database, lost, null, (connection) => queue.buried(lost, connection));
    return true;
  };

  const work = async (job: TakenJob): Promise<void> => {
    const run = await waitingRun(database, job);
    if (run === null) {
      await database.transaction((connection) => queue.done(job, connection));
      return;
    }
    const files = await placesOf(parts.artefacts, run.project, run.files).catch((error: unknown) =>
      unreached(job, error),
    );
    if (files === null) return;
    const answer = await thread.ask({ kind: 'judge', run: { name: run.name, files } });
    if (answer.kind === 'done') await keepVerdict(parts, job, answer.result);
    else {
      const reason = visible(answer.reason);
      if (answer.kind === 'refused')
        await keepTrouble(database, job, reason, (connection) => queue.done(job, connection));
      else {
        await noteTry(database, job, reason);
        await queue.failed(job, reason);
      }
    }
  };

  /** Where the files cannot be reached now, the run is not at fault: it waits again, and no try is counted. */
  const unreached = async (job: TakenJob, error: unknown): Promise<null> => {
    if (error instanceof LostFileError)
      await keepTrouble(database, job, error.message, (connection) => queue.done(job, connection));
    else {
      await database.transaction(async (connection) => {
        await queue.add({ run: job.run, digest: job.digest }, connection);
        await queue.done(job, connection);
      });
      throw error;
    }
    return null;
  };

  return keepWorking(step, onTrouble, () => thread.close());
}
