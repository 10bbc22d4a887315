// Console logs of any tool: curves from the numbers in the lines, tracebacks, device messages, exits and settings
// from the words. Nearly all lines are only scanned as bytes; those with a telling word are decoded.
import { rankOfPath } from '../ranks/path-rank.js';
import { hasOutput, type KeywordAutomaton, lineEnd } from './bytes/keyword-automaton.js';
import { hasDecimalCommas, withPoints } from './bytes/numbers.js';
import { Utf16Decoder } from './bytes/utf16.js';
import type { FileRecord } from './collect/file-record.js';
import { introducedAs } from './collect/one-job.js';
import { type KeptLine, maxLineText } from './collect/text-keeper.js';
import { BareRows } from './console/bare-rows.js';
import { BoxedValues } from './console/boxed-values.js';
import { makeConsoleWords } from './console/console-words.js';
import type { DecodedLine } from './console/context.js';
import { readDeviceLine } from './console/device-lines.js';
import { ExitLines } from './console/exit-lines.js';
import { Headings, mayBeHeading } from './console/headings.js';
import { flag } from './console/keywords.js';
import { LineMetrics } from './console/line-metrics.js';
import { lineTime } from './console/line-time.js';
import { numbersBehind } from './console/number-first.js';
import {
  introducedSize,
  type Marks,
  marksOf,
  rankOfNumbered,
  stripEscapes,
  stripPrefixes,
} from './console/prefix.js';
import { markedSizeOf, markIn } from './console/rank-mark.js';
import { RankRows } from './console/rank-rows.js';
import { SeatLines } from './console/seat-lines.js';
import { readSettingsLine } from './console/settings-lines.js';
import { StackLines } from './console/stack-lines.js';
import { readStatedSettings, SettingsBlock } from './console/stated-settings.js';
import { isStepLine } from './console/step-line.js';
import { TableRows } from './console/table-rows.js';
import { TracebackParser } from './console/traceback.js';
import { mostPasted, PastedText, repairsFor } from './input/pasted-text.js';
import { looksLikeText, textEncoding } from './looks-like-text.js';
import { defineReader, type FileHead, type Parser } from './reader.js';

/** What torchrun puts before the lines of its workers. */
const hasLocal = /^\[(?:default|local[ _]rank[ :=]?)\d{1,5}\]:/m;
/** How far into a line its host may stand. */
const longestPrefix = 200;
/** A line is read up to here; what follows is passed over. */
const maxLine = 64 * 1024;
const maxRanks = 1024;
const isOfError = /\b(?:ERROR|CRITICAL|FATAL)\b/;

/** Tracebacks whose every line is kept; of later ones only what is new. */
const tracebacksKeptWhole = 20;
/** Lines of one kind that are looked into; a log may repeat one a hundred million times. */
const alikeExamined = 5000;
const alikeWeakExamined = 200;
/** What a process holds back of its output at most, in bytes: Python and C write it out when that much has come together. */
const mostHeldBack = 8192;

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

export class ConsoleParser implements Parser {
  private readonly metrics: LineMetrics;
  private readonly tables: TableRows;
  private readonly rankRows: RankRows;
  private readonly bare: BareRows;
  private readonly boxes: BoxedValues;
  private readonly exits: ExitLines;
  private readonly stacks: StackLines;
  private readonly block = new SettingsBlock();
  private readonly seats: SeatLines;
  private readonly headings = new Headings();
  private readonly tracebacks = new Map<number | null, TracebackParser>();
  private activeTracebacks = 0;
  /** The last line at the level of an error that names its rank. */
  private announced: { readonly rank: number; readonly line: number } | null = null;
  private readonly utf16: Utf16Decoder | null;
  private carry: Buffer = Buffer.alloc(0);
  private discarding = false;
  private line = 1;
  private afterReturn = false;
  /** Where the bytes at hand begin in the file. */
  private offset = 0;
  /** The last error that ended, until enough was written behind it. */
  private raised: { readonly line: number; readonly clear: number } | null = null;
  private endsError = false;
  private scratch = Buffer.alloc(0);
  /** Of lines that name none themselves. */
  private readonly rank: number | null;
  private readonly marks: Marks;
  /** Whether fractions are written with a comma. */
  private readonly hasCommas: boolean;

