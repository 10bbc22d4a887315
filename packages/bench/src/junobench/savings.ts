// What the ladder saves: the same model asked only where the deterministic rungs abstain, beside asking it every time.
import type { Asking } from './asking.js';

export interface Savings {
  readonly never_asked: number;
  readonly tokens_per_100: number;
  readonly tokens_per_100_every_time: number;
  readonly usd_per_100: number | null;
  readonly usd_per_100_every_time: number | null;
  /** Share of the tokens that are not needed. */
  readonly saved: number | null;
}

export function savingsOf(hybrid: Asking, always: Asking): Savings {
  const tokens = tokensOf(hybrid);
  const all = tokensOf(always);
  return {
    never_asked: hybrid.never_asked,
    tokens_per_100: tokens,
    tokens_per_100_every_time: all,
    usd_per_100: hybrid.usd_per_100,
    usd_per_100_every_time: always.usd_per_100,
    saved: all === 0 ? null : 1 - tokens / all,
  };
}

function tokensOf({ input_tokens_per_100: input, output_tokens_per_100: output }: Asking): number {
  return input + output;
}
