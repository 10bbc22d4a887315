// Watches recorded runs again, step by step, as `grus watch` would have seen them grow.
import { findSeries, type RunRecord, type RunWarning, RunWatcher, recordUntil } from '@grus/training';
import type { ExaminedCase } from '../data/examined.js';
import { isRight } from '../protocol/prediction.js';

export interface GivenWarning {
  readonly warning: RunWarning;
  /** The step the run had reached when it was given. */
  readonly at: number;
}

export interface Replayed {
  readonly entry: ExaminedCase;
  readonly warnings: readonly GivenWarning[];
  /** The step at which the run failed: its first NaN, its crash, or where its label says; null without steps. */
  readonly failedAt: number | null;
  readonly steps: number;
}

const looks = 60;
const surroundings = { disk: [], memory: [], progress: [], lastChange: 0 };

export function replay(entry: ExaminedCase): Replayed {
  const { record } = entry.examination;
  const watcher = new RunWatcher();
  const warnings: GivenWarning[] = [];
  for (const step of lookedAt(record)) {
    const seen = recordUntil(record, step);
    for (const warning of watcher.look(seen, surroundings, 0)) warnings.push({ warning, at: step });
  }
  return { entry, warnings, failedAt: failureStep(entry), steps: record.lastStep ?? 0 };
}

/** Steps that were logged, evenly drawn. */
function lookedAt(record: RunRecord): number[] {
  const steps = new Set<number>();
  for (const series of record.series) for (const step of series.steps) steps.add(step);
  const ordered = [...steps].filter((step) => step <= (record.lastStep ?? 0)).sort((a, b) => a - b);
  if (ordered.length <= looks) return ordered;
  return Array.from(
    { length: looks },
    (_, index) => ordered[Math.round((index * (ordered.length - 1)) / (looks - 1))]!,
  );
}

export function failureStep({ category, examination, onsetStep }: ExaminedCase): number | null {
  if (category === 'healthy') return null;
  const { record, view } = examination;
  const loss = findSeries(record, 'loss', { split: 'train' });
  const broken = loss ? loss.values.findIndex((value) => !Number.isFinite(value)) : -1;
  if (loss && broken >= 0) return loss.steps[broken]!;
  if (view.ending.kind !== 'completed' && view.ending.kind !== 'unknown') return record.lastStep;
  return onsetStep;
}

/** The announced failure came: a failing run of that category, or one that fails while the warning leaves the cause open. */
export function cameTrue(entry: ExaminedCase, { warning }: GivenWarning): boolean {
  if (entry.category === 'healthy') return false;
  return warning.subcause === null || isRight(entry, warning.category);
}
