// What a decoded console line is handed on with to the parsers of tracebacks, device messages, exits and settings.

export interface DecodedLine {
  /** Without prefixes, escapes and control characters; cut at a bound. */
  readonly text: string;
  /** Counted from 1. */
  readonly line: number;
  readonly rank: number | null;
  readonly time: number | null;
  /** The last training step seen before it. */
  readonly step: number | null;
}