  constructor(
    private readonly record: FileRecord,
    head: Pick<FileHead, 'bytes'>,
  ) {
    this.rank = rankOfPath(record.file) ?? rankOfNumbered(record.file, head.bytes.toString('latin1'));
    record.worldSize ??= introducedSize(head.bytes.toString('latin1', 0, 16_384));
    this.marks = marksOf(head.bytes.toString('latin1', 0, 16_384));
    record.countsOnHost =
      this.rank === null &&
      (this.marks.own.some(({ shift }) => shift === null) ||
        (this.marks.firstLocal === null && hasLocal.test(head.bytes.toString('latin1', 0, 16_384))));
    this.seats = new SeatLines(record);
    const markedSize = markedSizeOf(
      head.bytes.toString('latin1', 0, 16_384),
      (line) => markIn(this.marks.own, line)?.rank ?? this.rank,
    );
    this.metrics = new LineMetrics(record, this.rank, this.marks, markedSize, (process) =>
      this.seats.ofProcess(process),
    );
    this.tables = new TableRows(record, this.metrics.part);
    this.rankRows = new RankRows(record);
    this.boxes = new BoxedValues(record);
    this.bare = new BareRows(record);
    this.exits = new ExitLines(record);
    this.stacks = new StackLines(record);
    this.hasCommas = hasDecimalCommas(head.bytes.toString('latin1', 0, 16_384));
    const encoding = textEncoding(head.bytes);
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
    this.metrics.flush();
  }

  end(): void {
    if (this.carry.length > 0) {
      const last = this.carry;
      this.carry = Buffer.alloc(0);
      const flags = flagsOf(last);
      this.segment(last, 0, last.length, flags, true);
      this.record.text.lines++;
      this.record.text.addTail([this.kept(last, 0, last.length, this.line)]);
    }
    this.metrics.flush();
    this.rankRows.close(this.metrics.lastStep);
    for (const parser of this.tracebacks.values()) parser.finish();
    if (this.record.text.bytes === 0 && !this.record.file.endsWith('!output'))
      this.record.note('skipped', 'the file is empty', -1);
  }

