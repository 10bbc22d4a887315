// The tracebacks of all ranks: they write through each other.
import type { FileRecord } from '../../collect/file-record.js';
import { TracebackParser } from './traceback.js';

const maxRanks = 1024;

export class Tracebacks {
  private readonly parsers = new Map<number | null, TracebackParser>();

  constructor(private readonly record: FileRecord) {}

  /** Of one rank, or of lines that name none; null for more ranks than are told apart. */
  of(rank: number | null): TracebackParser | null {
    const known = this.parsers.get(rank);
    if (known !== undefined || this.parsers.size >= maxRanks) return known ?? null;
    const made = new TracebackParser(this.record);
    this.parsers.set(rank, made);
    return made;
  }

  finish(): void {
    for (const parser of this.parsers.values()) parser.finish();
  }
}
