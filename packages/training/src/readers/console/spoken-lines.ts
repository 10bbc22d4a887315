// What is said between rows of data: a file of JSON lines or a table may also hold the traceback or the exit that ended its
// run, because its writer sent both to the same place.
import type { FileRecord } from '../collect/file-record.js';
import { maxLineText } from '../collect/text-keeper.js';
import { readDeviceLine } from './device-lines.js';
import { ExitLines } from './exit-lines.js';
import { stripEscapes, stripPrefixes } from './prefix.js';
import { TracebackParser } from './traceback.js';

/** Lines of one kind that are looked into. */
const alikeExamined = 200;

export class SpokenLines {
  private readonly exits: ExitLines;
  private readonly tracebacks: TracebackParser;

  constructor(private readonly record: FileRecord) {
    this.exits = new ExitLines(record);
    this.tracebacks = new TracebackParser(record);
  }

  feed(raw: string, line: number): void {
    const { record } = this;
    const bare = stripPrefixes(stripEscapes(raw));
    const text = bare.text.slice(0, maxLineText);
    const spoken = { text, line, rank: bare.rank, time: null, step: record.lastStep };
    const belongs = this.tracebacks.feed(spoken);
    if (text.trim() === '') return;
    const alike = record.text.addNotable({ ...spoken, stream: null }, belongs);
    if (alike >= alikeExamined) return;
    readDeviceLine(record, spoken);
    this.exits.feed(spoken);
  }

  end(): void {
    this.tracebacks.finish();
  }
}
