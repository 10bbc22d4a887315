// The files of the runs, by the digest of their content, one folder per project: nobody learns what another project has. What a run calls a file is
// never a path here.
import { createHash, randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { GrusError } from '@grus/core';
import { isId } from '../ids.js';
import type { ManifestFile } from './manifest.js';

export type Refusal = 'too-large' | 'other-digest' | 'no-beginning';

interface Bounds {
  /** Bytes of the whole file. */
  readonly limit: number;
  /** A file that is there and is the beginning of this one. */
  readonly after?: string | undefined;
}

/** A file that was kept is no more. */
export class LostFileError extends GrusError {
  constructor(place: string) {
    super(`a file of the run is not in ${place} any more`, { advice: 'Was it removed by somebody else?' });
  }
}

export interface ArtefactStore {
  /** In bytes; null where there is none. */
  sizeOf(project: string, digest: string): Promise<number | null>;
  /** Keeps the bytes when they are what the digest says. */
  keep(project: string, digest: string, bytes: Readable, bounds: Bounds): Promise<Refusal | null>;
  /** Where its bytes can be read on this machine. */
  local(project: string, digest: string): Promise<string>;
  /** Digests of everything kept for a project. */
  list(project: string): Promise<string[]>;
  /** Unless it is younger than so many milliseconds. */
  removeOld(project: string, digest: string, ageMs: number): Promise<void>;
}

export function openArtefacts(folder: string): ArtefactStore {
  const pathOf = (project: string, digest: string): string => {
    if (!isId(project) || !/^[0-9a-f]{64}$/.test(digest))
      throw new TypeError('neither a project nor a digest');
    return join(folder, project, digest.slice(0, 2), digest);
  };
  return {
    local: async (project, digest) => pathOf(project, digest),
    sizeOf: (project, digest) =>
      stat(pathOf(project, digest)).then(
        ({ size }) => size,
        () => null,
      ),
    keep: async (project, digest, bytes, { limit, after }) => {
      const path = pathOf(project, digest);
      const beginning = after === undefined ? null : await open(pathOf(project, after)).catch(() => null);
      if (after !== undefined && beginning === null) return 'no-beginning';
      const whole = beginning === null ? bytes : oneAfterTheOther(beginning.createReadStream(), bytes);
      await mkdir(join(path, '..'), { recursive: true, mode: 0o700 });
      const unfinished = `${path}.${randomUUID()}`;
      try {
        const { size, actual } = await write(whole, unfinished, limit);
        if (size > limit) return 'too-large';
        if (actual !== digest) return 'other-digest';
        await rename(unfinished, path);
        return null;
      } finally {
        await rm(unfinished, { force: true });
        await beginning?.close();
      }
    },
    list: async (project) => {
      const names = await readdir(join(folder, project), { recursive: true }).catch((): string[] => []);
      return names.map((name) => name.slice(3)).filter((name) => /^[0-9a-f]{64}$/.test(name));
    },
    removeOld: async (project, digest, ageMs) => {
      const path = pathOf(project, digest);
      const stats = await stat(path).catch(() => null);
      if (stats !== null && Date.now() - stats.mtimeMs >= ageMs) await rm(path, { force: true });
    },
  };
}

function oneAfterTheOther(...streams: readonly Readable[]): Readable {
  return Readable.from(
    (async function* () {
      for (const stream of streams) yield* stream;
    })(),
  );
}

/** The files of a run, with where their bytes are. */
export async function placesOf(
  artefacts: ArtefactStore,
  project: string,
  files: readonly ManifestFile[],
): Promise<{ path: string; size: number; absolute: string }[]> {
  const places = [];
  for (const { path, digest, size } of files)
    places.push({ path, size, absolute: await artefacts.local(project, digest) });
  return places;
}

/** Stops at the first byte beyond the limit. */
async function write(
  bytes: Readable,
  path: string,
  limit: number,
): Promise<{ size: number; actual: string }> {
  const hash = createHash('sha256');
  let size = 0;
  const counted = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      size += chunk.length;
      hash.update(chunk);
      if (size > limit) done(new LimitReached());
      else done(null, chunk);
    },
  });
  try {
    await pipeline(bytes, counted, createWriteStream(path, { flags: 'wx', mode: 0o600 }));
  } catch (error) {
    if (!(error instanceof LimitReached)) throw error;
  }
  return { size, actual: hash.digest('hex') };
}

class LimitReached extends Error {}
