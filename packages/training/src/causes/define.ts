// What a row of the table of causes holds. A sub-cause is one row: everything that is said of it is said there.
import type { Group } from './groups.js';
import type { RemedyEntry } from './remedy.js';

export const categories = [
  'memory_hardware',
  'optimization',
  'data_pipeline',
  'model_software',
  'unknown',
] as const;
export type FailureCategory = (typeof categories)[number];
export type NamedCategory = Exclude<FailureCategory, 'unknown'>;

/** Who can put it right. */
export const actors = {
  operator: 'whoever runs the machine or the job',
  tuner: 'whoever chose the hyperparameters',
  data: 'whoever prepares the data',
  author: 'whoever wrote or installed the code',
} as const;
export type Actor = keyof typeof actors;

/** The next step: `exclude_node` leaves the machine out and starts again. */
export type Action = 'restart' | 'exclude_node' | 'fix_code' | 'fix_data' | 'unknown';

/**
 * `stops`: the process ends by it. `ruins`: the process may go on, but what it had learned is lost. `spoils`: the run goes on and is
 * worth less than it should be; beside an error that ended the run it is never the cause.
 */
export type Effect = 'stops' | 'ruins' | 'spoils';

export interface CauseRow {
  readonly title: string;
  /** Causes of one group share what confirms them. */
  readonly group: Group;
  readonly actor: Actor;
  /** What to do where the run itself says no more; left out where it follows from who can put it right. Never `restart` for what comes again. */
  readonly action?: Action;
  readonly effect: Effect;
  /** When a run gets this label: what its artefacts must show. */
  readonly label: string;
  /** What looks alike, and the evidence that makes it the other. Keys are sub-causes; the table's test checks them. */
  readonly apart: Readonly<Record<string, string>>;
  /** Errors of many kinds come out as this one, so it yields to whatever names a cause. */
  readonly vague?: true;
  /** The curves that show it under way, steps before the run fails. */
  readonly announced?: 'loss' | 'memory';
  /** The cheapest experiment that tells it from what looks alike, where a record alone does not. */
  readonly experiment?: string;
  readonly remedies: readonly RemedyEntry[];
}

export interface Cause extends CauseRow {
  readonly category: NamedCategory;
}

/** The rows of one category. */
export function inCategory<Name extends string>(
  category: NamedCategory,
  rows: Readonly<Record<Name, CauseRow>>,
): Readonly<Record<Name, Cause>> {
  const entries = Object.entries<CauseRow>(rows).map(([name, row]) => [name, { ...row, category }]);
  return Object.fromEntries(entries);
}
