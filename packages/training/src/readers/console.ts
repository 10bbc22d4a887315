// Console logs of any tool: curves from the numbers in the lines, tracebacks, device messages, exits and settings
// from the words. Nearly all lines are only scanned as bytes; those with a telling word are decoded.
import { hasOutput, type KeywordAutomaton, lineEnd } from './bytes/keyword-automaton.js';
import { hasDecimalCommas, withPoints } from './bytes/numbers.js';
import { Utf16Decoder } from './bytes/utf16.js';
import type { FileRecord } from './collect/file-record.js';
import type { KeptLine } from './collect/text-keeper.js';
import { makeConsoleWords } from './console/console-words.js';
import { LineReader, maxLine } from './console/line-reader.js';
import { mostPasted, PastedText, repairsFor } from './input/pasted-text.js';
import { looksLikeText, textEncoding } from './looks-like-text.js';
import { defineReader, type FileHead, type Parser } from './reader.js';

/** What a process holds back of its output at most, in bytes: Python and C write it out when that much has come together. */
const mostHeldBack = 8192;
const lineFeed = 0x0a;

export const consoleLog = defineReader({
  id: 'console',
  title: 'console log',
  fidelity: 2,
  matches: (head) => looksLikeText(head.bytes),
  open: (record, head) => {
    const parser = new ConsoleParser(record, head);
    const repairs = head.size <= mostPasted && record.encoding === 'utf-8' ? repairsFor(head.text) : null;
    return repairs === null ? parser : new PastedText(parser, repairs, record);
  },
});

/** Cuts bytes, as they come, into lines. */
export class ConsoleParser implements Parser {
  private readonly lines: LineReader;
  private readonly utf16: Utf16Decoder | null;
  private carry: Buffer = Buffer.alloc(0);
  private discarding = false;
  private line = 1;
  private afterReturn = false;
  /** Where the bytes at hand begin in the file. */
  private offset = 0;
  /** The last error that ended, until enough was written behind it. */
  private raised: { readonly line: number; readonly clear: number } | null = null;
  /** Whether fractions are written with a comma. */
  private readonly hasCommas: boolean;

  constructor(
    private readonly record: FileRecord,
    { bytes }: Pick<FileHead, 'bytes'>,
  ) {
    this.lines = new LineReader(record, bytes.toString('latin1'));
    this.hasCommas = hasDecimalCommas(bytes.toString('latin1', 0, 16_384));
    const encoding = textEncoding(bytes);
    this.utf16 = encoding === 'utf-8' ? null : new Utf16Decoder(encoding);
    record.encoding = encoding;
  }

  write(chunk: Buffer): void {
    this.record.text.bytes += chunk.length;
    const text = this.utf16 === null ? chunk : this.utf16.decode(chunk);
    this.scan(this.hasCommas ? withPoints(text) : text);
  }

  /** Lines that were joined to the one before still count. */
  skipLines(count: number): void {
    this.line += count;
    this.record.text.lines += count;
  }

  settle(): void {
    this.lines.settle();
  }

  end(): void {
    const last = this.carry;
    if (last.length > 0) {
      this.carry = Buffer.alloc(0);
      lineEndFrom(last, 0);
      this.lines.read(last, 0, last.length, this.line, wordsMet, true);
      this.record.text.lines++;
      this.record.text.addTail([this.lines.kept(last, 0, last.length, this.line)]);
    }
    this.lines.end();
    if (this.record.text.bytes === 0 && !this.record.file.endsWith('!output'))
      this.record.note('skipped', 'the file is empty', -1);
  }

  private scan(chunk: Buffer): void {
    const bytes = this.carry.length === 0 ? chunk : Buffer.concat([this.carry, chunk]);
    const { length } = bytes;
    let start = 0;
    if (this.discarding) {
      const newline = bytes.indexOf(lineFeed);
      if (newline < 0) return;
      this.discarding = false;
      this.skipLines(1);
      start = newline + 1;
    }
    let nextLine = -1;
    while (start < length) {
      if (this.lines.mayKnow) {
        // Lines of the head are all looked into; what a progress bar wrote over before the line ended is none of them.
        const { wantsHead } = this.record.text;
        if (wantsHead && nextLine < start) nextLine = nextLineFeed(bytes, start);
        const known = this.lines.readKnown(bytes, start, wantsHead ? nextLine : length, this.line);
        if (known >= 0) {
          if (this.raised !== null) this.settleError(start);
          this.pass(bytes[known] === lineFeed);
          start = known + 1;
          continue;
        }
      }
      const at = lineEndFrom(bytes, start);
      if (at === length) break;
      const isNewline = bytes[at] === lineFeed;
      const isRest = at === start && isNewline && this.afterReturn;
      if (!isRest && (at > start || isNewline))
        this.lines.read(bytes, start, at, this.line, wordsMet, isNewline);
      if (this.lines.endsError)
        this.raised = { line: this.line - 1, clear: this.offset + start + mostHeldBack };
      else if (this.raised !== null) this.settleError(start);
      this.lines.endsError = false;
      this.pass(isNewline);
      start = at + 1;
    }
    this.keepTail(bytes, start);
    this.offset += start;
    const rest = length - start;
    if (rest > maxLine) {
      this.record.note(
        'long_line',
        `a line is longer than ${maxLine} bytes: only its beginning is read`,
        this.line,
      );
      this.lines.read(bytes, start, start + maxLine, this.line, wordsMet, true);
      this.discarding = true;
      this.carry = Buffer.alloc(0);
    } else this.carry = Buffer.from(bytes.subarray(start));
  }

  private settleError(start: number): void {
    const { line, clear } = this.raised!;
    if (this.offset + start < clear) return;
    this.record.flushed.push({ raised: line, behind: this.line });
    this.raised = null;
  }

  private pass(isNewline: boolean): void {
    if (isNewline) this.skipLines(1);
    this.afterReturn = !isNewline;
  }

  /** The last whole lines of the bytes read so far. */
  private keepTail(bytes: Buffer, end: number): void {
    const lines: KeptLine[] = [];
    let to = end - 1;
    let number = this.line - 1;
    while (to >= 0 && lines.length < this.record.text.tailSize) {
      const newline = to > 0 ? bytes.lastIndexOf(lineFeed, to - 1) : -1;
      if (bytes[to] !== lineFeed) break;
      lines.push(this.lines.kept(bytes, newline + 1, to, number--));
      to = newline;
    }
    if (lines.length > 0) this.record.text.addTail(lines.reverse());
  }
}

/** The length of the bytes where there is none. */
function nextLineFeed(bytes: Buffer, from: number): number {
  const found = bytes.indexOf(lineFeed, from);
  return found < 0 ? bytes.length : found;
}

let words: KeywordAutomaton | null = null;

function consoleWords(): KeywordAutomaton {
  words ??= makeConsoleWords();
  return words;
}

/** The flags of the words before the end of the line looked for last. */
let wordsMet = 0;

/** The length of the bytes where the line goes on behind them. */
function lineEndFrom(bytes: Buffer, start: number): number {
  const { classes, next, output, width } = consoleWords();
  const { length } = bytes;
  let state = 0;
  let flags = 0;
  let at = start;
  for (; at < length; at++) {
    state = next[state + classes[bytes[at]!]!]!;
    if (state < hasOutput) continue;
    state -= hasOutput;
    const found = output[state / width]!;
    if (found === lineEnd) break;
    flags |= found;
  }
  wordsMet = flags;
  return at;
}
