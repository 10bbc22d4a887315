// Reads the lines of a console one by one: those of figures as bytes, those with a telling word as text.
import { skips } from '../../features/said-again.js';
import { rankOfPath } from '../../ranks/present/path-rank.js';
import type { FileRecord } from '../collect/file-record.js';
import { introducedAs } from '../collect/one-job.js';
import { type KeptLine, maxLineText } from '../collect/text-keeper.js';
import type { DecodedLine } from './context.js';
import { LineMetrics } from './curves/line-metrics.js';
import { isStepLine } from './curves/step-line.js';
import { stripEscapes, Unescaped } from './escapes.js';
import { readDeviceLine } from './failures/device-lines.js';
import { ExitLines } from './failures/exit-lines.js';
import { StackLines } from './failures/stack-lines.js';
import { Tracebacks } from './failures/tracebacks.js';
import { flag } from './keywords.js';
import { lineTime } from './line-time.js';
import { numbersBehind } from './pairs/number-first.js';
import { Headings, mayBeHeading } from './ranks/headings.js';
import { introducedSize, type Marks, marksOf, rankOfNumbered, stripPrefixes } from './ranks/prefix.js';
import { markedSizeOf, markIn } from './ranks/rank-mark.js';
import { SeatLines } from './ranks/seat-lines.js';
import { readSettingsLine } from './settings/settings-lines.js';
import { StatedBaseline } from './settings/stated-baseline.js';
import { readStatedSettings, SettingsBlock } from './settings/stated-settings.js';
import { BareRows } from './tables/bare-rows.js';
import { BoxedValues } from './tables/boxed-values.js';
import { RankRows } from './tables/rank-rows.js';
import { TableRows } from './tables/table-rows.js';

/** A line is read up to here; what follows is passed over. */
export const maxLine = 64 * 1024;
/** What torchrun puts before the lines of its workers. */
const hasLocal = /^\[(?:default|local[ _]rank[ :=]?)\d{1,5}\]:/m;
/** How much of a file tells how its lines name their ranks. */
const introduction = 16_384;
/** How far into a line its host may stand. */
const longestPrefix = 200;
/** Tracebacks whose every line is kept; of later ones only what is new. */
const tracebacksKeptWhole = 20;
/** Lines of one kind that are looked into; a log may repeat one a hundred million times. */
const alikeExamined = 5000;
const alikeWeakExamined = 200;

const isOfError = /\b(?:ERROR|CRITICAL|FATAL)\b/;

export class LineReader {
  /** Whether the line read last ended an error. */
  endsError = false;
  private readonly metrics: LineMetrics;
  private readonly tables: TableRows;
  private readonly rankRows: RankRows;
  private readonly bare: BareRows;
  private readonly boxes: BoxedValues;
  private readonly exits: ExitLines;
  private readonly stacks: StackLines;
  private readonly block = new SettingsBlock();
  private readonly baseline: StatedBaseline;
  private readonly seats: SeatLines;
  private readonly headings = new Headings();
  private readonly tracebacks: Tracebacks;
  private activeTracebacks = 0;
  /** The last line that names its rank and is at the level of an error, or says that something was passed over. */
  private announced: { readonly rank: number; readonly line: number } | null = null;
  private readonly unescaped = new Unescaped();
  /** Of lines that name none themselves. */
  private readonly rank: number | null;
  private readonly marks: Marks;

  constructor(
    private readonly record: FileRecord,
    head: string,
  ) {
    const told = head.slice(0, introduction);
    this.rank = rankOfPath(record.file) ?? rankOfNumbered(record.file, head);
    record.worldSize ??= introducedSize(told);
    const marks = marksOf(told);
    this.marks = marks;
    record.countsOnHost =
      this.rank === null &&
      (marks.own.some(({ shift }) => shift === null) || (marks.firstLocal === null && hasLocal.test(told)));
    this.seats = new SeatLines(record);
    const markedSize = markedSizeOf(told, (line) => markIn(marks.own, line)?.rank ?? this.rank);
    this.metrics = new LineMetrics(record, this.rank, marks, markedSize, (process) =>
      this.seats.ofProcess(process),
    );
    this.tables = new TableRows(record, this.metrics.ownPart);
    this.rankRows = new RankRows(record);
    this.boxes = new BoxedValues(record);
    this.bare = new BareRows(record);
    this.exits = new ExitLines(record);
    this.stacks = new StackLines(record);
    this.tracebacks = new Tracebacks(record);
    this.baseline = new StatedBaseline(record);
  }

