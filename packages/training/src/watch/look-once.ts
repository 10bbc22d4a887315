// How a run stands now, for somebody who asks once: it is watched again as it grew, so that warnings which need several looks
// come as they would have come. Nothing is written into the run.
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { GrusError } from '@grus/core';
import { readRun } from '../readers/index.js';
import type { RunRecord } from '../record/run-record.js';
import { recordUntil } from '../record/until.js';
import { RunWatcher } from './run-watcher.js';
import type { RunWarning } from './warning.js';

export interface RunStatus {
  readonly lastStep: number | null;
  /** Since when nothing was added to the files of the run; null where that cannot be told. */
  readonly quietMs: number | null;
  /** The newest value of each metric. */
  readonly metrics: readonly { readonly metric: string; readonly step: number; readonly value: number }[];
  readonly warnings: readonly RunWarning[];
}

const looks = 40;
const mostMetrics = 40;

export async function lookOnce(path: string): Promise<RunStatus> {
  const record = await readRun(path);
  if (record.sources.length === 0)
    throw new GrusError('no training artefacts were found there', {
      advice: 'Give the directory that the run writes its logs, metrics or event files into.',
    });
  const changed = await lastChange(path, record);
  const surroundings = { disk: [], memory: [], progress: [], lastChange: changed ?? Date.now() };
  const watcher = new RunWatcher();
  const seen = lookedAt(record).map((step) => recordUntil(record, step));
  const warnings = [...seen, record].flatMap((one) => watcher.look(one, surroundings));
  return {
    lastStep: record.lastStep,
    quietMs: changed === null ? null : Date.now() - changed,
    metrics: record.series
      .filter(({ length }) => length > 0)
      .slice(0, mostMetrics)
      .map(({ rawName, steps, values }) => ({
        metric: rawName,
        step: steps.at(-1)!,
        value: values.at(-1)!,
      })),
    warnings,
  };
}

/** Steps that were logged, evenly drawn, the last one left out. */
function lookedAt({ series, lastStep }: RunRecord): number[] {
  const steps = [...new Set(series.flatMap((one) => [...one.steps]))]
    .filter((step) => lastStep !== null && step < lastStep)
    .sort((a, b) => a - b);
  const every = Math.max(1, Math.ceil(steps.length / looks));
  return steps.filter((_, index) => index % every === 0);
}

async function lastChange(path: string, { sources }: RunRecord): Promise<number | null> {
  const times = await Promise.all(
    sources.map(async ({ file }) => {
      const found = await stat(join(path, file)).catch(() => stat(path).catch(() => null));
      return found?.mtimeMs ?? 0;
    }),
  );
  const newest = Math.max(0, ...times);
  return newest > 0 ? newest : null;
}
