// What the run was told to do, in numbers that compare across optimizers and sizes.

import { setting } from '../record/run-record.js';
import { finiteValues } from './curve.js';
import { defineFeature, type Feature } from './define.js';
import { flagSetting, numberSetting, usualLearningRates } from './task.js';
import type { RunView } from './view.js';

/** The highest learning rate the run used: logged, or configured where it was logged between the peaks of its schedule. */
export function peakLearningRate(view: RunView): number | null {
  const curve = view.curve('learning_rate');
  const logged = curve ? finiteValues(curve) : [];
  const configured = numberSetting(view.record, 'learning_rate');
  if (logged.length === 0) return configured;
  const highest = logged.reduce((a, b) => Math.max(a, b));
  return highest === 0 ? 0 : Math.max(highest, configured ?? 0);
}

export const configurationFeatures: readonly Feature[] = [
  defineFeature('configuration', 'learning_rate_position', {
    study: true,
    definition:
      'Where the peak learning rate lies in the usual span of its optimizer family, in log scale: 0 its lower, 1 its upper end.',
    compute: (view) => {
      const rate = peakLearningRate(view);
      if (rate === null || rate <= 0) return undefined;
      // An optimizer that is only presumed may be another one.
      const stated = setting(view.record, 'optimizer') !== null;
      const [low, high] = usualLearningRates(stated ? view.task.optimizer : 'unknown');
      return Math.log(rate / low) / Math.log(high / low);
    },
  }),
  defineFeature('configuration', 'half_precision', {
    study: true,
    definition: '1 for fp16, 0.5 for bf16, 0 for full precision.',
    compute: (view) => ({ fp16: 1, bf16: 0.5, fp32: 0, unknown: undefined })[view.task.precision],
  }),
  defineFeature('configuration', 'batch_size', {
    study: true,
    definition: 'Log2 of the batch size a device sees in one forward pass.',
    compute: (view) => {
      const size = numberSetting(view.record, 'batch_size');
      return size !== null && size > 0 ? Math.log2(size) : undefined;
    },
  }),
  defineFeature('configuration', 'gradient_clipping', {
    definition: 'The clipping norm; 0 when the settings switch it off.',
    compute: (view) =>
      numberSetting(view.record, 'gradient_clipping') ??
      (flagSetting(view.record, 'gradient_clipping') === false ? 0 : undefined),
  }),
  defineFeature('configuration', 'adaptive_optimizer', {
    definition: '1 for Adam-like and sign-based optimizers, 0 for SGD.',
    compute: (view) => ({ adaptive: 1, sign: 1, sgd: 0, unknown: undefined })[view.task.optimizer],
  }),
  defineFeature('configuration', 'fine_tuning', {
    definition: '1 when the settings name weights to start from.',
    compute: (view) => (view.record.settings.length === 0 ? undefined : view.task.fineTuning ? 1 : 0),
  }),
];
