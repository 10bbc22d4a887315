// The language models of the AI SDK's providers. Each is imported only when it is the one that was chosen.
import type { LanguageModel } from 'ai';
import { keyVariables } from '../settings/keys.js';
import type { LlmSettings } from '../settings/settings.js';
import { ModelFailure } from './failure.js';

type Fetch = typeof globalThis.fetch;
type Environment = Readonly<Record<string, string | undefined>>;

export async function languageModel(
  settings: LlmSettings,
  fetch: Fetch | undefined,
  env: Environment,
): Promise<LanguageModel> {
  const { spec, url } = settings;
  const shared = { ...(url === null ? {} : { baseURL: url }), ...(fetch ? { fetch } : {}) };
  switch (spec.kind) {
    case 'openai': {
      const { createOpenAI } = await import('@ai-sdk/openai');
      return createOpenAI({ ...shared, apiKey: keyFor('openai', settings, env) })(spec.model);
    }
    case 'anthropic': {
      const { createAnthropic } = await import('@ai-sdk/anthropic');
      return createAnthropic({ ...shared, apiKey: keyFor('anthropic', settings, env) })(spec.model);
    }
    case 'google': {
      const { createGoogleGenerativeAI } = await import('@ai-sdk/google');
      return createGoogleGenerativeAI({ ...shared, apiKey: keyFor('google', settings, env) })(spec.model);
    }
    case 'ollama':
      return compatible('ollama', url ?? `${ollamaHost(env)}/v1`, spec.model, settings, fetch);
    case 'compatible':
      return compatible('compatible', url ?? spec.url, spec.model, settings, fetch);
    default:
      throw new TypeError(`${spec.kind} is not reached over HTTP`);
  }
}

async function compatible(
  name: string,
  baseURL: string,
  model: string,
  { key }: LlmSettings,
  fetch: Fetch | undefined,
): Promise<LanguageModel> {
  const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible');
  const provider = createOpenAICompatible({
    name,
    baseURL,
    includeUsage: true,
    supportsStructuredOutputs: true,
    ...(key === null ? {} : { apiKey: key }),
    ...(fetch ? { fetch } : {}),
  });
  return provider(model);
}

function keyFor(provider: keyof typeof keyVariables, { key }: LlmSettings, env: Environment): string {
  const found = key ?? env[keyVariables[provider]];
  if (found) return found;
  throw new ModelFailure('key', `there is no key for ${provider}`, {
    advice: `Set ${keyVariables[provider]}, or GRUS_MODEL_KEY.`,
  });
}

/** OLLAMA_HOST as Ollama itself reads it: with or without scheme and port. */
function ollamaHost(env: Environment): string {
  const host = env['OLLAMA_HOST'] || '127.0.0.1:11434';
  const full = /^https?:\/\//.test(host) ? host : `http://${host}`;
  const url = new URL(full.replace('0.0.0.0', '127.0.0.1'));
  if (url.port === '' && !/^https?:\/\//.test(host)) url.port = '11434';
  return url.origin;
}
