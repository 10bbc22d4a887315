// Reads a run: a directory with everything a tool left in it, or one file. Streams: memory does not grow with the
// size of the files.
import { open, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { GrusError } from '@grus/core';
import type { RunRecord } from '../record/run-record.js';
import { chooseRun } from './choose-run.js';
import { assembleRecord } from './collect/assemble.js';
import { FileRecord } from './collect/file-record.js';
import { PointBudget } from './collect/series-builder.js';
import type { FileHead, Parser, Reader } from './reader.js';
import { readers } from './registry.js';
import { type FoundFile, walkRun } from './walk.js';

const headBytes = 64 * 1024;
const chunkBytes = 1024 * 1024;

export interface ReadRunOptions {
  readonly signal?: AbortSignal;
  /** Called after every chunk, with what was read of all that will be. */
  readonly onProgress?: (progress: { bytesRead: number; bytesTotal: number; file: string }) => void;
}

/** Reads the run at `path`. Throws a GrusError when there is nothing to read or nothing Grus can read. */
export async function readRun(path: string, options: ReadRunOptions = {}): Promise<RunRecord> {
  const { files, left, single } = await filesOf(path, options.signal);
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

/** The files to read; older runs in the same place are set aside. */
export async function filesOf(
  path: string,
  signal?: AbortSignal,
): Promise<{ files: FoundFile[]; left: number; single: boolean }> {
  const stats = await stat(path).catch((cause: unknown) => {
    throw new GrusError(`${path} cannot be read`, {
      advice: 'Check the path: give a run directory or a log file that exists and is readable.',
      cause,
    });
  });
  if (stats.isFile()) {
    const file = { path: basename(path), absolute: path, size: stats.size, modified: stats.mtimeMs };
    return { files: [file], left: 0, single: true };
  }
  if (!stats.isDirectory()) {
    throw new GrusError(`${path} is neither a file nor a directory`, {
      advice: 'Give a run directory or a log file.',
    });
  }
  const { files, left } = await walkRun(path, signal);
  return { files: chooseRun(files), left, single: false };
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
  let head: FileHead;
  try {
    head = await readHead(file);
  } catch (error) {
    const record = new FileRecord(file.path, 'none', budget);
    record.note('unreadable', `cannot be opened: ${(error as Error).message}`, -1);
    return record;
  }
  const reader = readerFor(head);
  if (reader === null) return null;
  const record = new FileRecord(file.path, reader.id, budget, reader.place);
  record.bytes = file.size;
  if (reader.readPath) {
    await reader.readPath(record, file.absolute);
    return record;
  }
  const parser = reader.open!(record, head);
  await feed(file.absolute, parser, signal, onRead);
  parser.end();
  return record;
}

async function feed(
  path: string,
  parser: Parser,
  signal: AbortSignal | undefined,
  onRead: (bytes: number) => void,
): Promise<void> {
  const handle = await open(path, 'r');
  try {
    let chunk = Buffer.allocUnsafeSlow(chunkBytes);
    let spare = Buffer.allocUnsafeSlow(chunkBytes);
    let offset = 0;
    for (let reading = handle.read(chunk, 0, chunkBytes, 0); ; ) {
      const { bytesRead } = await reading;
      signal?.throwIfAborted();
      if (bytesRead === 0) return;
      offset += bytesRead;
      // The next chunk is fetched while this one is parsed; its failure is met when it is awaited.
      reading = handle.read(spare, 0, chunkBytes, offset);
      reading.catch(() => undefined);
      parser.write(chunk.subarray(0, bytesRead));
      [chunk, spare] = [spare, chunk];
      onRead(offset);
    }
  } finally {
    await handle.close();
  }
}
