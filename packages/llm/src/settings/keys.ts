// Where the key of a provider comes from.
import type { LlmSettings } from './settings.js';

type Environment = Readonly<Record<string, string | undefined>>;

export const keyVariables = {
  openai: 'OPENAI_API_KEY',
  anthropic: 'ANTHROPIC_API_KEY',
  google: 'GOOGLE_GENERATIVE_AI_API_KEY',
} as const;

/** Whether a key was given; null for models that can do without. */
export function hasKey({ spec, key }: LlmSettings, env: Environment = process.env): boolean | null {
  if (key !== null) return true;
  return spec.kind in keyVariables
    ? Boolean(env[keyVariables[spec.kind as keyof typeof keyVariables]])
    : null;
}
