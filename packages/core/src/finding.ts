// What one check claims about one place of a cell.
import type { Evidence } from './evidence.js';
import type { Place } from './place.js';

export interface PredictedException {
  /** The class name as Python prints it, without its module: "KeyError". */
  readonly type: string;
  readonly message: string;
}

/** A replacement of source text that is certain to be what the author meant or needs. */
export interface Edit {
  readonly place: Place;
  readonly replacement: string;
  readonly title: string;
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
  readonly edit?: Edit;
}
