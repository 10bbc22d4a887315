// For commands that are about a model: the one that is configured, or a line that says there is none.
import { GrusError } from '@grus/core';
import { llmSettings } from '@grus/llm';
import type { ModelOptions } from '../options/model.js';

/** The settings of the configured model; without one, one line says so. */
export function configuredModel(flags: ModelOptions) {
  const settings = llmSettings(flags);
  if (settings !== null) return settings;
  throw new GrusError('no model is configured, and nothing is sent without one', {
    advice: 'Name one with --model or GRUS_MODEL, such as ollama:llama3 or openai:gpt-5.',
  });
}
