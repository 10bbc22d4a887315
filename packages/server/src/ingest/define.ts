// A way in beside `grus push`: somewhere the server looks by itself, again and again.
import type { BucketSettings } from '../artefacts/bucket.js';
import type { FileToPush } from '../client/push.js';

export interface IncomingRun {
  readonly name: string;
  readonly files: readonly FileToPush[];
  readonly running: boolean;
  readonly node: string | null;
  readonly person: string | null;
}

/** A run that wrote nothing for so long has ended, as far as a folder or a bucket can tell. */
export const quietMs = 300_000;

/** Whether what was written last at this time would be dropped again, by the days that runs are kept. */
export function isTooOld(modified: number, keepDays: number | undefined): boolean {
  return keepDays !== undefined && Date.now() - modified > keepDays * 24 * 3_600_000;
}

export interface Source {
  /** As trouble names it. */
  readonly name: string;
  readonly project: string;
  /** Runs that are new or have changed since the last look, and those that could not be taken then. */
  look(signal: AbortSignal): AsyncIterable<IncomingRun>;
}

export type SourceSettings =
  | { readonly kind: 'folder'; readonly project: string; readonly path: string }
  | { readonly kind: 'mlflow'; readonly project: string; readonly url: string }
  | { readonly kind: 's3'; readonly project: string; readonly bucket: BucketSettings };
