// The rank on which a number first was none: NaN spreads to all ranks with the next collective, and began on one.
import type { RunRecord, Series } from '../../record/run-record.js';

export interface Spoiled {
  readonly rank: number;
  readonly step: number;
}

/** Null when no rank was alone with it at the lowest step, or when no other rank tells the same number there. */
export function firstSpoiled({ series }: RunRecord): Spoiled | null {
  const names = new Map<string, Series[]>();
  for (const entry of series)
    if (entry.rank !== null) names.set(entry.rawName, [...(names.get(entry.rawName) ?? []), entry]);
  const found = [...names.values()].flatMap(spoiledIn);
  const first = Math.min(...found.map(({ step }) => step));
  const alone = new Set(found.flatMap(({ step, ranks }) => (step === first ? (ranks ?? []) : [])));
  const [rank, ...more] = alone;
  return rank === undefined || more.length > 0 ? null : { rank, step: first };
}

/** The lowest step from which on one number was none until the end; the ranks where it was, null where nothing sets them apart. */
function spoiledIn(
  byRank: readonly Series[],
): readonly { readonly step: number; readonly ranks: readonly number[] | null }[] {
  const at = ({ values }: Series): number => values.findLastIndex((value) => Number.isFinite(value)) + 1;
  const broken = byRank.filter((entry) => at(entry) < entry.length);
  if (broken.length === 0) return [];
  const step = Math.min(...broken.map((entry) => entry.steps[at(entry)]!));
  const ranks = broken.flatMap((entry) => (entry.steps[at(entry)] === step ? entry.rank! : []));
  // Ranks tell of steps of their own: who had a number there or later had one until then.
  const isWell = (entry: Series): boolean =>
    !ranks.includes(entry.rank!) && at(entry) > 0 && entry.steps[at(entry) - 1]! >= step;
  return [{ step, ranks: ranks.length === 1 && byRank.some(isWell) ? ranks : null }];
}

/** What a rank told last of something was no number, though it had been one. */
export function endedSpoiled({ series }: RunRecord, of: number): boolean {
  return series.some(
    ({ rank, values }) =>
      rank === of && Number.isNaN(values.at(-1) ?? 0) && values.some((value) => Number.isFinite(value)),
  );
}
