// What remedies may know of a run, read from its record.
import type { RunFacts } from '../causes/remedy.js';
import type { Examination } from '../detectors/examine.js';
import { peakLearningRate } from '../features/configuration.js';
import { flagSetting, numberSetting, textSetting } from '../features/task.js';

export function factsOf({ record, view }: Examination): RunFacts {
  return {
    batchSize: numberSetting(record, 'batch_size'),
    accumulation: numberSetting(record, 'gradient_accumulation'),
    clipping: numberSetting(record, 'gradient_clipping'),
    warmup: numberSetting(record, 'warmup'),
    learningRate: peakLearningRate(view),
    optimizer: textSetting(record, 'optimizer'),
    precision: view.task.precision,
    checkpointing: flagSetting(record, 'gradient_checkpointing'),
    workers: numberSetting(record, 'num_workers'),
    sequenceLength: numberSetting(record, 'sequence_length'),
    device: record.hardware.gpus.find((gpu) => gpu.name !== null)?.name ?? null,
    version: (name) => record.versions.find((entry) => entry.name === name)?.version ?? null,
  };
}
