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
}

interface Answer {
  readonly id: string | null;
  readonly status: 'new' | 'updated' | 'known' | 'incomplete';
  readonly missing: readonly string[];
}

const atOnce = 4;

export async function pushRun(address: ServerAddress, run: RunToPush): Promise<PushedRun> {
  const bytesOf = new Map<string, FileToPush>();
  const files: ManifestFile[] = [];
  for (const file of run.files) {
    const digest = await digestOfFile(file);
    bytesOf.set(digest, file);
    files.push({ path: file.path, digest, size: file.size });
  }
  const base = `/projects/${encodeURIComponent(address.project)}`;
  const ask = (): Promise<Answer> =>
    request(address, `${base}/runs`, { method: 'POST', json: { ...run, files } });
  const first = await ask();
  const missing = [...first.missing];
  const send = async (): Promise<void> => {
    for (let digest = missing.pop(); digest !== undefined; digest = missing.pop()) {
      const file = bytesOf.get(digest)!;
      await request(address, `${base}/files/${digest}`, { method: 'PUT', body: () => bodyOf(file) });
    }
  };
  await Promise.all(Array.from({ length: atOnce }, send));
  const last = first.missing.length === 0 ? first : await ask();
  if (last.id === null || last.status === 'incomplete')
    throw new GrusError(`${run.name} could not be sent whole`, { advice: 'Push it again.' });
  return { id: last.id, status: last.status, sent: first.missing.length };
}

/** As many bytes as it had when it was listed: a log may grow meanwhile. */
function streamOf({ absolute, size }: FileToPush): Readable {
  return size === 0 ? Readable.from([]) : createReadStream(absolute, { end: size - 1 });
}

async function digestOfFile(file: FileToPush): Promise<string> {
  const hash = createHash('sha256');
  if (file.content) hash.update(file.content);
  else for await (const chunk of streamOf(file)) hash.update(chunk as Buffer);
  return hash.digest('hex');
}

function bodyOf(file: FileToPush): ReadableStream | Buffer {
  return file.content ?? (Readable.toWeb(streamOf(file)) as ReadableStream);
}
