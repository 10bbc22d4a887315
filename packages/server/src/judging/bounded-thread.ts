// A thread that reads runs, with a bound on time and memory. After a bound was reached the next task gets a new thread.
import { Worker } from 'node:worker_threads';
import type { Answer, Results, Task } from './thread.js';

export interface Bounds {
  /** The built file of `thread.ts`. */
  readonly thread: string;
  readonly seconds: number;
  readonly megabytes: number;
}

export interface BoundedThread {
  /** One at a time. */
  ask<Kind extends Task['kind']>(task: Extract<Task, { kind: Kind }>): Promise<Answer<Results[Kind]>>;
  close(): Promise<void>;
}

/** What is new and soon gone may take so much before it is cleared away; a thread would let it grow to three times as much. */
const youngMegabytes = 16;

export function boundedThread({ thread, seconds, megabytes }: Bounds): BoundedThread {
  let worker: Worker | null = null;
  const stop = async (): Promise<void> => {
    const stopped = worker;
    worker = null;
    await stopped?.terminate();
  };
  return {
    ask: (task) =>
      new Promise((resolve) => {
        const resourceLimits = {
          maxOldGenerationSizeMb: megabytes,
          maxYoungGenerationSizeMb: youngMegabytes,
        };
        worker ??= new Worker(thread, { resourceLimits });
        const open = worker;
        const finish = (answer: Answer<never>, spoilt: boolean): void => {
          clearTimeout(timer);
          open.off('message', onAnswer).off('error', onError).off('exit', onExit);
          if (spoilt) void stop().then(() => resolve(answer));
          else resolve(answer);
        };
        const broken = (reason: string): void => finish({ kind: 'broken', reason }, true);
        const onAnswer = (answer: Answer<never>): void => finish(answer, false);
        const onExit = (code: number): void => broken(`the thread ended with code ${code}`);
        const onError = (error: NodeJS.ErrnoException): void =>
          broken(
            error.code === 'ERR_WORKER_OUT_OF_MEMORY'
              ? `reading it takes more than ${megabytes} MB of memory`
              : error.message,
          );
        const timer = setTimeout(() => broken(`it was not read within ${seconds} s`), seconds * 1_000);
        open.on('message', onAnswer).on('error', onError).on('exit', onExit);
        open.postMessage(task);
      }),
    close: stop,
  };
}
