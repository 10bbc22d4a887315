// A bucket whose entries below the prefix are runs, or folders of runs, as in a folder. What is new or has changed is fetched, and kept no longer than
// it takes to take it.
import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { type FoundFile, type FoundRun, mayBeOfRun, runsAmong } from '@grus/training';
import { type Bucket, type BucketSettings, openBucket } from '../artefacts/bucket.js';
import { isPlainPath } from '../artefacts/manifest.js';
import type { FileToPush } from '../client/push.js';
import type { Limits } from '../web/context.js';
import { isTooOld, quietMs, type Source } from './define.js';
import { fits } from './take.js';

/** `absolute` is its key, `tag` changes with its content. */
interface FoundObject extends FoundFile {
  readonly tag: string;
}

export function s3Source(
  project: string,
  settings: BucketSettings,
  { limits, keepDays }: { readonly limits: Limits; readonly keepDays?: number | undefined },
): Source {
  const bucket = openBucket(settings);
  const seen = new Map<string, string>();
  const { host, pathname } = new URL(settings.url);
  const place = `${host}${pathname.replace(/\/$/, '')}`;
  return {
    name: place,
    project,
    look: async function* (signal) {
      for (const { path, files } of await runsIn(bucket)) {
        if (signal.aborted) return;
        const modified = Math.max(...files.map((file) => file.modified));
        const running = Date.now() - modified < quietMs;
        const state = JSON.stringify([running, files.map((file) => [file.path, (file as FoundObject).tag])]);
        if (seen.get(path) === state || isTooOld(modified, keepDays)) continue;
        const run = { name: `${place}/${path}`.slice(0, 512), running, node: null, person: null };
        const folder = await mkdtemp(join(tmpdir(), 'grus-s3-'));
        try {
          const fetched = fits(limits, files) ? await fetchAll(bucket, files, folder) : files;
          yield { ...run, files: fetched };
          seen.set(path, state);
        } finally {
          await rm(folder, { recursive: true, force: true });
        }
      }
    },
  };
}

async function runsIn(bucket: Bucket): Promise<FoundRun[]> {
  const entries = new Map<string, FoundObject[]>();
  for await (const { key, size, tag, modified } of bucket.list('')) {
    if (!isPlainPath(key) || !mayBeOfRun(key)) continue;
    const [entry = key, ...below] = key.split('/');
    const file = {
      path: below.join('/') || key,
      absolute: key,
      size,
      tag,
      modified: modified.getTime(),
    };
    entries.set(entry, [...(entries.get(entry) ?? []), file]);
  }
  return [...entries].flatMap(([entry, files]) => {
    const { runs, whole } = runsAmong(entry, files);
    return runs.length > 1 ? runs : [whole];
  });
}

/** One that was written meanwhile is as long as it is now, and one that was removed is left out. */
async function fetchAll(bucket: Bucket, files: readonly FoundFile[], folder: string): Promise<FileToPush[]> {
  const fetched: FileToPush[] = [];
  for (const [at, { path, absolute: key }] of files.entries()) {
    const absolute = join(folder, String(at));
    const bytes = await bucket.get(key);
    if (bytes === null) continue;
    const written = createWriteStream(absolute);
    await pipeline(bytes, written);
    fetched.push({ path, absolute, size: written.bytesWritten });
  }
  return fetched;
}
