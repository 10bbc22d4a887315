// One call of a rank that others take part in, as its flight recorder kept it.

export type CallState = 'scheduled' | 'started' | 'completed';

export interface CallFrame {
  readonly file: string;
  readonly line: number;
  readonly function: string;
}

/** One collective, or one message between two ranks, as the rank that called it recorded it. */
export interface Call {
  readonly group: string;
  /** Counts the collectives of a group, or the messages that this rank sends and receives in it, from 1. */
  readonly sequence: number;
  /** Between two ranks: it has a turn among this rank's messages, not among the collectives of the group. */
  readonly pair: boolean;
  /** The same for messages that were handed over together and end together; 0 for all else. */
  readonly batch: number;
  /** Without the library's name: "all_reduce". */
  readonly operation: string;
  /** The sizes as text, so that two can be compared: "8,4;2". */
  readonly sizes: string;
  readonly types: string;
  readonly state: CallState;
  /** Milliseconds since the epoch on this rank's clock; null when not recorded. */
  readonly time: number | null;
  /** Milliseconds from its start to its end on the device; null when not recorded. */
  readonly duration: number | null;
  /** The innermost line that is not of PyTorch itself. */
  readonly frame: CallFrame | null;
}
