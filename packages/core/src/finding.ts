// What one check claims about one place of a cell.
import type { Evidence } from './evidence.js';
import type { Place } from './place.js';

export interface PredictedException {
  /** The class name as Python prints it, without its module: "KeyError". */
  readonly type: string;
  readonly message: string;
}

/** As Python prints it: "KeyError: 'age'", or the type alone where there is no message. */
export function exceptionText({ type, message }: PredictedException): string {
  return message === '' ? type : `${type}: ${message}`;
}

/** A replacement of source text that is certain to be what the author meant or needs. */
export interface Edit {
  readonly place: Place;
  readonly replacement: string;
  readonly title: string;
  readonly origin?: 'rule';
}

/** An edit that a model wrote. It is shown and read, and run only where somebody asked for that. */
export interface ProposedEdit extends Omit<Edit, 'origin'> {
  readonly origin: 'model';
  /** The edited cell finished in a copy of the kernel, which somebody had asked for. */
  readonly ran: boolean;
}

export interface Finding {
  /** The id of the check that speaks: "names/undefined-name". */
  readonly check: string;
  readonly exception: PredictedException;
  /** Where in the target cell the crash surfaces. */
  readonly place: Place;
  /** Between 0 and 1; a deterministic rung commits only at or near 1. */
  readonly confidence: number;
  readonly evidence: readonly Evidence[];
  /** What will fail and why, in one or two sentences. */
  readonly explanation: string;
  /** What to do about it. */
  readonly remedy: string;
  /** The number, among the code cells, of a cell that was not run or failed and that must run first. */
  readonly needs?: number;
  readonly edit?: Edit;
  /** What a model proposes. */
  readonly proposed?: ProposedEdit;
}
