// The run record: what every reader writes into and every feature, detector and report reads from.

import type { RankDump } from '../ranks/dumps/dump.js';
import type { Hardware, Setting, Version } from './configuration.js';
import type { DeviceMessage } from './device.js';
import type { Traceback } from './exception.js';
import type { Exit } from './exit.js';
import type { Seat } from './seat.js';
import type { Series } from './series.js';
import type { RankStack } from './stack.js';
import type { RunText } from './text.js';
import type { Where } from './where.js';

/** Training went back to an earlier step: a restart from a checkpoint, or a second run in the same place. */
export interface Restart {
  readonly fromStep: number;
  readonly toStep: number;
  readonly at: Where;
  readonly time: number | null;
}

export type NoteKind =
  | 'truncated'
  | 'corrupt'
  | 'binary'
  | 'unreadable'
  | 'skipped'
  | 'encoding'
  | 'long_line'
  | 'thinned'
  | 'masked_nan'
  | 'suspected_masked_nan'
  | 'conflict'
  | 'limit'
  | 'repaired';

/** Something the reader must not hide: a cut file, a bound reached, a value that stands for NaN. */
export interface Note {
  readonly kind: NoteKind;
  readonly text: string;
  readonly at: Where;
}

export interface SourceFile {
  readonly file: string;
  /** The reader's id. */
  readonly reader: string;
  readonly bytes: number;
  /** Points read from it. */
  readonly points: number;
}

export interface RunRecord {
  /** The path that was read, as given. */
  readonly path: string;
  readonly series: readonly Series[];
  readonly text: RunText;
  /** Ordered as read; ranks and files may interleave: see `earliestTracebacks`. */
  readonly tracebacks: readonly Traceback[];
  readonly device: readonly DeviceMessage[];
  readonly exits: readonly Exit[];
  /** What the flight recorders of the ranks kept, by rank. */
  readonly dumps: readonly RankDump[];
  /** The last stack of each process that was asked for one. */
  readonly stacks: readonly RankStack[];
  /** Where the ranks ran, by rank. */
  readonly seats: readonly Seat[];
  readonly settings: readonly Setting[];
  readonly hardware: Hardware;
  readonly versions: readonly Version[];
  readonly restarts: readonly Restart[];
  readonly notes: readonly Note[];
  readonly sources: readonly SourceFile[];
  /** The highest training step seen in any series or line; null when the run logged none. */
  readonly lastStep: number | null;
  /** The steps the run was to take, when it said. */
  readonly plannedSteps: number | null;
  /** Milliseconds since the epoch of the first and last timed thing; null when nothing was timed. */
  readonly startTime: number | null;
  readonly endTime: number | null;
}
