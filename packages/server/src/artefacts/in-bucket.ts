// The files of the runs in a bucket. What is worked with lies in a folder here for an hour: readers read files, and the last ones are asked for again.
import { utimes } from 'node:fs/promises';
import type { Bucket } from './bucket.js';
import { type ArtefactStore, LostFileError } from './files.js';

const hourMs = 3_600_000;
/** At the first of so many new files of a project those that nobody asked for of late are removed here. */
const sweepEvery = 200;

export function inBucket(bucket: Bucket, here: ArtefactStore): ArtefactStore {
  const keyOf = (project: string, digest: string): string => `${project}/${digest}`;
  const added = new Map<string, number>();
  const sweep = async (project: string): Promise<void> => {
    const before = added.get(project) ?? 0;
    added.set(project, before + 1);
    if (before % sweepEvery !== 0) return;
    for (const digest of await here.list(project)) await here.removeOld(project, digest, hourMs);
  };
  const local: ArtefactStore['local'] = async (project, digest) => {
    const path = await here.local(project, digest);
    if ((await here.sizeOf(project, digest)) !== null) {
      const now = new Date();
      await utimes(path, now, now).catch(() => undefined);
      return path;
    }
    await sweep(project);
    const bytes = await bucket.get(keyOf(project, digest));
    if (bytes === null) throw new LostFileError('the bucket');
    const refused = await here.keep(project, digest, bytes, { limit: Number.MAX_SAFE_INTEGER });
    if (refused !== null) throw new LostFileError('the bucket');
    return path;
  };
  return {
    local,
    sizeOf: async (project, digest) => (await bucket.head(keyOf(project, digest)))?.size ?? null,
    keep: async (project, digest, bytes, bounds) => {
      await sweep(project);
      if (bounds.after !== undefined) await local(project, bounds.after).catch(() => undefined);
      const refused = await here.keep(project, digest, bytes, bounds);
      if (refused === null)
        await bucket.put(keyOf(project, digest), await here.local(project, digest), digest);
      return refused;
    },
    list: async (project) => {
      const digests: string[] = [];
      for await (const { key } of bucket.list(`${project}/`)) digests.push(key.slice(project.length + 1));
      return digests.filter((digest) => /^[0-9a-f]{64}$/.test(digest));
    },
    removeOld: async (project, digest, ageMs) => {
      const found = await bucket.head(keyOf(project, digest));
      if (found === null || Date.now() - found.modified.getTime() < ageMs) return;
      await bucket.remove(keyOf(project, digest));
      await here.removeOld(project, digest, 0);
    },
  };
}
