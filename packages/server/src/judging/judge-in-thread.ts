// A judge in a thread of its own, with a bound on time and memory. After a bound was reached the next run gets a new thread.
import { Worker } from 'node:worker_threads';
import type { JudgeAnswer, JudgeRequest } from './thread.js';

export interface JudgeSettings {
  /** The built file of `thread.ts`. */
  readonly thread: string;
  readonly seconds: number;
  readonly megabytes: number;
}

export interface ThreadJudge {
  /** One at a time. */
  judge(request: JudgeRequest): Promise<JudgeAnswer>;
  close(): Promise<void>;
}

export function threadJudge({ thread, seconds, megabytes }: JudgeSettings): ThreadJudge {
  let worker: Worker | null = null;
  const stop = async (): Promise<void> => {
    const stopped = worker;
    worker = null;
    await stopped?.terminate();
  };
  return {
    judge: (request) =>
      new Promise((resolve) => {
        worker ??= new Worker(thread, { resourceLimits: { maxOldGenerationSizeMb: megabytes } });
        const open = worker;
        const finish = (answer: JudgeAnswer, spoilt: boolean): void => {
          clearTimeout(timer);
          open.off('message', onAnswer).off('error', onError).off('exit', onExit);
          if (spoilt) void stop().then(() => resolve(answer));
          else resolve(answer);
        };
        const broken = (reason: string): void => finish({ kind: 'broken', reason }, true);
        const onAnswer = (answer: JudgeAnswer): void => finish(answer, false);
        const onExit = (code: number): void => broken(`the judge ended with code ${code}`);
        const onError = (error: NodeJS.ErrnoException): void =>
          broken(
            error.code === 'ERR_WORKER_OUT_OF_MEMORY'
              ? `reading it takes more than ${megabytes} MB of memory`
              : error.message,
          );
        const timer = setTimeout(() => broken(`it was not read within ${seconds} s`), seconds * 1_000);
        open.on('message', onAnswer).on('error', onError).on('exit', onExit);
        open.postMessage(request);
      }),
    close: stop,
  };
}
