// What a caller may say about dry runs.
import type { IsolationStrength } from '@grus/kernel';

export const dryPolicies = ['auto', 'always', 'never', 'ask'] as const;
/**
 * When a cell is run in a copy first: as far as it is worth the time (a cell that looks short gets a cheap copy or none),
 * on every check, never, or when `confirm` agrees.
 */
export type DryPolicy = (typeof dryPolicies)[number];

export interface DryOptions {
  readonly policy: DryPolicy;
  /** Milliseconds that the copy may take. Default 10 000. */
  readonly budgetMs?: number;
  /** Default `auto`: the strongest that the machine offers. */
  readonly isolation?: 'auto' | IsolationStrength;
  /** Rather no dry run than one under anything weaker. */
  readonly requireIsolation?: IsolationStrength;
  /**
   * Milliseconds, beyond the budget, for a fresh process to load what the cell needs where the kernel's libraries do not
   * survive a fork. 0 switches such twins off. Default 60 000.
   */
  readonly twinLoadMs?: number;
  /** Whether a process with the kernel's libraries is kept ready for such twins while the kernel lives. Default true. */
  readonly readyTwin?: boolean;
  /** Start while the earlier rungs still judge, where the policy needs no word of theirs. Default false. */
  readonly concurrent?: boolean;
  /** Aborted when the dry run's word is not needed any more. */
  readonly signal?: AbortSignal;
  /** Whether a second copy with its loops cut short may be sent ahead of a long cell. Default true. */
  readonly clip?: boolean;
  /** No copy of a kernel that holds more megabytes than this: a fork takes longer the more there is. Default: any. */
  readonly largestMb?: number;
  /** With the policy `ask`: whether to go ahead. Without it, `ask` means no. */
  readonly confirm?: (reason: string) => Promise<boolean>;
  /** Statements run in the copy before the cell: "what if". */
  readonly assume?: readonly string[];
  /** Hears what the cell printed and showed in the copy. */
  readonly onOutput?: (output: string) => void;
}

export const defaultDryBudgetMs = 10_000;
/** A cell that looks short gets so long, of a kernel up to this size. */
export const shortCellBudgetMs = 500;
export const cheapCopyMb = 4_096;
/** In a guarded run the real cell waits: a copy that has found nothing by then is given up. */
export const guardedDryBudgetMs = 2_000;
export const defaultTwinLoadMs = 60_000;
