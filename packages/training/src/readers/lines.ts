// Splits a stream into lines for the readers of line-by-line formats; a line beyond the bound is passed over and noted.

import { Utf16Decoder } from './bytes/utf16.js';
import type { FileRecord } from './collect/file-record.js';
import { textEncoding } from './looks-like-text.js';
import type { Parser } from './reader.js';

const maxLine = 4 * 1024 * 1024;

export class LineSplitter {
  private carry: Buffer = Buffer.alloc(0);
  private line = 1;
  private discarding = false;
  private first = true;
  private utf16: Utf16Decoder | null = null;

  constructor(
    private readonly record: FileRecord,
    private readonly onLine: (text: string, line: number) => void,
  ) {}

  write(raw: Buffer): void {
    if (this.first) {
      this.first = false;
      const encoding = textEncoding(raw);
      if (encoding !== 'utf-8') this.utf16 = new Utf16Decoder(encoding);
    }
    const chunk = this.utf16 === null ? raw : this.utf16.decode(raw);
    const bytes = this.carry.length === 0 ? chunk : Buffer.concat([this.carry, chunk]);
    let start = 0;
    for (let newline = bytes.indexOf(0x0a, start); newline >= 0; newline = bytes.indexOf(0x0a, start)) {
      if (this.discarding) this.discarding = false;
      else this.emit(bytes, start, newline);
      this.line++;
      start = newline + 1;
    }
    const rest = bytes.length - start;
    if (this.discarding) this.carry = Buffer.alloc(0);
    else if (rest > maxLine) {
      this.record.note('long_line', `a line is longer than ${maxLine} bytes and is not read`, this.line);
      this.discarding = true;
      this.carry = Buffer.alloc(0);
    } else this.carry = Buffer.from(bytes.subarray(start));
  }

  /** The text after the last line feed, if any: whole or cut, only the reader can tell. */
  end(): void {
    if (this.carry.length > 0) this.emit(this.carry, 0, this.carry.length);
    this.carry = Buffer.alloc(0);
  }

  private emit(bytes: Buffer, start: number, end: number): void {
    const stop = end > start && bytes[end - 1] === 0x0d ? end - 1 : end;
    const from = this.line === 1 && bytes[start] === 0xef && bytes[start + 1] === 0xbb ? start + 3 : start;
    if (stop > from) this.onLine(bytes.toString('utf8', from, stop), this.line);
  }
}

/** A parser of a format whose lines can be read one by one. */
export abstract class LineParser implements Parser {
  private readonly lines: LineSplitter;

  constructor(protected readonly record: FileRecord) {
    this.lines = new LineSplitter(record, (text, line) => this.line(text, line));
  }

  write(chunk: Buffer): void {
    this.lines.write(chunk);
  }

  end(): void {
    this.lines.end();
  }

  protected abstract line(text: string, line: number): void;
}
