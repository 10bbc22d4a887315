// Sends a run: first the list of its files, then those that the server lacks, then the list again. What was sent before is not sent twice,
// so that an interrupted push goes on where it stopped.
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import { GrusError } from '@grus/core';
import type { ManifestFile } from '../artefacts/manifest.js';
import { request, type ServerAddress } from './connection.js';

export interface FileToPush {
  readonly path: string;
  readonly absolute: string;
  readonly size: number;
  readonly content?: Buffer;
}

export interface RunToPush {
  readonly name: string;
  readonly files: readonly FileToPush[];
  readonly running: boolean;
  readonly node: string | null;
  readonly person: string | null;
}

export interface PushedRun {
  readonly id: string;
  readonly status: 'new' | 'updated' | 'known';
  /** Files that had to be sent. */
  readonly sent: number;
  readonly files: readonly ManifestFile[];
}

interface Answer {
  readonly id: string | null;
  readonly status: 'new' | 'updated' | 'known' | 'incomplete';
  readonly missing: readonly string[];
}

const atOnce = 4;

/** What was pushed last of a run that goes on, by path: of a file that only grew, what it grew by is sent. */
export type PushedFiles = ReadonlyMap<string, ManifestFile>;

export async function pushRun(
  address: ServerAddress,
  run: RunToPush,
  before: PushedFiles = new Map(),
): Promise<PushedRun> {
  const growths = new Map<string, Growth>();
  const files: ManifestFile[] = [];
  for (const file of run.files) {
    const growth = await growthOf(file, before.get(file.path));
    growths.set(growth.digest, growth);
    files.push({ path: file.path, digest: growth.digest, size: file.size });
  }
  const base = `/projects/${encodeURIComponent(address.project)}`;
  const ask = (): Promise<Answer> =>
    request(address, `${base}/runs`, { method: 'POST', json: { ...run, files } });
  const first = await ask();
  const missing = [...first.missing];
  const send = async (): Promise<void> => {
    for (let digest = missing.pop(); digest !== undefined; digest = missing.pop()) {
      const { file, after } = growths.get(digest)!;
      const place = `${base}/files/${digest}`;
      const put = (path: string, from = 0): Promise<unknown> =>
        request(address, path, { method: 'PUT', body: () => bodyOf(file, from) });
      if (after === null) await put(place);
      else await put(`${place}?after=${after.digest}`, after.size).catch(() => put(place));
    }
  };
  await Promise.all(Array.from({ length: atOnce }, send));
  const last = first.missing.length === 0 ? first : await ask();
  if (last.id === null || last.status === 'incomplete')
    throw new GrusError(`${run.name} could not be sent whole`, { advice: 'Push it again.' });
  return { id: last.id, status: last.status, sent: first.missing.length, files };
}

export async function digestOfFile(file: FileToPush): Promise<string> {
  return (await growthOf(file, undefined)).digest;
}

interface Growth {
  readonly file: FileToPush;
  readonly digest: string;
  /** What the file begins with, where that is there. */
  readonly after: ManifestFile | null;
}

async function growthOf(file: FileToPush, before: ManifestFile | undefined): Promise<Growth> {
  const hash = createHash('sha256');
  const read = async (from: number, to: number): Promise<void> => {
    for await (const chunk of streamOf(file, from, to)) hash.update(chunk as Buffer);
  };
  const known = before !== undefined && before.size > 0 && before.size < file.size ? before : null;
  if (known === null) await read(0, file.size);
  else await read(0, known.size);
  const isGrown = known !== null && hash.copy().digest('hex') === known.digest;
  if (known !== null) await read(known.size, file.size);
  return { file, digest: hash.digest('hex'), after: isGrown ? known : null };
}

/** As many bytes as it had when it was listed: a log may grow meanwhile. */
function streamOf({ absolute, content }: FileToPush, from: number, to: number): Readable {
  if (from === to) return Readable.from([]);
  return content
    ? Readable.from([content.subarray(from, to)])
    : createReadStream(absolute, { start: from, end: to - 1 });
}

function bodyOf(file: FileToPush, from: number): ReadableStream | Buffer {
  return file.content?.subarray(from) ?? (Readable.toWeb(streamOf(file, from, file.size)) as ReadableStream);
}
