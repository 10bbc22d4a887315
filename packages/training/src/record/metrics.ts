// The canonical names of what training tools log, and how each tool's own name maps to one. A metric that no
// rule knows stays `other` under its raw name: nothing is dropped, nothing is guessed.
import type { Split } from './series.js';

/**
 * Units after conversion: memory in bytes, durations in seconds, utilisation in percent (0 to 100), accuracy as a
 * fraction (0 to 1, unless the source's own values pass 1: then percent is divided out), throughput per second.
 */
export const metricNames = [
  'loss',
  'accuracy',
  'perplexity',
  'learning_rate',
  'grad_norm',
  'param_norm',
  'update_ratio',
  'loss_scale',
  'skipped_steps',
  'nan_steps',
  'epoch',
  'step_time',
  'data_time',
  'throughput',
  'memory_allocated',
  'memory_reserved',
  'memory_peak',
  'memory_used',
  'memory_total',
  'host_memory',
  'host_memory_percent',
  'gpu_utilization',
  'gpu_temperature',
  'gpu_power',
  'cpu_utilization',
  'disk_percent',
  'batch_size',
  'sequence_length',
  'token_max',
  'token_min',
  'label_max',
  'label_min',
  'input_mean',
  'input_std',
  'input_nan_fraction',
  'ignored_target_fraction',
  'dead_fraction',
  'weight_decay',
  'momentum',
  'tokens_seen',
  'samples_seen',
  'entropy',
  'kl',
  'reward',
  'f1',
  'error_metric',
  'other',
] as const;

export type MetricName = (typeof metricNames)[number];

export interface MetricIdentity {
  readonly metric: MetricName;
  readonly split: Split;
  readonly subject: string | null;
  readonly unit: string;
  /** Factor that brings logged values to `unit`. */
  readonly scale: number;
}
