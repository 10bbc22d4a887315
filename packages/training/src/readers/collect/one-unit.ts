// A score that is printed in percent for one part of the data is printed so for all: a held-out score that never left 1 % looks like a
// share of 1 by itself.
import { splitWords } from '../../record/metric-words.js';
import { isPercent, type MergedSeries, mergedSeries } from './merged-series.js';

/** The same name without the words for a part of the data, in one reader's files. */
function family({ rawName, metric, reader }: MergedSeries): string {
  const words = rawName
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '' && !Object.hasOwn(splitWords, word));
  return `${reader} ${metric} ${words.join(' ')}`;
}

export function inOneUnit(series: readonly MergedSeries[]): MergedSeries[] {
  const inPercent = new Set(series.filter(isPercent).map(family));
  if (inPercent.size === 0) return [...series];
  return series.map((curve) =>
    isPercent(curve) || !inPercent.has(family(curve))
      ? curve
      : mergedSeries(curve.segments, { masked: curve.masked, percent: true }),
  );
}
