// What is said between rows of data: a file of JSON lines or a table may also hold the traceback, the stack or the exit that ended its
// run, because its writer sent both to the same place.
import { rankOfPath } from '../../../ranks/present/path-rank.js';
import type { FileRecord } from '../../collect/file-record.js';
import { maxLineText } from '../../collect/text-keeper.js';
import { stripEscapes } from '../escapes.js';
import { stripPrefixes } from '../ranks/prefix.js';
import { readDeviceLine } from './device-lines.js';
import { ExitLines } from './exit-lines.js';
import { StackLines } from './stack-lines.js';
import type { TracebackParser } from './traceback.js';
import { Tracebacks } from './tracebacks.js';

/** Lines of one kind that are looked into. */
const alikeExamined = 200;

export class SpokenLines {
  private readonly exits: ExitLines;
  private readonly stacks: StackLines;
  private readonly tracebacks: Tracebacks;
  /** Of lines that name none themselves. */
  readonly rank: number | null;

  constructor(private readonly record: FileRecord) {
    this.exits = new ExitLines(record);
    this.stacks = new StackLines(record);
    this.tracebacks = new Tracebacks(record);
    this.rank = rankOfPath(record.file);
  }

  /** What a field of a row holds, over as many lines as it has: an error in it ends with it. */
  say(value: string, line: number, rank: number | null): void {
    for (const part of value.split('\n')) this.feed(part, line, rank);
    this.tracebackOf(rank)?.finish();
  }

  feed(raw: string, line: number, rank = this.rank): void {
    const { record } = this;
    const bare = stripPrefixes(stripEscapes(raw));
    const text = bare.text.slice(0, maxLineText);
    const spoken = { text, line, rank: bare.rank ?? rank, time: null, step: record.lastStep };
    const belongs = this.stacks.feed(spoken) || (this.tracebackOf(spoken.rank)?.feed(spoken) ?? false);
    if (text.trim() === '') return;
    const alike = record.text.addNotable({ ...spoken, stream: null }, belongs);
    if (alike >= alikeExamined) return;
    readDeviceLine(record, spoken);
    this.exits.feed(spoken);
  }

  end(): void {
    this.tracebacks.finish();
  }

  /** What more ranks say than are told apart is nobody's. */
  private tracebackOf(rank: number | null): TracebackParser | null {
    return this.tracebacks.of(rank) ?? this.tracebacks.of(null);
  }
}
