// The failures that announce themselves: how many runs of each were warned of fifty steps ahead, and what the run showed by
// then where it was not. What is under way is judged from the curves alone, without the precursors' own rules.
import { causeOf, findSeries, type MetricName, type RunRecord, recordUntil, subcauses } from '@grus/training';
import { quantile } from '../../statistics/index.js';
import { cameTrue, type Replayed } from './replay.js';

export interface KindRow {
  readonly subcause: string;
  /** Runs of this sub-cause that count steps and failed at step 60 or later. */
  readonly runs: number;
  readonly warned: number;
  /** Runs whose curves showed the failure under way fifty steps before it. */
  readonly under_way_50_ahead: number;
  readonly warned_50_ahead: number;
  readonly missed: readonly MissedRun[];
}

export interface MissedRun {
  readonly instance: string;
  readonly failed_at: number;
  /** "unrecorded": fewer than sixteen records of any curve that could tell; "calm": none of them had moved. */
  readonly showed: 'unrecorded' | 'calm' | 'under way';
}

const ahead = 50;
const fewestRecords = 16;
type Announced = 'loss' | 'memory';
const curvesOf: Readonly<Record<Announced, readonly MetricName[]>> = {
  loss: ['grad_norm', 'loss'],
  memory: ['memory_allocated', 'memory_reserved', 'memory_used', 'host_memory'],
};

export function kindRows(runs: readonly Replayed[]): KindRow[] {
  return subcauses.flatMap((subcause) => {
    const { announced } = causeOf(subcause);
    if (announced === undefined) return [];
    const own = runs.filter(
      ({ entry, failedAt }) =>
        entry.subcause === subcause && (failedAt ?? 0) >= 60 && entry.examination.record.lastStep !== null,
    );
    if (own.length === 0) return [];
    const isWarned = (run: Replayed, steps: number): boolean =>
      run.warnings.some((warning) => warning.at <= run.failedAt! - steps && cameTrue(run.entry, warning));
    const missed = own
      .filter((run) => !isWarned(run, ahead))
      .map(({ entry, failedAt }) => ({
        instance: entry.id,
        failed_at: failedAt!,
        showed: shownBy(recordUntil(entry.examination.record, failedAt! - ahead), announced),
      }));
    const early = own.length - missed.length;
    return [
      {
        subcause,
        runs: own.length,
        warned: own.filter((run) => isWarned(run, 0)).length,
        under_way_50_ahead: early + missed.filter(({ showed }) => showed === 'under way').length,
        warned_50_ahead: early,
        missed,
      },
    ];
  });
}

function shownBy(record: RunRecord, announced: Announced): MissedRun['showed'] {
  const curves = curvesOf[announced]
    .map((metric) => findSeries(record, metric, metric === 'loss' ? { split: 'train' } : {}))
    .flatMap((series) => (series === null ? [] : [Array.from(series.values).filter(Number.isFinite)]))
    .filter((values) => values.length >= fewestRecords);
  if (curves.length === 0) return 'unrecorded';
  const moved = announced === 'memory' ? hasGrown : hasDeparted;
  return curves.some(moved) ? 'under way' : 'calm';
}

/** By a quarter from the first records to the last. */
function hasGrown(values: readonly number[]): boolean {
  return median(values.slice(-3)) > 1.25 * median(values.slice(0, 3));
}

/** Its newest level is three times the usual one, and above every level since the lowest. */
function hasDeparted(values: readonly number[]): boolean {
  const levels = values.slice(4).map((_, index) => median(values.slice(index, index + 5)));
  const newest = levels.at(-1)!;
  const lowest = levels.indexOf(Math.min(...levels));
  return newest >= 3 * median(values) && newest >= Math.max(...levels.slice(lowest));
}

function median(values: readonly number[]): number {
  return quantile(values, 0.5) ?? Number.NaN;
}
