// The options that say which model may be asked, and what of the kernel it may be told.
import { type RedactionLevel, redactionLevels } from '@grus/core';
import type { Command } from 'commander';
import { choiceOption, countOption } from './values.js';

export interface ModelOptions {
  readonly model?: string;
  readonly redaction?: RedactionLevel;
  readonly votes?: number;
}

export function withModelOptions(command: Command): Command {
  return command
    .option(
      '--model <spec>',
      'ask this model about what the other rungs cannot decide: openai:NAME, anthropic:NAME, google:NAME, ollama:NAME, compatible:URL#NAME, llama:FILE.gguf, recorded:DIR, none; also GRUS_MODEL',
    )
    .option(
      '--redaction <level>',
      `what a model may be told: ${redactionLevels.join(', ')} (default statistics); also GRUS_REDACTION`,
      choiceOption('--redaction', redactionLevels),
    )
    .option('--votes <n>', 'ask the model at most this many times (default 5)', countOption('--votes'));
}
