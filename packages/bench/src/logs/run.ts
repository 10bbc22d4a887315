// `grus bench logs`: every log goes the way of `grus diagnose FILE`, and the answers are scored on all of them, on the part
// that rules may be written from and on the part that nobody looks at.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { diagnose } from '@grus/training';
import { type LogCase, loadLogs, type Part } from './cases.js';
import type { LogPrediction } from './prediction.js';
import { type LogScore, scoreLogs } from './score.js';

export interface LogsReport {
  readonly benchmark: 'logs';
  readonly data: string;
  readonly methods: { readonly hybrid: LogScore };
  readonly parts: Readonly<Record<Part, LogScore>>;
  readonly predictions: readonly LogPrediction[];
}

export interface LogsOptions {
  readonly data: string;
  readonly progress?: (done: number, total: number) => void;
}

export async function runLogs(options: LogsOptions): Promise<LogsReport> {
  const cases = loadLogs(options.data);
  const folder = mkdtempSync(join(tmpdir(), 'grus-logs-'));
  const predictions: LogPrediction[] = [];
  try {
    for (const entry of cases) {
      predictions.push(await judge(entry, join(folder, 'train.log')));
      options.progress?.(predictions.length, cases.length);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  const of = (part: Part): LogScore => scoreLogs(predictions.filter((row) => row.part === part));
  return {
    benchmark: 'logs',
    data: options.data,
    methods: { hybrid: scoreLogs(predictions) },
    parts: { develop: of('develop'), held: of('held') },
    predictions,
  };
}

async function judge(entry: LogCase, file: string): Promise<LogPrediction> {
  writeFileSync(file, entry.text);
  const { outcome, category, subcause, confidence, abstained, hypotheses, ms } = await diagnose(file);
  return {
    instance: entry.id,
    method: 'hybrid',
    repository: entry.repository,
    part: entry.part,
    actual: entry.category,
    accept: entry.accept,
    actual_subcause: entry.subcause,
    outcome,
    category,
    subcause,
    confidence,
    abstained,
    hypotheses,
    ms,
  };
}
