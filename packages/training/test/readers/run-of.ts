// Reads runs for tests: a folder of fixtures, or files given inline.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { readRun } from '../../src/readers/index.js';
import type { RunRecord, Series } from '../../src/record/run-record.js';
import { findSeries, type MetricName, type SeriesQuery } from '../../src/record/run-record.js';

export const fixtures = fileURLToPath(new URL('../fixtures/', import.meta.url));

export function fixture(name: string): Promise<RunRecord> {
  return readRun(join(fixtures, name));
}

export function temporaryRun(files: Readonly<Record<string, string | Buffer>>): string {
  const root = mkdtempSync(join(tmpdir(), 'grus-run-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), content);
  }
  return root;
}

export function runOf(files: Readonly<Record<string, string | Buffer>>): Promise<RunRecord> {
  return readRun(temporaryRun(files));
}

export function logOf(text: string | Buffer): Promise<RunRecord> {
  return runOf({ 'train.log': text });
}

export function curve(record: RunRecord, metric: MetricName, query: SeriesQuery = {}): Series {
  const series = findSeries(record, metric, query);
  if (series === null)
    throw new Error(`no series ${metric} among ${record.series.map((s) => s.rawName).join(', ')}`);
  return series;
}
