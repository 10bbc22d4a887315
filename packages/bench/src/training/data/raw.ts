// A run without engineering: its curves as they were logged, each drawn at the same number of places. What learners do with
// this shows what features are worth.
import { findSeries, type MetricName, type RunRecord } from '@grus/training';

const curves: readonly (readonly [MetricName, 'train' | 'eval' | null])[] = [
  ['loss', 'train'],
  ['loss', 'eval'],
  ['accuracy', null],
  ['perplexity', null],
  ['grad_norm', null],
  ['learning_rate', null],
  ['memory_allocated', null],
  ['host_memory', null],
  ['step_time', null],
];
const places = 12;

export const rawColumns: readonly string[] = curves.flatMap(([metric, split]) =>
  Array.from({ length: places }, (_, place) => `raw_${metric}${split ? `_${split}` : ''}_${place}`),
);

export function rawVector(record: RunRecord): Float64Array {
  return Float64Array.from(
    curves.flatMap(([metric, split]) => {
      const series = findSeries(record, metric, split ? { split } : {});
      return Array.from({ length: places }, (_, place) => {
        if (!series || series.length === 0 || (split !== null && series.split !== split)) return Number.NaN;
        return series.values[Math.round((place * (series.length - 1)) / (places - 1))]!;
      });
    }),
  );
}
