// What a reader is: it recognises a file by name and first bytes, and takes its bytes as they come. The same
// parser serves a finished file of any size and a file that is still being written.
import type { JsonTokenizer } from './bytes/tolerant-json.js';
import type { FileRecord, PlaceKind } from './collect/file-record.js';

export interface FileHead {
  /** Relative to the run directory, with forward slashes. */
  readonly path: string;
  /** Base name, lower case. */
  readonly name: string;
  /** Up to 64 KiB of the file's beginning. */
  readonly bytes: Buffer;
  /** The same as text, where it is text. */
  readonly text: string;
  readonly size: number;
}

/** Takes a file's bytes in order. */
export interface Parser {
  write(chunk: Buffer): void;
  /** The end as it stands now: called once, after the last byte, or never while a file is followed. */
  end(): void;
  /** Before a record is assembled from a file still being followed. */
  settle?(): void;
}

export interface Reader {
  /** Unique, kebab case, equal to the file's name. */
  readonly id: string;
  /** What is read, in a few words, for reports. */
  readonly title: string;
  /** How points are located in its files. */
  readonly place: PlaceKind;
  /** True when the tool rewrites the file rather than appending: followed by reading it again. */
  readonly rewritten: boolean;
  /** Higher is trusted more when two files tell the same curve: those that keep NaN and full precision. */
  readonly fidelity: number;
  matches(head: FileHead): boolean;
  /** For streams of bytes; later, where what reads them is loaded only then. */
  open?(record: FileRecord, head: FileHead): Parser | Promise<Parser>;
  /** For what cannot be streamed (a database): reads the file itself. */
  readPath?(record: FileRecord, path: string): Promise<void>;
}

type ReaderDefinition = Pick<Reader, 'id' | 'title' | 'matches'> & Partial<Reader>;

export function defineReader(definition: ReaderDefinition): Reader {
  return { place: 'line', rewritten: false, fidelity: 1, ...definition };
}

/** A parser for small files that must be seen whole; refuses to hold more than `limit` bytes. */
export function wholeFile(record: FileRecord, limit: number, read: (text: string) => void): Parser {
  const chunks: Buffer[] = [];
  let size = 0;
  return {
    write(chunk) {
      if (size <= limit) chunks.push(Buffer.from(chunk));
      size += chunk.length;
    },
    end() {
      if (size > limit) {
        record.note('skipped', `larger than ${limit} bytes: not read`, -1);
        return;
      }
      read(Buffer.concat(chunks).toString('utf8'));
    },
  };
}

/** Ends the reading of a JSON document, and notes where it was not whole. */
export function endJson(tokenizer: JsonTokenizer, record: FileRecord): void {
  tokenizer.end();
  const { failedAt, complete, line } = tokenizer;
  if (failedAt !== null)
    record.note('corrupt', `not JSON from byte ${failedAt} on: the rest is not read`, line);
  else if (!complete) record.note('truncated', 'the file ends in the middle: its writer was stopped', line);
}
