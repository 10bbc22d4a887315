// Puts the configured model on top of the ladder. Without one, nothing of the LLM package is even loaded.
import type { CheckOptions } from '@grus/notebook';
import type { ModelOptions } from '../options/model.js';

export interface ModelFlags extends ModelOptions {
  readonly record?: string;
  /** Run what a model proposes in a copy of the kernel. */
  readonly verifyFix?: boolean;
}

export async function withModel(options: CheckOptions, flags: ModelFlags): Promise<CheckOptions> {
  const model = flags.model ?? process.env['GRUS_MODEL'];
  if (!model || model === 'none') return options;
  const { llmRung, llmSettings, openModel } = await import('@grus/llm');
  const settings = llmSettings(flags);
  if (settings === null) return options;
  const open = await openModel(settings, flags.record === undefined ? {} : { record: flags.record });
  const cancel = new AbortController();
  process.once('SIGINT', () => cancel.abort());
  const verify = flags.verifyFix ? { verify: options } : {};
  return { ...options, last: llmRung({ settings, open, ...verify, signal: cancel.signal }) };
}
