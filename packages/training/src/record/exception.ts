// Python tracebacks as structure: the chain from first cause to last, the frames, and the process that raised it.
import type { Where } from './where.js';

export interface Frame {
  readonly file: string;
  readonly line: number;
  readonly function: string;
  /** The source line Python printed under the frame, when it did. */
  readonly code: string | null;
  /** The part of it that Python underlined, where that is less than the whole. */
  readonly marked?: string;
}

export interface RaisedException {
  /** Without its module: "OutOfMemoryError". */
  readonly type: string;
  /** As printed: "torch.OutOfMemoryError". */
  readonly qualifiedType: string;
  /** All lines of the message, cut at a bound. */
  readonly message: string;
  /** Outermost first, as Python prints them; the last frame raised. */
  readonly frames: readonly Frame[];
  /** Where the line with type and message stands. */
  readonly at: Where;
  /** How it hangs on the exception before it in the chain; null for the first. */
  readonly link: 'cause' | 'context' | null;
}

export interface Traceback {
  /** First cause first. Never empty. The root of the failure is `chain[0]`. */
  readonly chain: readonly RaisedException[];
  /** Where "Traceback (most recent call last)" of the first exception stands. */
  readonly at: Where;
  readonly rank: number | null;
  /** The child process the exception was raised in and re-raised from, when the text says. */
  readonly worker: { readonly kind: 'dataloader' | 'process'; readonly id: number | null } | null;
  readonly time: number | null;
  /** The last training step seen before it, or null. */
  readonly step: number | null;
  /** Position among all tracebacks of the run as read (by file, then by line). */
  readonly order: number;
  /** True for the launcher's own error (ChildFailedError, CalledProcessError of a launcher): never the cause. */
  readonly launcher: boolean;
  /** Printed as a warning or logged as handled ("Exception ignored in", logging.exception before more steps): not fatal by itself. */
  readonly ignored: boolean;
  /** How often the same traceback was printed (same types, same last frame, same message). */
  readonly count: number;
  /** Its last printing, when there were several. */
  readonly again?: { readonly at: Where; readonly step: number | null };
}
