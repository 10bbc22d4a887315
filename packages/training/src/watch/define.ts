// The factory every precursor is made by, and what it looks at: the record as it stands, the machine around the run, and
// how long ago anything moved.
import type { Subcause } from '../causes/table.js';
import type { RunEvidence } from '../detectors/define.js';
import type { RunView } from '../features/view.js';
import type { RunRecord } from '../record/run-record.js';
import type { Surroundings } from './surroundings.js';

export interface WatchContext {
  readonly record: RunRecord;
  readonly view: RunView;
  readonly surroundings: Surroundings;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

export interface Sign {
  readonly step: number | null;
  readonly evidence: readonly RunEvidence[];
  /** Replaces the precursor's own, where only the sign knows which curve it was seen in. */
  readonly title?: string;
  /** Replaces the precursor's own. */
  readonly subcause?: Subcause | null;
  readonly expected?: string;
  readonly leadSteps?: number | null;
  readonly leadSeconds?: number | null;
  /** Tells apart what one precursor may warn of independently. */
  readonly subject?: string;
}

export interface Precursor {
  readonly id: string;
  readonly title: string;
  readonly subcause: Subcause;
  /** The failure announced, as a clause. */
  readonly expected: string;
  /** Looks in a row, each with something new, that must agree before a warning. */
  readonly looks: number;
  readonly look: (context: WatchContext) => readonly Sign[];
}

type PrecursorOptions = Omit<Precursor, 'looks'> & { readonly looks?: number };

export function definePrecursor(options: PrecursorOptions): Precursor {
  return { looks: 1, ...options };
}
