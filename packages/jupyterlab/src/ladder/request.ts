// What the browser asks of the server's part, and what it is told. The Python handler passes both on as they are.
import type { RedactionLevel, Verdict } from '@grus/core';

export interface LadderRequest {
  /** `check` climbs the ladder; `show` tells what a model would be sent instead of sending it. */
  readonly task: 'check' | 'show';
  readonly kernelId: string;
  readonly source: string;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly number: number | null;
  readonly cells: readonly {
    readonly number: number;
    readonly source: string;
    readonly status: 'not-run' | 'ok' | 'failed';
    readonly executionCount: number | null;
  }[];
  readonly dry: 'never' | 'auto' | 'always';
  /** Seconds that a dry run may take. */
  readonly dryBudget: number;
  /** `none`: no model. Empty: the one that the server's environment names. */
  readonly model: string;
  readonly redaction: RedactionLevel;
  /** Whether what a model proposes may be run in a copy of the kernel. */
  readonly verifyFix: boolean;
}

/** What Run All would hit: all cells, one after the other, in copies of the kernel. */
export interface RehearsalRequest {
  readonly task: 'rehearse';
  readonly kernelId: string;
  readonly cells: readonly {
    readonly id: string;
    readonly number: number;
    readonly source: string;
    readonly metadata: Readonly<Record<string, unknown>>;
  }[];
  /** Seconds for all copies together. */
  readonly budget: number;
}

export interface Rehearsed {
  readonly kind: 'rehearsed';
  readonly judged: readonly { readonly id: string; readonly verdict: Verdict }[];
  /** Cells of which nothing can be said, and why. */
  readonly unjudged: readonly { readonly id: string; readonly because: string }[];
}

/** Several of these are told before the last word. */
interface Progress {
  readonly kind: 'progress';
  readonly settled: number;
}

export type RehearsalReply = Progress | Rehearsed | Extract<LadderReply, { kind: 'error' }>;

/** What a model would be told. */
export interface Shown {
  readonly kind: 'shown';
  /** Empty for a model on the machine of the server. */
  readonly to: string;
  /** The part that is about this notebook. */
  readonly about: string;
  /** All of it, word for word. */
  readonly text: string;
  /** The most that it may cost, in US dollars; null when the price is not known. */
  readonly usd: number | null;
}

export type LadderReply =
  | { readonly kind: 'verdict'; readonly verdict: Verdict }
  | Shown
  | { readonly kind: 'error'; readonly message: string; readonly advice: string };
