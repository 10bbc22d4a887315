// Settings for tests: a model on loopback, folders of their own, nothing of the user's environment.
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type LlmOptions, type LlmSettings, llmSettings } from '@grus/llm';

export function scratch(): string {
  return mkdtempSync(join(tmpdir(), 'grus-llm-'));
}

export function settingsFor(
  model: string,
  overrides: Partial<LlmSettings> = {},
  options: LlmOptions = {},
): LlmSettings {
  const settings = llmSettings(
    { model, ...options },
    { GRUS_CACHE_DIR: scratch(), GRUS_STATE_DIR: scratch(), GRUS_MODEL_KEY: 'right-key' },
  );
  return { ...settings!, timeoutMs: 60_000, retryPauseMs: 10, ...overrides };
}

/** The address of each provider under the server's origin. */
export const providers: Readonly<Record<string, { readonly model: string; readonly path: string }>> = {
  openai: { model: 'openai:gpt-5', path: '/v1' },
  anthropic: { model: 'anthropic:claude-sonnet-5', path: '/v1' },
  google: { model: 'google:gemini-2.5-flash', path: '/v1beta' },
  ollama: { model: 'ollama:llama3', path: '/v1' },
  compatible: { model: 'compatible:http://placeholder/v1#qwen', path: '/v1' },
};

export function answer(detection: boolean, extra: object = {}): string {
  return JSON.stringify({
    cause: detection ? 'df has no column "age".' : 'Nothing shows a crash.',
    detection,
    exception_type: detection ? 'KeyError' : null,
    line: detection ? 1 : null,
    confidence: 0.9,
    fix: null,
    ...extra,
  });
}
