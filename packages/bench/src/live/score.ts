// Sums up the predictions of one method: detection, how right the detected crashes are, families, rungs and times.
import {
  confusionOf,
  type Interval,
  type Measures,
  measuresOf,
  quantile,
  ratio,
  wilsonInterval,
} from '../statistics/index.js';
import type { LivePrediction } from './prediction.js';

export interface Share {
  readonly n: number;
  readonly found: number;
  readonly recall: number | null;
}

export interface LiveScore extends Measures {
  readonly recall_interval: Interval | null;
  readonly unknown: number;
  /** Shares of the crashes found whose exception and line are the real ones. */
  readonly exception_right: number | null;
  readonly line_right: number | null;
  readonly families: Readonly<Record<string, Share>>;
  /** Crashes found and clean finishes proven, by the rung that committed. */
  readonly rungs: Readonly<Record<string, number>>;
  readonly ms: { readonly median: number | null; readonly p95: number | null };
  readonly late_crashes: LateCrashes;
}

/** Over crashes that come after training, fitting or searching: time until the verdict and until the real crash. */
export interface LateCrashes {
  readonly n: number;
  readonly found: number;
  readonly verdict_ms_median: number | null;
  readonly crash_ms_median: number | null;
  /** Of those found, how many were known sooner than they came; and how many times sooner, in the median. */
  readonly sooner: number;
  readonly times_sooner_median: number | null;
  readonly saved_ms: number;
}

/** Where a pair does not say whether its crash is a late one, its time tells. */
const lateMs = 1000;

export function scoreOf(predictions: readonly LivePrediction[]): LiveScore {
  const crashing = predictions.filter((prediction) => prediction.crashes);
  const found = crashing.filter((prediction) => prediction.outcome === 'crash');
  const times = predictions.map((prediction) => prediction.ms);
  return {
    ...measuresOf(
      confusionOf(
        predictions.map(({ crashes, outcome }) => ({ actual: crashes, predicted: outcome === 'crash' })),
      ),
    ),
    recall_interval: wilsonInterval(found.length, crashing.length),
    unknown: predictions.filter((prediction) => prediction.outcome === 'unknown').length,
    exception_right: ratio(found.filter((prediction) => prediction.exception_right).length, found.length),
    line_right: ratio(found.filter((prediction) => prediction.line_right).length, found.length),
    families: familiesOf(crashing),
    rungs: rungsOf(predictions),
    ms: { median: quantile(times, 0.5), p95: quantile(times, 0.95) },
    late_crashes: lateOf(crashing),
  };
}

function lateOf(crashing: readonly LivePrediction[]): LateCrashes {
  const late = crashing.filter(({ late: told, executed_ms: ms }) => ms !== null && (told ?? ms >= lateMs));
  const found = late.filter(({ outcome }) => outcome === 'crash');
  const verdicts = found.map(({ ms }) => ms);
  const crashes = found.map(({ executed_ms: ms }) => ms!);
  const times = found.map(({ ms, executed_ms: crash }) => crash! / Math.max(ms, 1));
  return {
    n: late.length,
    found: found.length,
    verdict_ms_median: quantile(verdicts, 0.5),
    crash_ms_median: quantile(crashes, 0.5),
    sooner: times.filter((factor) => factor > 1).length,
    times_sooner_median: quantile(times, 0.5),
    saved_ms: Math.round(found.reduce((sum, { ms, executed_ms: crash }) => sum + crash! - ms, 0)),
  };
}

function familiesOf(crashing: readonly LivePrediction[]): Record<string, Share> {
  const families: Record<string, Share> = {};
  for (const family of [...new Set(crashing.map((prediction) => prediction.family))].sort()) {
    const members = crashing.filter((prediction) => prediction.family === family);
    const found = members.filter((prediction) => prediction.outcome === 'crash').length;
    families[family] = { n: members.length, found, recall: ratio(found, members.length) };
  }
  return families;
}

function rungsOf(predictions: readonly LivePrediction[]): Record<string, number> {
  const rungs: Record<string, number> = {};
  for (const { rung } of predictions) if (rung !== null) rungs[rung] = (rungs[rung] ?? 0) + 1;
  return rungs;
}
