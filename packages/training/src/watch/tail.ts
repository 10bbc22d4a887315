// The newest stretch of a curve, point by point and unthinned, cut where the run last went back to an earlier step: what
// was before a restart is no baseline for what came after it.
import type { RunEvidence } from '../detectors/define.js';
import type { Series } from '../record/run-record.js';

const longest = 400;

export interface Tail {
  readonly series: Series;
  readonly steps: readonly number[];
  readonly values: readonly number[];
  /** Index into the series of the first point. */
  readonly from: number;
  /** Points of the same stretch that lie before it. */
  readonly before: number;
}

export function tailOf(series: Series | null, count = longest): Tail | null {
  if (series === null || series.length === 0) return null;
  let start = series.length - 1;
  while (start > 0 && series.steps[start - 1]! <= series.steps[start]!) start--;
  const from = Math.max(start, series.length - count);
  return {
    series,
    steps: Array.from(series.steps.subarray(from, series.length)),
    values: Array.from(series.values.subarray(from, series.length)),
    from,
    before: from - start,
  };
}

export function citeTail(tail: Tail, index: number, fact: string): RunEvidence {
  const at = tail.series.where(tail.from + index);
  return {
    fact,
    file: at.file,
    ...(at.line === undefined ? {} : { line: at.line }),
    step: tail.steps[index]!,
  };
}