  private scan(chunk: Buffer): void {
    const bytes = this.carry.length === 0 ? chunk : Buffer.concat([this.carry, chunk]);
    const { classes, next, output, width } = consoleWords();
    const { length } = bytes;
    let start = 0;
    if (this.discarding) {
      const newline = bytes.indexOf(0x0a);
      if (newline < 0) return;
      this.discarding = false;
      this.line++;
      this.record.text.lines++;
      start = newline + 1;
    }
    let flags = 0;
    let lineFeed = -1;
    while (start < length) {
      if (this.activeTracebacks === 0 && !this.tables.active && !this.boxes.active && !this.bare.active) {
        // Lines of the head are all looked into; what a progress bar wrote over before the line ended is none of them.
        const { wantsHead } = this.record.text;
        if (wantsHead && lineFeed < start) lineFeed = nextLineFeed(bytes, start);
        const known = this.metrics.consumeKnown(bytes, start, wantsHead ? lineFeed : length, this.line);
        if (known >= 0) {
          if (this.raised !== null) this.settleError(start);
          this.pass(bytes[known] === 0x0a);
          start = known + 1;
          continue;
        }
      }
      let state = 0;
      let at = start;
      flags = 0;
      for (; at < length; at++) {
        state = next[state + classes[bytes[at]!]!]!;
        if (state < hasOutput) continue;
        state -= hasOutput;
        const found = output[state / width]!;
        if (found === lineEnd) break;
        flags |= found;
      }
      if (at === length) break;
      const isNewline = bytes[at] === 0x0a;
      const isRest = at === start && isNewline && this.afterReturn;
      if (!isRest && (at > start || isNewline)) this.segment(bytes, start, at, flags, isNewline);
      if (this.endsError) this.raised = { line: this.line - 1, clear: this.offset + start + mostHeldBack };
      else if (this.raised !== null) this.settleError(start);
      this.endsError = false;
      this.pass(isNewline);
      start = at + 1;
      flags = 0;
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
      this.segment(bytes, start, start + maxLine, flags, true);
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
    if (isNewline) {
      this.line++;
      this.record.text.lines++;
    }
    this.afterReturn = !isNewline;
  }

  /** One line, or one of the states of a line that a progress bar rewrote. */
  private segment(bytes: Buffer, from: number, to: number, flags: number, isWhole: boolean): void {
    const { record } = this;
    const cut = this.marks.glued === null ? -1 : bytes.subarray(from + 1, to).indexOf(this.marks.glued);
    if (cut >= 0) {
      this.segment(bytes, from, from + 1 + cut, flags, false);
      this.segment(bytes, from + 1 + cut, to, flags, isWhole);
      return;
    }
    const end = to - from > maxLine ? from + maxLine : to;
    const escaped = (flags & flag.escape) !== 0;
    // A line that states settings names sizes and rates that are no points of a curve.
    // So does a line of source code that a traceback quotes.
    const isQuoted = this.activeTracebacks > 0 && isIndented(bytes, from, end);
    const isQuiet = ((flags & flag.settings) !== 0 && !tellsStep(bytes, from, end)) || isQuoted;
    // Colours and cursor movements are no part of what a line says.
    const plain = escaped && !isQuiet ? this.withoutEscapes(bytes, from, end) : bytes;
    const [first, last] = plain === bytes ? [from, end] : [0, plain.length];
    const turned = escaped ? null : numbersBehind(bytes, from, end);
    const isDrawn = !isQuiet && this.tables.consumeDrawn(plain, first, last, this.line);
    const isRow =
      !isQuiet && !escaped && this.rankRows.consume(bytes, from, end, this.line, this.metrics.lastStep);
    // What was read is not what stands there: the line teaches nothing about others. Nor does one of a box, which means something in it alone.
    const rewritten = escaped || turned !== null || isDrawn || isRow;
    const isMetric =
      isDrawn ||
      isRow ||
      (!isQuiet &&
        ((escaped
          ? this.metrics.consume(plain, first, last, this.line)
          : this.metrics.consume(turned ?? bytes, turned ? 0 : from, turned?.length ?? end, this.line)) ||
          this.tables.consume(plain, first, last, this.line) ||
          this.boxes.consume(plain, first, last, this.line))) ||
      // No code looks like a table: its columns are indented to line up, not to belong to what stands before.
      (isQuoted && this.tables.consume(bytes, from, end, this.line));
    const isBare = !isMetric && !isQuiet && this.bare.consume(plain, first, last, this.line);
    const telling =
      (flags & (flag.strong | flag.traceback | flag.settings)) !== 0 ||
      ((flags & flag.weak) !== 0 && !isMetric) ||
      (!isMetric && maySetOff(bytes, from, end));
    if (telling || this.activeTracebacks > 0) {
      const alike = this.decode(bytes, from, end, flags, isMetric);
      const enough = (flags & flag.strong) !== 0 ? alikeExamined : alikeWeakExamined;
      if (alike >= enough && !isQuiet && !rewritten && (flags & flag.traceback) === 0)
        this.metrics.learn(bytes, from, end);
    } else if (!isQuiet && !rewritten && !isBare && !this.boxes.active) this.metrics.learn(bytes, from, end);
    if (isWhole && record.text.wantsHead) {
      const kept = this.kept(bytes, from, end, this.line);
      record.text.addHead(kept);
      if (this.activeTracebacks === 0) {
        readStatedSettings(record, kept.text, this.line);
        this.block.read(record, kept.text, this.line);
        this.seats.introduce(kept.text, kept.rank);
        this.seats.prefixed(this.textOf(bytes, from, Math.min(end, from + longestPrefix)), kept.rank);
      }
    }
  }

  private withoutEscapes(bytes: Buffer, from: number, to: number): Buffer {
    if (this.scratch.length < to - from) this.scratch = Buffer.alloc(Math.max(to - from, 4096));
    return this.scratch.subarray(0, copyWithoutEscapes(bytes, from, to, this.scratch));
  }

  /** Returns how many lines like this one came before; 0 for lines of tracebacks. */
  private decode(bytes: Buffer, from: number, to: number, flags: number, isMetric: boolean): number {
    const { record } = this;
    const time = lineTime(bytes, from, to);
    const whole = stripEscapes(this.textOf(bytes, from, to));
    const bare = stripPrefixes(whole, this.marks);
    const read: DecodedLine = {
      text: bare.text.length > maxLineText * 2 ? bare.text.slice(0, maxLineText * 2) : bare.text,
      line: this.line,
      rank: bare.rank ?? this.rank ?? this.seats.ofProcess(bare.process),
      time: Number.isNaN(time) ? null : time,
      step: this.metrics.lastStep,
    };
    const speaker = this.seats.feed(read);
    if (bare.rank !== null) this.seats.prefixed(whole, bare.rank);
    const { above } = this.headings;
    const heading = this.headings.under(bare);
    // What stands below a heading ends with the next one.
    if (above !== null && heading !== above) this.endTraceback(above);
    const line = { ...read, rank: read.rank ?? speaker ?? heading };
    const belongs = this.stacks.feed(line) || this.feedTraceback(line, isMetric);
    if (line.rank !== null && isOfError.test(line.text))
      this.announced = { rank: line.rank, line: line.line };
    const telling = (flags & flag.strong) !== 0 || ((flags & flag.weak) !== 0 && !isMetric);
    let alike = 0;
    if (telling || belongs) {
      const whole = belongs && record.tracebacks.length < tracebacksKeptWhole;
      alike = line.text.trim() === '' ? 0 : record.text.addNotable(keptLine(line), whole);
      if (alike < alikeExamined) {
        readDeviceLine(record, line);
        this.exits.feed(line);
      }
    }
    if ((flags & flag.settings) !== 0 && !isMetric) readSettingsLine(record, line);
    return belongs ? 0 : alike;
  }

  private feedTraceback(line: DecodedLine, isMetric: boolean): boolean {
    let parser = this.tracebacks.get(line.rank);
    if (parser === undefined) {
      if (this.tracebacks.size >= maxRanks) return false;
      parser = new TracebackParser(this.record);
      this.tracebacks.set(line.rank, parser);
    }
    const before = parser.active;
    if (isMetric && !before && !line.text.includes('Traceback')) return false;
    // A logger writes the error right behind the line that tells of it, and marks that line only.
    const isAnnounced = line.rank === null && this.announced?.line === line.line - 1;
    const belongs = parser.feed(isAnnounced ? { ...line, rank: this.announced!.rank } : line);
    if (parser.active !== before) this.activeTracebacks += parser.active ? 1 : -1;
    if (before && !parser.active) this.endsError = true;
    return belongs;
  }

  private endTraceback(rank: number): void {
    const parser = this.tracebacks.get(rank);
    if (!parser?.active) return;
    parser.finish();
    this.activeTracebacks--;
    this.endsError = true;
  }

  private textOf(bytes: Buffer, from: number, to: number): string {
    const text = bytes.toString('utf8', from, to);
    if (!text.includes('\ufffd')) return text;
    if (this.record.encoding === 'utf-8') {
      this.record.encoding = 'latin-1';
      this.record.note('encoding', 'not all of the text is UTF-8: the rest is read as Latin-1', this.line);
    }
    return bytes.toString('latin1', from, to);
  }

  private kept(bytes: Buffer, from: number, to: number, line: number): KeptLine {
    const lastReturn = bytes.subarray(from, to).lastIndexOf(0x0d, to - from - 2);
    const visible = lastReturn < 0 ? from : from + lastReturn + 1;
    const end = Math.min(to, visible + maxLineText);
    const time = lineTime(bytes, visible, end);
    const bare = stripPrefixes(stripEscapes(this.textOf(bytes, visible, end)), this.marks);
    const rank = bare.rank ?? (bare.process ? (introducedAs([bare.text])?.rank ?? null) : null);
    if (bare.process !== undefined && rank !== null) this.seats.meet(bare.process, rank);
    return {
      text: bare.text,
      line,
      rank: bare.rank ?? this.rank ?? this.seats.ofProcess(bare.process),
      time: Number.isNaN(time) ? null : time,
      step: this.metrics.lastStep,
      stream: null,
    };
  }

  /** The last whole lines of the bytes read so far. */
  private keepTail(bytes: Buffer, end: number): void {
    const lines: KeptLine[] = [];
    let to = end - 1;
    let number = this.line - 1;
    while (to >= 0 && lines.length < this.record.text.tailSize) {
      const newline = to > 0 ? bytes.lastIndexOf(0x0a, to - 1) : -1;
      if (bytes[to] !== 0x0a) break;
      lines.push(this.kept(bytes, newline + 1, to, number--));
      to = newline;
    }
    if (lines.length > 0) this.record.text.addTail(lines.reverse());
  }
}

function keptLine(line: DecodedLine): KeptLine {
  return { ...line, text: line.text.slice(0, maxLineText), stream: null };
}

/** The length of the bytes where there is none. */
function nextLineFeed(bytes: Buffer, from: number): number {
  const found = bytes.indexOf(0x0a, from);
  return found < 0 ? bytes.length : found;
}

let words: KeywordAutomaton | null = null;

function consoleWords(): KeywordAutomaton {
  words ??= makeConsoleWords();
  return words;
}

function flagsOf(bytes: Buffer): number {
  const { classes, next, output, width } = consoleWords();
  let state = 0;
  let flags = 0;
  for (const byte of bytes) {
    state = next[state + classes[byte]!]!;
    if (state >= hasOutput) {
      state -= hasOutput;
      flags |= output[state / width]!;
    }
  }
  return flags & ~lineEnd;
}

function tellsStep(bytes: Buffer, from: number, to: number): boolean {
  return to - from <= 1000 && isStepLine(bytes.toString('latin1', from, to));
}

/** Whether a short line may be the heading of a rank. */
function maySetOff(bytes: Buffer, from: number, to: number): boolean {
  return to - from < 160 && to - from > 5 && mayBeHeading(bytes.toString('latin1', from, to));
}

/** Whether a line is set in by two spaces, behind a rank's mark too: "[rank1]:   File …". */
function isIndented(bytes: Buffer, from: number, to: number): boolean {
  const mark = bytes[from] === 0x5b ? bytes.subarray(from, Math.min(to, from + 16)).indexOf(']: ') : -1;
  const at = mark < 0 ? from : from + mark + 3;
  return bytes[at] === 0x20 && bytes[at + 1] === 0x20;
}

/** Takes colours and cursor movements out; returns the number of bytes left. */
function copyWithoutEscapes(bytes: Buffer, from: number, to: number, out: Buffer): number {
  let size = 0;
  for (let at = from; at < to; at++) {
    const byte = bytes[at]!;
    if (byte !== 0x1b) {
      out[size++] = byte;
      continue;
    }
    if (bytes[at + 1] === 0x5b) {
      at += 2;
      while (at < to && (bytes[at]! < 0x40 || bytes[at]! > 0x7e)) at++;
    } else at++;
  }
  return size;
}
