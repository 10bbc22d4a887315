// A run as it was shown to a model, so that what the model cites can be found again.
import type { Question } from '../question/compose.js';

export interface Cited {
  readonly source: string;
  readonly text: string;
}

export interface ShownRun {
  readonly question: Question;
  /** What was shown, by label. */
  readonly lines: ReadonlyMap<string, string>;
  /** Where each label was read, and what really stands there. */
  readonly sources: ReadonlyMap<string, Cited>;
}
