// A question that is planned: the step it asks about, and what is known of its answer beforehand.
import type { NewStep } from './inquiry.js';

/** `quiet`: fails so rarely, or so plainly, that no question is put for its sake. */
export type Purity = 'askable' | 'quiet' | 'no';

export interface Planned {
  readonly step: NewStep;
  /** `needed`: a question is put for it. `welcome`: it is asked when a question is put anyway. */
  readonly urgency: 'needed' | 'welcome';
  /** The value depends on chance: only an exception tells anything. */
  readonly isRandom?: boolean;
  /** The result shares memory with nothing. */
  readonly isFresh?: boolean;
  /** What the object itself is afterwards. */
  readonly after?: NewStep;
  /** Afterwards the object is something that no step describes. */
  readonly drops?: boolean;
  /** The operation changes the very objects that its receiver was made of: those changes are no part of the step. */
  readonly isOpen?: boolean;
}