  /** Whether a line may be of a kind met before. */
  get mayKnow(): boolean {
    const isOpen = this.tables.active || this.boxes.active || this.bare.active || this.block.isOpen;
    return this.activeTracebacks === 0 && !isOpen;
  }

  /** Reads such a line, which ends before `end`; returns its end, or -1 where it is of no such kind. */
  readKnown(bytes: Buffer, start: number, end: number, line: number): number {
    return this.metrics.consumeKnown(bytes, start, end, line);
  }

  /** Gives waiting points the last step there was. */
  settle(): void {
    this.metrics.flush();
  }

  end(): void {
    this.metrics.flush();
    this.baseline.end();
    this.rankRows.close(this.metrics.lastStep);
    this.tracebacks.finish();
  }

  /** One line, or one of the states of a line that a progress bar rewrote. `flags`: of the words in it. */
  read(bytes: Buffer, from: number, to: number, line: number, flags: number, isWhole: boolean): void {
    const cut = this.marks.glued === null ? -1 : bytes.subarray(from + 1, to).indexOf(this.marks.glued);
    if (cut >= 0) {
      this.read(bytes, from, from + 1 + cut, line, flags, false);
      this.read(bytes, from + 1 + cut, to, line, flags, isWhole);
      return;
    }
    const end = Math.min(to, from + maxLine);
    const isEscaped = (flags & flag.escape) !== 0;
    // A line that states settings names sizes and rates that are no points of a curve.
    // So does a line of source code that a traceback quotes.
    const isQuoted = this.activeTracebacks > 0 && isIndented(bytes, from, end);
    const isSetting = !isQuoted && this.block.consume(this.record, bytes, from, end, line);
    const isQuiet = isSetting || ((flags & flag.settings) !== 0 && !tellsStep(bytes, from, end)) || isQuoted;
    const plain = isEscaped && !isQuiet ? this.unescaped.of(bytes, from, end) : bytes;
    const [first, last] = plain === bytes ? [from, end] : [0, plain.length];
    const turned = isEscaped ? null : numbersBehind(bytes, from, end);
    const isDrawn = !isQuiet && this.tables.consumeDrawn(plain, first, last, line);
    const isRow =
      !isQuiet && !isEscaped && this.rankRows.consume(bytes, from, end, line, this.metrics.lastStep);
    // What was read is not what stands there: the line teaches nothing about others. Nor does one of a box, which means something in it alone.
    const isRewritten = isEscaped || turned !== null || isDrawn || isRow;
    const isMetric =
      isDrawn ||
      isRow ||
      (!isQuiet &&
        ((turned === null
          ? this.metrics.consume(plain, first, last, line)
          : this.metrics.consume(turned, 0, turned.length, line)) ||
          this.tables.consume(plain, first, last, line) ||
          this.boxes.consume(plain, first, last, line))) ||
      // No code looks like a table: its columns are indented to line up, not to belong to what stands before.
      (isQuoted && this.tables.consume(bytes, from, end, line));
    const isBare = !isMetric && !isQuiet && this.bare.consume(plain, first, last, line);
    const mayTeach = !isQuiet && !isRewritten;
    const isTelling =
      tells(flags, isMetric) ||
      (flags & (flag.traceback | flag.settings)) !== 0 ||
      (!isMetric && maySetOff(bytes, from, end));
    if (isTelling || this.activeTracebacks > 0) {
      const alike = this.readText(bytes, from, end, line, flags, isMetric);
      const enough = (flags & flag.strong) !== 0 ? alikeExamined : alikeWeakExamined;
      if (alike >= enough && mayTeach && (flags & flag.traceback) === 0) this.metrics.learn(bytes, from, end);
    } else if (mayTeach && !isBare && !this.boxes.active) this.metrics.learn(bytes, from, end);
    if (isWhole && this.record.text.wantsHead) this.readHead(bytes, from, end, line);
  }

