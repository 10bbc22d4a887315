// Which verdicts are certain enough to hold a cell for. A model's opinion never is.
import type { Verdict } from '@grus/core';

const deterministic = new Set(['names', 'contracts', 'dry run']);

export function isCertain({ outcome, rung, confidence }: Verdict): boolean {
  return outcome === 'crash' && rung !== null && deterministic.has(rung) && confidence >= 0.9;
}
