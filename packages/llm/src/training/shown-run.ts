// A run as it was shown to a model, so that what the model cites can be found again.
import type { Question } from '../question/compose.js';

export interface ShownRun {
  readonly question: Question;
  /** What was shown, by label. */
  readonly lines: ReadonlyMap<string, string>;
}
