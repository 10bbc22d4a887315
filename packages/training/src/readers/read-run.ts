// Reads a run: a directory with everything a tool left in it, or one file. Streams: memory does not grow with the
// size of the files.
import { closeSync, openSync, readSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { basename } from 'node:path';
import { GrusError } from '@grus/core';
import type { RunRecord } from '../record/run-record.js';
import { assembleRecord } from './collect/assemble.js';
import { FileRecord } from './collect/file-record.js';
import { PointBudget } from './collect/series-builder.js';
import { compressionOf, uncompressedName, unpacked } from './input/decompress.js';
import { type FoundRun, findRuns } from './input/find-runs.js';
import type { FileHead, Reader } from './reader.js';
import { readers } from './registry.js';
import type { FoundFile } from './walk.js';

const headBytes = 64 * 1024;
const chunkBytes = 1024 * 1024;

export interface ReadRunOptions {
  readonly signal?: AbortSignal;
  /** Called after every chunk, with what was read of all that will be. */
  readonly onProgress?: (progress: { bytesRead: number; bytesTotal: number; file: string }) => void;
}

/** Reads the run at `path`. Throws a GrusError when there is nothing to read or nothing Grus can read. */
export async function readRun(path: string, options: ReadRunOptions = {}): Promise<RunRecord> {
  const { kind, whole, left } = await findRuns(path, options.signal);
  return readFiles(whole, { ...options, left, single: kind !== 'folder' });
}

/** Reads these files as one run. */
export async function readFiles(
  { path, files }: FoundRun,
  options: ReadRunOptions & { readonly left?: number; readonly single?: boolean } = {},
): Promise<RunRecord> {
  const { left = 0, single = false } = options;
  const budget = new PointBudget();
  const records: FileRecord[] = [];
  const bytesTotal = files.reduce((sum, file) => sum + file.size, 0);
  let bytesBefore = 0;
  const unknown: string[] = [];
  for (const file of files) {
    const record = await readOne(file, budget, options.signal, (read) =>
      options.onProgress?.({ bytesRead: bytesBefore + read, bytesTotal, file: file.path }),
    );
    bytesBefore += file.size;
    if (record === null) unknown.push(file.path);
    else records.push(record);
  }
  if (single && records.length === 0) {
    throw new GrusError(`${path} is binary and of no kind Grus reads`, {
      advice: 'Give the run directory, a log, an event file, or a metrics file.',
    });
  }
  if (records.length === 0) {
    throw new GrusError(`${path} holds no training artefacts that Grus reads`, {
      advice: 'Give the directory a training run wrote its logs, metrics or event files into.',
    });
  }
  if (left > 0) records[0]!.note('limit', `${left} more files than a run can have were left out`, -1);
  return assembleRecord(path, records, fidelityOf);
}

export function fidelityOf(id: string): number {
  return readers.find((reader) => reader.id === id)?.fidelity ?? 0;
}

/** The files of the one run that is followed; older runs in the same place are set aside. */
export async function filesOf(path: string, signal?: AbortSignal): Promise<readonly FoundFile[]> {
  return (await findRuns(path, signal)).whole.files;
}

export async function readHead(file: FoundFile): Promise<FileHead> {
  const handle = await open(file.absolute, 'r');
  try {
    const bytes = Buffer.alloc(Math.min(headBytes, Math.max(file.size, 1)));
    const { bytesRead } = await handle.read(bytes, 0, bytes.length, 0);
    return headOf(file.path, bytes.subarray(0, bytesRead), file.size);
  } finally {
    await handle.close();
  }
}

export function headOf(path: string, bytes: Buffer, size: number): FileHead {
  const encoding = bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf16le' : 'utf8';
  return { path, name: basename(path).toLowerCase(), bytes, text: bytes.toString(encoding), size };
}

export function readerFor(head: FileHead): Reader | null {
  return readers.find((reader) => reader.matches(head)) ?? null;
}

async function readOne(
  file: FoundFile,
  budget: PointBudget,
  signal: AbortSignal | undefined,
  onRead: (bytes: number) => void,
): Promise<FileRecord | null> {
  const broken: string[] = [];
  let bytes = bytesOf(file, onRead);
  try {
    let first = await nextOf(bytes);
    const compression = compressionOf(first);
    if (compression !== null) {
      bytes = unpacked(withFirst(first, bytes), compression, (reason) => broken.push(reason));
      first = await nextOf(bytes);
    }
    const name = compression === null ? file.path : uncompressedName(file.path);
    const whole = file.size > 0 && compression === null ? file.size : first.length;
    const head = headOf(name, Buffer.from(first.subarray(0, headBytes)), whole);
    const reader = readerFor(head);
    if (reader === null) return null;
    const record = new FileRecord(file.path, reader.id, budget, reader.place);
    record.bytes = file.size;
    for (const [key, value] of Object.entries(file.settings ?? {})) record.setting(key, value, -1);
    if (compression !== null) record.note('repaired', `unpacked from ${compression}`, -1);
    if (reader.readPath) {
      if (compression === null && !file.content && !file.stream) await reader.readPath(record, file.absolute);
      else record.note('skipped', `${reader.title} can only be read from a file of its own`, -1);
      return record;
    }
    const parser = await reader.open!(record, head);
    for (let chunk = first; chunk.length > 0; chunk = await nextOf(bytes)) {
      signal?.throwIfAborted();
      parser.write(chunk);
    }
    parser.end();
    if (broken.length > 0) record.note('truncated', `cannot be unpacked to its end: ${broken[0]}`, -1);
    return record;
  } catch (error) {
    signal?.throwIfAborted();
    if (!isFileError(error)) throw error;
    const record = new FileRecord(file.path, 'none', budget);
    record.note('unreadable', `cannot be opened: ${error.message}`, -1);
    return record;
  } finally {
    await bytes.return(undefined);
  }
}

function isFileError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'syscall' in error;
}

