// The pieces under the readers: checksums, numbers, tolerant JSON, thinning.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { crc32c } from '../../src/readers/bytes/crc32c.js';
import { numberEnd, readNumber, skipNumber } from '../../src/readers/bytes/numbers.js';
import { parseTolerantJson } from '../../src/readers/bytes/tolerant-json.js';
import { PointBudget, SeriesBuilder } from '../../src/readers/collect/series-builder.js';
import { identifyMetric } from '../../src/record/metrics.js';

test('CRC-32C gives the published check value, in pieces too', () => {
  const bytes = Buffer.from('123456789');
  expect(crc32c(bytes, 0, 9)).toBe(0xe3069283);
  expect(crc32c(bytes, 4, 9, crc32c(bytes, 0, 4))).toBe(0xe3069283);
});

test('numbers read from bytes are what JavaScript reads', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.double({ noNaN: true, noDefaultInfinity: true }),
        fc.integer(),
        fc.float({ noNaN: true, noDefaultInfinity: true }),
      ),
      (value) => {
        for (const text of [String(value), value.toExponential(6), value.toFixed(4)]) {
          const bytes = Buffer.from(text);
          expect(readNumber(bytes, 0, bytes.length)).toBe(Number(text));
          expect(numberEnd).toBe(bytes.length);
          if (!text.startsWith('-')) expect(skipNumber(bytes, 0, bytes.length)).toBe(bytes.length);
        }
      },
    ),
  );
});

test('tolerant JSON is JSON, with NaN and infinities beside', () => {
  fc.assert(
    fc.property(fc.json(), (text) => {
      expect(parseTolerantJson(text)).toEqual(JSON.parse(text));
    }),
  );
  fc.assert(
    fc.property(fc.json(), (text) => {
      expect(parseTolerantJson(`[NaN, ${text}, -Infinity]`)).toEqual([
        Number.NaN,
        JSON.parse(text),
        Number.NEGATIVE_INFINITY,
      ]);
    }),
  );
  // As JSON.parse does, "__proto__" becomes an ordinary key and never the prototype.
  expect(Object.keys(parseTolerantJson('{"__proto__": {"polluted": NaN}}') as object)).toEqual(['__proto__']);
  expect(parseTolerantJson('{"a": 1')).toBeUndefined();
  expect(parseTolerantJson('loss')).toBeUndefined();
});

test('a curve of a million points is thinned evenly; first, last, extremes and NaN stay', () => {
  const key = { rawName: 'loss', rank: null, identity: identifyMetric('loss'), hasSteps: true };
  const series = new SeriesBuilder(key, new PointBudget());
  for (let step = 0; step < 1_000_000; step++) {
    const value = step === 400_000 ? 1e6 : step === 700_000 ? Number.NaN : Math.sin(step / 1000);
    series.push(step, value, Number.NaN, step);
  }
  expect(series.seen).toBe(1_000_000);
  expect(series.length).toBeLessThan(40_000);
  const steps = [...series.steps.slice(0, series.length)];
  expect(steps[0]).toBe(0);
  expect(steps.at(-1)).toBe(999_999);
  expect(steps).toContain(400_000);
  expect(steps).toContain(700_000);
  const gaps = steps.map((step, index) => (index === 0 ? 0 : step - steps[index - 1]!));
  expect(Math.max(...gaps)).toBeLessThan(1000);
  expect(gaps.every((gap) => gap >= 0)).toBe(true);
});

test('names of metrics', () => {
  const name = (raw: string, unit = '') => {
    const { metric, split, subject } = identifyMetric(raw, unit);
    return [metric, split, subject].filter((part) => part !== null).join(' ');
  };
  expect(name('train/loss')).toBe('loss train');
  expect(name('val_loss')).toBe('loss eval');
  expect(name('train_loss_epoch')).toBe('loss train epoch');
  expect(name('nll_loss')).toBe('loss train nll');
  expect(name('lr-Adam/pg1')).toBe('learning_rate train adam_pg1');
  expect(name('grad_2.0_norm_total')).toBe('grad_norm train');
  expect(name('eval/mean_token_accuracy')).toBe('accuracy eval');
  expect(name('memory/device_reserved (GiB)')).toBe('memory_reserved train');
  expect(identifyMetric('memory_gb')).toMatchObject({ metric: 'memory_used', unit: 'bytes', scale: 2 ** 30 });
  expect(identifyMetric('step_time_ms')).toMatchObject({ metric: 'step_time', scale: 1e-3 });
  expect(name('update_ratio')).toBe('update_ratio train');
  expect(name('something_else')).toBe('other train');
});
