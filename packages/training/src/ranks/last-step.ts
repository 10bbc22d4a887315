// How far a rank came, by the curves that are its own.
import type { RunRecord } from '../record/run-record.js';

/** Null when no curve of the rank counts steps. */
export function lastStepOf({ series }: RunRecord, rank: number): number | null {
  let last: number | null = null;
  for (const { rank: of, hasSteps, steps } of series)
    if (of === rank && hasSteps) for (const step of steps) if (last === null || step > last) last = step;
  return last;
}
