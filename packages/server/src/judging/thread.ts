// The thread that judges: what it is sent may be broken or hostile, and it may not take the process with it.
import { parentPort } from 'node:worker_threads';
import { GrusError } from '@grus/core';
import { type Judged, type JudgedFile, judge } from './judge.js';

export interface JudgeRequest {
  readonly name: string;
  readonly files: readonly JudgedFile[];
}

/** `refused` is certain: another try would say the same. */
export type JudgeAnswer =
  | { readonly kind: 'judged'; readonly judged: Judged }
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'broken'; readonly reason: string };

parentPort?.on('message', ({ name, files }: JudgeRequest) => {
  judge(name, files)
    .then((judged): JudgeAnswer => ({ kind: 'judged', judged }))
    .catch((error: unknown): JudgeAnswer => {
      const reason = error instanceof Error ? error.message : String(error);
      return { kind: GrusError.isInstance(error) ? 'refused' : 'broken', reason };
    })
    .then((answer) => parentPort?.postMessage(answer));
});