/** The next bytes; empty at the end. */
async function nextOf(bytes: AsyncGenerator<Buffer>): Promise<Buffer> {
  for (;;) {
    const { done, value } = await bytes.next();
    if (done) return Buffer.alloc(0);
    if (value.length > 0) return value;
  }
}

async function* withFirst(first: Buffer, rest: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  yield first;
  yield* rest;
}

async function* bytesOf(file: FoundFile, onRead: (bytes: number) => void): AsyncGenerator<Buffer> {
  if (file.content) yield file.content;
  else if (file.stream) yield* file.stream;
  else if (file.size > 0 && file.size < chunkBytes) yield* smallFileBytes(file.absolute, file.size, onRead);
  else yield* fileBytes(file.absolute, file.size, onRead);
}

/** At once: to have a thread read a small file takes longer than to read it. */
function* smallFileBytes(path: string, size: number, onRead: (bytes: number) => void): Generator<Buffer> {
  const file = openSync(path, 'r');
  try {
    for (let offset = 0; ; onRead(offset)) {
      const chunk = Buffer.allocUnsafeSlow(size + 1);
      const length = readSync(file, chunk);
      if (length === 0) return;
      offset += length;
      yield chunk.subarray(0, length);
    }
  } finally {
    closeSync(file);
  }
}

/** Two buffers in turn: the next chunk is fetched while this one is parsed. A chunk is good until the next is asked for. */
async function* fileBytes(
  path: string,
  size: number,
  onRead: (bytes: number) => void,
): AsyncGenerator<Buffer> {
  const handle = await open(path, 'r');
  try {
    const length = size > 0 ? Math.min(chunkBytes, size + 1) : chunkBytes;
    let chunk: Buffer = Buffer.allocUnsafeSlow(length);
    let spare: Buffer | null = null;
    let offset = 0;
    let reading = handle.read(chunk, 0, length, null);
    for (;;) {
      const { bytesRead } = await reading;
      if (bytesRead === 0) return;
      offset += bytesRead;
      spare ??= Buffer.allocUnsafeSlow(length);
      reading = handle.read(spare, 0, length, null);
      // Its failure is met when it is awaited.
      reading.catch(() => undefined);
      yield chunk.subarray(0, bytesRead);
      [chunk, spare] = [spare, chunk];
      onRead(offset);
    }
  } finally {
    await handle.close();
  }
}
