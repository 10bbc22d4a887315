// The summary of a method, from predictions whose answers are plain to see.
import { expect, it } from 'vitest';
import { metaSchema } from '../../src/live/meta.js';
import { predictionOf } from '../../src/live/prediction.js';
import { scoreOf } from '../../src/live/score.js';

const quiet = {
  confidence: 0,
  rung: null,
  exception: null,
  line: null,
  evidence: [],
  explanation: '',
  remedy: null,
  rungs: [],
  findings: [],
};
const crash = (type: string, line: number, ms: number) => ({
  ...quiet,
  outcome: 'crash' as const,
  rung: 'contracts',
  exception: { type, message: '' },
  line,
  ms,
});
const ok = { ...quiet, outcome: 'ok' as const, rung: 'dry-run', ms: 30 };
const unknown = { ...quiet, outcome: 'unknown' as const, ms: 20 };
const meta = (family: string) =>
  metaSchema.parse({ target_cell: 2, exception: 'KeyError', message: "'a'", line: 4, call_line: 7, family });

it('counts hits, false alarms, right exceptions and lines, families and times', () => {
  const judged = [
    { instance: 'a/buggy', meta: meta('key-error'), crashes: true, verdict: crash('KeyError', 7, 10) },
    { instance: 'a/fixed', meta: meta('key-error'), crashes: false, verdict: ok },
    { instance: 'b/buggy', meta: meta('key-error'), crashes: true, verdict: crash('IndexError', 5, 50) },
    { instance: 'b/fixed', meta: meta('key-error'), crashes: false, verdict: crash('KeyError', 4, 40) },
    { instance: 'c/buggy', meta: meta('io-error'), crashes: true, verdict: unknown },
    { instance: 'c/fixed', meta: meta('io-error'), crashes: false, verdict: unknown },
  ];
  const predictions = judged.map((entry) => ({
    ...predictionOf({ ...entry, method: 'ladder' }),
    executed_ms: entry.instance === 'b/buggy' ? 4000 : 12,
  }));
  const score = scoreOf(predictions);
  expect(score).toMatchObject({
    n: 6,
    false_alarms: 1,
    unknown: 2,
    exception_right: 0.5,
    line_right: 0.5,
    families: { 'io-error': { n: 1, found: 0, recall: 0 }, 'key-error': { n: 2, found: 2, recall: 1 } },
    rungs: { contracts: 3, 'dry-run': 1 },
    ms: { median: 25, p95: 47.5 },
    late_crashes: {
      n: 1,
      found: 1,
      verdict_ms_median: 50,
      crash_ms_median: 4000,
      sooner: 1,
      times_sooner_median: 80,
      saved_ms: 3950,
    },
  });
  expect(score.recall).toBeCloseTo(2 / 3);
  expect(score.accuracy).toBeCloseTo(4 / 6);
  expect(predictions[3]!.exception_right).toBeNull();
});