  /** What the beginning of a log says of the run. */
  private readHead(bytes: Buffer, from: number, end: number, line: number): void {
    const { record } = this;
    const kept = this.kept(bytes, from, end, line);
    record.text.addHead(kept);
    if (this.activeTracebacks > 0) return;
    readStatedSettings(record, kept.text, line);
    if (this.metrics.lastStep === null) this.baseline.read(kept.text, line);
    this.block.read(record, kept.text, line);
    this.seats.introduce(kept.text, kept.rank);
    this.seats.prefixed(this.textOf(bytes, from, Math.min(end, from + longestPrefix), line), kept.rank);
  }

  /** Returns how many lines like this one came before; 0 for lines of tracebacks. */
  private readText(
    bytes: Buffer,
    from: number,
    to: number,
    number: number,
    flags: number,
    isMetric: boolean,
  ): number {
    const { record } = this;
    const whole = stripEscapes(this.textOf(bytes, from, to, number));
    const bare = stripPrefixes(whole, this.marks);
    const read: DecodedLine = {
      text: bare.text.slice(0, maxLineText * 2),
      line: number,
      rank: bare.rank ?? this.rank ?? this.seats.ofProcess(bare.process),
      time: timeOf(bytes, from, to),
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
    if (line.rank !== null && (isOfError.test(line.text) || skips.test(line.text)))
      this.announced = { rank: line.rank, line: number };
    let alike = 0;
    if (belongs || tells(flags, isMetric)) {
      const isKeptWhole = belongs && record.tracebacks.length < tracebacksKeptWhole;
      const kept = { ...line, text: line.text.slice(0, maxLineText), stream: null };
      alike = line.text.trim() === '' ? 0 : record.text.addNotable(kept, isKeptWhole);
      if (alike < alikeExamined) {
        readDeviceLine(record, line);
        this.exits.feed(line);
      }
    }
    if ((flags & flag.settings) !== 0 && !isMetric) readSettingsLine(record, line);
    return belongs ? 0 : alike;
  }

  private feedTraceback(line: DecodedLine, isMetric: boolean): boolean {
    const parser = this.tracebacks.of(line.rank);
    if (parser === null) return false;
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
    const parser = this.tracebacks.of(rank);
    if (!parser?.active) return;
    parser.finish();
    this.activeTracebacks--;
    this.endsError = true;
  }

  private textOf(bytes: Buffer, from: number, to: number, line: number): string {
    const text = bytes.toString('utf8', from, to);
    if (!text.includes('\ufffd')) return text;
    if (this.record.encoding === 'utf-8') {
      this.record.encoding = 'latin-1';
      this.record.note('encoding', 'not all of the text is UTF-8: the rest is read as Latin-1', line);
    }
    return bytes.toString('latin1', from, to);
  }

  /** A line as it is shown to people: what a progress bar wrote over is none of it. */
  kept(bytes: Buffer, from: number, to: number, line: number): KeptLine {
    const lastReturn = bytes.subarray(from, to).lastIndexOf(0x0d, to - from - 2);
    const visible = lastReturn < 0 ? from : from + lastReturn + 1;
    const end = Math.min(to, visible + maxLineText);
    const bare = stripPrefixes(stripEscapes(this.textOf(bytes, visible, end, line)), this.marks);
    const rank = bare.rank ?? (bare.process ? (introducedAs([bare.text])?.rank ?? null) : null);
    if (bare.process !== undefined && rank !== null) this.seats.meet(bare.process, rank);
    return {
      text: bare.text,
      line,
      rank: bare.rank ?? this.rank ?? this.seats.ofProcess(bare.process),
      time: timeOf(bytes, visible, end),
      step: this.metrics.lastStep,
      stream: null,
    };
  }
}

/** Whether the words of a line tell of a failure; weak ones stand in lines of figures too. */
function tells(flags: number, isMetric: boolean): boolean {
  return (flags & flag.strong) !== 0 || ((flags & flag.weak) !== 0 && !isMetric);
}

function timeOf(bytes: Buffer, from: number, to: number): number | null {
  const time = lineTime(bytes, from, to);
  return Number.isNaN(time) ? null : time;
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
