// The thread that reads runs: what it is sent may be broken or hostile, and it may not take the process with it.
import { parentPort } from 'node:worker_threads';
import { GrusError } from '@grus/core';
import type { RunComparison } from '@grus/training';
import { compare } from './compare.js';
import { type Judged, judge, type RunFiles } from './judge.js';

export type Task =
  | { readonly kind: 'judge'; readonly run: RunFiles }
  /** The first is the one to compare with. */
  | { readonly kind: 'compare'; readonly runs: readonly RunFiles[] };

export interface Results {
  readonly judge: Judged;
  readonly compare: readonly RunComparison[];
}

/** `refused` is certain: another try would say the same. */
export type Answer<Result> =
  | { readonly kind: 'done'; readonly result: Result }
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'broken'; readonly reason: string };

parentPort?.on('message', (task: Task) => {
  work(task)
    .then((result): Answer<unknown> => ({ kind: 'done', result }))
    .catch((error: unknown): Answer<unknown> => {
      const reason = error instanceof Error ? error.message : String(error);
      return { kind: GrusError.isInstance(error) ? 'refused' : 'broken', reason };
    })
    .then((answer) => parentPort?.postMessage(answer));
});

function work(task: Task): Promise<Results[Task['kind']]> {
  return task.kind === 'judge' ? judge(task.run) : compare(task.runs);
}
