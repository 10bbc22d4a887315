// Groups of causes that leave the same kind of trace, and the signals that confirm a group beyond the symptom itself.

import { memoryGrowth } from '../features/memory-growth.js';
import type { FeatureVector } from '../features/vector.js';

/** True confirms, false contradicts, undefined when the run did not record it. */
export type Confirmation = (features: FeatureVector) => boolean | undefined;

const above =
  (name: string, limit: number): Confirmation =>
  (features) => {
    const value = features.get(name);
    return value === undefined ? undefined : value > limit;
  };
const below =
  (name: string, limit: number): Confirmation =>
  (features) => {
    const value = features.get(name);
    return value === undefined ? undefined : value < limit;
  };
/** Confirms only: the absence of the signal says nothing against the group. */
const ifShown =
  (confirmation: Confirmation): Confirmation =>
  (features) =>
    confirmation(features) || undefined;

export const groups = {
  device_capacity: [ifShown(above('memory_peak_fraction', 0.85)), ifShown(above('batch_size', 5))],
  device_request: [ifShown(above('memory_request_fraction', 1)), ifShown(above('batch_length_peak', 1.5))],
  device_layout: [
    ifShown(above('memory_unused_reserve', 0.1)),
    ifShown(above('memory_foreign_fraction', 0.2)),
  ],
  device_growth: [above('memory_growth', memoryGrowth.confirming)],
  host_memory: [
    ifShown(above('host_memory_growth', memoryGrowth.confirming)),
    ifShown(above('text_host_resource', 0.5)),
  ],
  shared_memory: [],
  storage: [],
  device_fault: [],
  outside_stop: [ifShown(above('stopped_by_signal', 0.5))],
  pace: [ifShown(above('slowdown', 0.4))],
  communication: [ifShown(above('text_collective', 0.5))],

  half_precision: [above('half_precision', 0.75), ifShown(above('loss_scale_fall', 4))],
  operation: [ifShown(above('nonfinite_fraction', 0))],
  large_steps: [
    ifShown(above('learning_rate_position', 0.9)),
    ifShown(above('learning_rate_jump', 0.4)),
    ifShown(above('gradient_norm_peak', 3)),
  ],
  instability: [ifShown(above('gradient_norm_peak', 2)), ifShown(above('loss_rise_from_best', 0.4))],
  small_steps: [ifShown(below('learning_rate_position', 0))],
  no_gradient: [ifShown(below('gradient_norm_level', -5))],
  generalisation: [ifShown(above('eval_train_gap', 0.7))],

  index: [ifShown(above('vocabulary_excess', 0)), ifShown(above('label_excess', 0))],
  files: [ifShown(above('text_data_file', 0.5))],
  values: [ifShown(above('input_nan_fraction', 0))],
  labels: [ifShown(above('loss_over_chance', 0.95)), ifShown(above('ignored_target_fraction', 0.99))],
  language: [ifShown(above('loss_over_chance', 1.1)), ifShown(above('vocabulary_excess', 0))],

  tensors: [ifShown(above('text_shape', 0.5)), ifShown(above('text_dtype_device', 0.5))],
  objective: [],
  autograd: [ifShown(above('text_autograd', 0.5))],
  ranks_apart: [],
  environment: [ifShown(above('text_version', 0.5))],
} as const satisfies Record<string, readonly Confirmation[]>;

export type Group = keyof typeof groups;
