// The rank on which a number first was none: NaN spreads to all ranks with the next collective, and began on one.
import type { RunRecord } from '../record/run-record.js';

export interface Spoiled {
  readonly rank: number;
  readonly step: number;
}

/** Null when no rank was alone with it. */
export function firstSpoiled({ series }: RunRecord): Spoiled | null {
  const names = new Map<string, Spoiled[]>();
  for (const { rawName, rank, values, steps } of series) {
    if (rank === null) continue;
    const at = values.findIndex((value) => !Number.isFinite(value));
    if (at >= 0) names.set(rawName, [...(names.get(rawName) ?? []), { rank, step: steps[at]! }]);
  }
  for (const spoiled of names.values()) {
    const step = Math.min(...spoiled.map((entry) => entry.step));
    const [one, ...more] = spoiled.filter((entry) => entry.step === step);
    if (one && more.length === 0) return one;
  }
  return null;
}
