// The text of a run. A log may have a hundred million lines, so a record holds the head, the tail, and every line
// that matched something worth reading, up to a bound; it says how many there were.
import type { Where } from './where.js';

/** Why a line was kept: `context` lines stand beside a notable one. */
export type LineReason = 'head' | 'tail' | 'notable' | 'context';

export interface TextLine {
  /** Without launcher prefixes, ANSI escapes and control characters; cut at a bound. */
  readonly text: string;
  readonly at: Where;
  readonly rank: number | null;
  /** Milliseconds since the epoch; null when the line gives no time. */
  readonly time: number | null;
  readonly stream: 'stdout' | 'stderr' | null;
  /** The last training step seen before this line in the same file, or null. */
  readonly step: number | null;
  readonly reason: LineReason;
}

export interface TextFile {
  readonly file: string;
  readonly lines: number;
  readonly bytes: number;
  readonly encoding: 'utf-8' | 'utf-16le' | 'utf-16be' | 'latin-1';
  /** Lines that stayed out of `RunText.lines`. */
  readonly omitted: number;
}

export interface RunText {
  /** Ordered by file, then by line. */
  readonly lines: readonly TextLine[];
  readonly files: readonly TextFile[];
}
