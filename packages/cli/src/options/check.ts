// What `grus check` takes beside the kernel, the model and the dry run; `rehearse` and `llm record` take the same.
import type { DryFlags } from './dry.js';
import type { KernelOptions } from './kernel.js';
import type { ModelOptions } from './model.js';
import type { PipelineOptions } from './pipeline.js';
import type { SettingsOptions } from './settings.js';

export interface CheckFlags extends KernelOptions, ModelOptions, DryFlags, PipelineOptions, SettingsOptions {
  readonly all?: boolean;
  /** Also offer an edit that avoids a certain crash. */
  readonly fix?: boolean;
  /** Run what a model proposes in a copy of the kernel. */
  readonly verifyFix?: boolean;
  readonly withEdit?: string;
  readonly cell?: string;
  readonly code?: string;
  readonly json?: boolean;
  /** Let checks speak whose false alarms have not been counted yet. */
  readonly preview?: boolean;
  readonly watch?: boolean;
  /** Another interpreter, or a file of requirements: would the notebooks still run there? */
  readonly against?: string;
  readonly timeout?: number;
  readonly budget?: number;
  /** Folder that a model's answers are written to. */
  readonly record?: string;
}

export function timeoutOf(flags: CheckFlags): { timeout?: number } {
  return flags.timeout === undefined ? {} : { timeout: flags.timeout };
}
