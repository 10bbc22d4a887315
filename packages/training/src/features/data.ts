// What is known of the batches: their words, labels, missing values and how long the loop waited for them.
import { type Curve, finiteValues } from './curve.js';
import { defineFeature, type Feature, known } from './define.js';
import { median } from './robust.js';
import { numberSetting } from './task.js';
import type { RunView } from './view.js';

const largest = (curve: Curve | null): number | undefined => {
  const values = curve ? finiteValues(curve) : [];
  return values.length === 0 ? undefined : values.reduce((a, b) => Math.max(a, b));
};

export const dataFeatures: readonly Feature[] = [
  defineFeature('data', 'vocabulary_excess', {
    study: true,
    group: 'vocabulary',
    definition:
      'Largest token id seen minus (vocabulary size - 1): above 0 reads outside the embedding table.',
    compute: (view) => {
      const size = numberSetting(view.record, 'vocab_size');
      const token = largest(view.curve('token_max'));
      return size === null || token === undefined ? undefined : token - (size - 1);
    },
  }),
  defineFeature('data', 'label_excess', {
    study: true,
    group: 'vocabulary',
    definition: 'Largest label seen minus (number of classes - 1): above 0 is outside the output layer.',
    compute: (view) => {
      const classes = numberSetting(view.record, 'num_classes');
      const label = largest(view.curve('label_max'));
      return classes === null || label === undefined ? undefined : label - (classes - 1);
    },
  }),
  defineFeature('data', 'ignored_target_fraction', {
    study: true,
    definition: 'Median share of targets the loss leaves out (index -100 or padding).',
    compute: (view) => {
      const curve = view.curve('ignored_target_fraction');
      return curve ? known(median(finiteValues(curve))) : undefined;
    },
  }),
  defineFeature('data', 'input_nan_fraction', {
    study: true,
    definition: 'Largest share of NaN among the inputs of a batch.',
    compute: (view) => largest(view.curve('input_nan_fraction')),
  }),
  defineFeature('data', 'data_wait_fraction', {
    definition: 'Median time a step waited for its batch over the median step time.',
    compute: (view) => {
      const waited = view.curve('data_time');
      const step = view.curve('step_time');
      if (!waited || !step) return undefined;
      return known(median(finiteValues(waited)) / (median(finiteValues(step)) + 1e-12));
    },
  }),
  defineFeature('data', 'batch_length_peak', {
    definition: 'Longest batch over the median one, in tokens.',
    compute: (view: RunView) => {
      const curve = view.curve('sequence_length');
      const peak = largest(curve);
      return curve && peak !== undefined ? known(peak / (median(finiteValues(curve)) + 1e-12)) : undefined;
    },
  }),
  defineFeature('data', 'label_range', {
    definition: 'Largest minus smallest label seen: 0 is a single class.',
    compute: (view) => {
      const high = largest(view.curve('label_max'));
      const lows = view.curve('label_min');
      const low = lows ? Math.min(...finiteValues(lows)) : undefined;
      return high === undefined || low === undefined || !Number.isFinite(low) ? undefined : high - low;
    },
  }),
];
