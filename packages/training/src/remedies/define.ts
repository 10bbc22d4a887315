// A remedy speaks of this run: it is offered only when its condition holds for the run's settings, hardware and versions,
// and its words carry the run's own figures.

import type { Examination } from '../detectors/examine.js';
import { peakLearningRate } from '../features/configuration.js';
import { deviceMemory } from '../features/memory.js';
import { flagSetting, numberSetting, textSetting } from '../features/task.js';
import type { Remedy } from '../rules/diagnosis.js';

export interface RunFacts {
  readonly examination: Examination;
  readonly batchSize: number | null;
  readonly accumulation: number | null;
  readonly clipping: number | null;
  readonly warmup: number | null;
  readonly learningRate: number | null;
  readonly optimizer: string | null;
  readonly precision: 'fp16' | 'bf16' | 'fp32' | 'unknown';
  readonly checkpointing: boolean | null;
  readonly workers: number | null;
  readonly sequenceLength: number | null;
  readonly device: string | null;
  readonly deviceBytes: number | null;
  readonly ranks: number | null;
  version(name: string): string | null;
}

export function factsOf(examination: Examination): RunFacts {
  const { record, view } = examination;
  return {
    examination,
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
    deviceBytes: deviceMemory(view),
    ranks: record.hardware.worldSize,
    version: (name) => record.versions.find((entry) => entry.name === name)?.version ?? null,
  };
}

type Words = string | ((facts: RunFacts) => string);

export interface RemedyEntry {
  readonly kind: 'do' | 'avoid';
  readonly text: Words;
  readonly because: Words;
  /** Offered when it returns true; always without it. */
  readonly when?: (facts: RunFacts) => boolean;
}

export const act = (text: Words, because: Words, when?: RemedyEntry['when']): RemedyEntry => ({
  kind: 'do',
  text,
  because,
  ...(when ? { when } : {}),
});

export const avoid = (text: Words, because: Words, when?: RemedyEntry['when']): RemedyEntry => ({
  kind: 'avoid',
  text,
  because,
  ...(when ? { when } : {}),
});

export function render(entry: RemedyEntry, facts: RunFacts): Remedy {
  const say = (words: Words): string => (typeof words === 'string' ? words : words(facts));
  return { kind: entry.kind, text: say(entry.text), because: say(entry.because) };
}

/** Ampere and later compute in bf16; older devices only emulate it. */
export function knowsBf16(facts: RunFacts): boolean | null {
  if (facts.device === null) return null;
  if (
    /A100|A10|A30|A40|A6000|H100|H200|H800|B100|B200|L4|L40|RTX (30|40|50)|RTX A|MI[23]\d\d/i.test(
      facts.device,
    )
  )
    return true;
  if (/V100|T4|P100|K80|GTX|RTX 20|Titan/i.test(facts.device)) return false;
  return null;
}
