// Settings, hardware and versions of a run, flat, each with where it was read.
import type { Where } from './where.js';

export type SettingValue = string | number | boolean | null;

export interface Setting {
  /** Dotted path as the source wrote it: "trainer.optimizer.lr". */
  readonly key: string;
  readonly value: SettingValue;
  readonly at: Where;
  /** `fact` for what a run printed about itself (number of examples, total steps), `setting` for what a person chose. */
  readonly kind: 'setting' | 'fact';
}

export interface Gpu {
  readonly index: number | null;
  readonly name: string | null;
  /** Bytes. */
  readonly memoryTotal: number | null;
  readonly at: Where;
}

export interface Hardware {
  readonly gpus: readonly Gpu[];
  /** Bytes. */
  readonly hostMemory: number | null;
  readonly cpuCount: number | null;
  readonly worldSize: number | null;
  /** The ranks are counted on their host: the log of another host may have the same. */
  readonly countsOnHost?: boolean;
  readonly hosts: readonly string[];
}

export interface Version {
  /** "torch", "transformers", "python", "cuda", "driver"; lower case. */
  readonly name: string;
  readonly version: string;
  readonly at: Where;
}
