// Everything that can be set about the LLM rung, from options first and the environment second. Without a model there
// are no settings, and nothing is ever sent.
import { GrusError, type RedactionLevel, redactionLevels } from '@grus/core';
import { cacheFolder, stateFolder } from './folders.js';
import { type ModelSpec, parseModelSpec } from './spec.js';

type Environment = Readonly<Record<string, string | undefined>>;

/** US dollars for a million tokens. */
export interface Price {
  readonly input: number;
  readonly output: number;
}

export interface LlmSettings {
  readonly spec: ModelSpec;
  /** What of the snapshot may leave the machine. */
  readonly redaction: RedactionLevel;
  /** How often the question is asked at most. */
  readonly votes: number;
  /** How many of the votes must agree. */
  readonly agreement: number;
  /** Tokens that the question may take, by estimate. */
  readonly promptTokens: number;
  /** Tokens that one answer may take, thinking included. */
  readonly answerTokens: number;
  /** Milliseconds for one answer. */
  readonly timeoutMs: number;
  /** Further attempts after a failure that may pass. */
  readonly retries: number;
  /** Milliseconds before the first further attempt; each next pause is twice as long. */
  readonly retryPauseMs: number;
  /** Questions in flight at the same time. */
  readonly concurrency: number;
  readonly usdPerCheck: number;
  readonly usdPerDay: number;
  /** Overrides the built-in price of the model. */
  readonly price: Price | null;
  /** Overrides the address of the provider, for proxies. */
  readonly url: string | null;
  /** Overrides the provider's own environment variable. */
  readonly key: string | null;
  readonly cache: string | null;
  readonly state: string;
}

export interface LlmOptions {
  readonly model?: string;
  readonly redaction?: RedactionLevel;
  readonly votes?: number;
  readonly agreement?: number;
}

/** The settings, or null when no model is configured. */
export function llmSettings(options: LlmOptions = {}, env: Environment = process.env): LlmSettings | null {
  const model = options.model ?? env['GRUS_MODEL'];
  if (!model || model === 'none') return null;
  const number = (name: string, fallback: number) => positive(name, env[name], fallback);
  const votes = options.votes ?? number('GRUS_VOTES', 5);
  return {
    spec: parseModelSpec(model),
    redaction: options.redaction ?? redactionFrom(env['GRUS_REDACTION']),
    votes,
    agreement: agreementFor(votes, options.agreement ?? number('GRUS_AGREEMENT', Math.ceil(votes * 0.8))),
    promptTokens: number('GRUS_PROMPT_TOKENS', 12_000),
    answerTokens: number('GRUS_ANSWER_TOKENS', 4_000),
    timeoutMs: number('GRUS_MODEL_TIMEOUT', 90) * 1000,
    retries: 2,
    retryPauseMs: 500,
    concurrency: number('GRUS_CONCURRENCY', 4),
    usdPerCheck: number('GRUS_USD_PER_CHECK', 0.5),
    usdPerDay: number('GRUS_USD_PER_DAY', 5),
    price: priceFrom(env['GRUS_MODEL_PRICE']),
    url: env['GRUS_MODEL_URL'] || null,
    key: env['GRUS_MODEL_KEY'] || null,
    cache: env['GRUS_CACHE'] === 'off' ? null : cacheFolder(env),
    state: stateFolder(env),
  };
}

function agreementFor(votes: number, agreement: number): number {
  if (Number.isInteger(votes) && Number.isInteger(agreement) && agreement <= votes && agreement * 2 > votes)
    return agreement;
  throw new GrusError(`${agreement} of ${votes} votes is no majority to commit at`, {
    advice: 'Choose whole numbers, the agreement above half of the votes and at most all of them.',
  });
}

function redactionFrom(text: string | undefined): RedactionLevel {
  if (!text) return 'statistics';
  const level = redactionLevels.find((known) => known === text);
  if (level) return level;
  throw new GrusError(`GRUS_REDACTION=${text} is not known`, {
    advice: `Choose one of ${redactionLevels.join(', ')}.`,
  });
}

function priceFrom(text: string | undefined): Price | null {
  if (!text) return null;
  const [input = Number.NaN, output = Number.NaN] = text.split(',').map(Number);
  if (input >= 0 && output >= 0) return { input, output };
  throw new GrusError(`GRUS_MODEL_PRICE=${text} is no price`, {
    advice: 'Give US dollars per million tokens in and out, such as GRUS_MODEL_PRICE=1.25,10.',
  });
}

function positive(name: string, text: string | undefined, fallback: number): number {
  if (!text) return fallback;
  const value = Number(text);
  if (Number.isFinite(value) && value > 0) return value;
  throw new GrusError(`${name}=${text} is not a positive number`, { advice: `Set ${name} to a number.` });
}
