// Where a fact of a run was read. Every point, line, exception and setting of a run record carries one.

export interface Where {
  /** Path relative to the run directory, with forward slashes; the base name when a single file was read. */
  readonly file: string;
  /** Line counted from 1, for text. */
  readonly line?: number;
  /** Byte offset of the record, for binary files. */
  readonly offset?: number;
  /** Row, record or element counted from 1, where lines mean nothing (SQLite rows, JSON arrays). */
  readonly record?: number;
}

/** "train.log:118", "events.out.tfevents.1@4096", "mlflow.db#12". */
export function formatWhere(at: Where): string {
  if (at.line !== undefined) return `${at.file}:${at.line}`;
  if (at.record !== undefined) return `${at.file}#${at.record}`;
  if (at.offset !== undefined) return `${at.file}@${at.offset}`;
  return at.file;
}
