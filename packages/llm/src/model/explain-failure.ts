// Turns what the SDK throws into a failure with a name: by the HTTP status, the words of the body, or the network error.

import { removeSecrets } from '@grus/core';
import { APICallError } from 'ai';
import { cancelled, ModelFailure } from './failure.js';

export interface FailureContext {
  readonly model: string;
  readonly timeoutMs: number;
  /** The caller's own signal, to tell a cancellation from a time-out. */
  readonly signal: AbortSignal | undefined;
}

export function explainFailure(error: unknown, context: FailureContext): ModelFailure {
  if (ModelFailure.is(error)) return error;
  const { model } = context;
  if (context.signal?.aborted) return cancelled(model);
  if (isTimeout(error))
    return new ModelFailure('timeout', `${model} did not answer within ${context.timeoutMs / 1000} s`, {
      advice: 'Raise GRUS_MODEL_TIMEOUT (seconds) or choose a faster model.',
      cause: error,
    });
  if (APICallError.isInstance(error)) return ofCall(error, model);
  return brokenOff(model, wordsOf(error), error);
}

/** The stream ended too soon, or what came is no stream of this protocol: from here they look the same. */
export function brokenOff(model: string, words: string | null, cause?: unknown): ModelFailure {
  return new ModelFailure('cut', `the answer of ${model} broke off${words === null ? '' : `: ${words}`}`, {
    advice:
      'Try again; if it happens every time, check that the address speaks the protocol of that provider.',
    cause,
  });
}

function ofCall(error: APICallError, model: string): ModelFailure {
  const { statusCode: status } = error;
  const said = saidBy(error);
  const options = (advice: string) => ({ advice, cause: error, retryAfterMs: retryAfter(error) });
  if (status === undefined) {
    return new ModelFailure(
      'offline',
      `${model} cannot be reached: ${said}`,
      options('Check the network and the address (GRUS_MODEL_URL).'),
    );
  }
  if (status === 401 || status === 403)
    return new ModelFailure(
      'key',
      `${model} rejects the key (HTTP ${status}): ${said}`,
      options("Set the provider's key in its environment variable, or in GRUS_MODEL_KEY."),
    );
  if (status === 402 || (status === 429 && /quota|billing|credit|insufficient/i.test(said)))
    return new ModelFailure(
      'quota',
      `the quota of ${model} is used up (HTTP ${status}): ${said}`,
      options('Raise the quota with the provider, or choose another model.'),
    );
  if (status === 404)
    return new ModelFailure(
      'unknown-model',
      `${model} is not served there (HTTP 404): ${said}`,
      options('Check the name of the model and the address.'),
    );
  if (status === 429)
    return new ModelFailure(
      'busy',
      `${model} is limiting requests (HTTP 429): ${said}`,
      options('Wait a moment, or lower GRUS_CONCURRENCY.'),
    );
  if (status === 408 || status >= 500)
    return new ModelFailure(
      'server',
      `${model} failed (HTTP ${status}): ${said}`,
      options('Try again later.'),
    );
  if (status >= 200 && status < 300) return brokenOff(model, wordsOf(error.cause ?? error), error);
  return new ModelFailure(
    'refused',
    `${model} refuses the request (HTTP ${status}): ${said}`,
    options('Check the name of the model; a shorter question may fit (GRUS_PROMPT_TOKENS).'),
  );
}

/** Milliseconds from Retry-After, given as seconds or as a date, or from its variant in milliseconds. */
function retryAfter({ responseHeaders: headers = {} }: APICallError): number | null {
  const fine = Number(headers['retry-after-ms']);
  if (headers['retry-after-ms'] !== undefined && fine >= 0) return fine;
  const text = headers['retry-after'];
  if (text === undefined) return null;
  const seconds = Number(text);
  const ms = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(text) - Date.now();
  return Number.isNaN(ms) ? null : Math.max(0, ms);
}

function isTimeout(error: unknown): boolean {
  for (let at: unknown = error; at instanceof Error; at = at.cause)
    if (at.name === 'TimeoutError' || at.name === 'AbortError') return true;
  return false;
}

function saidBy(error: APICallError): string {
  return tidy(error.message) || tidy(error.responseBody ?? '') || 'no reason given';
}

function wordsOf(error: unknown): string {
  return tidy(error instanceof Error ? error.message : String(error)) || 'no reason given';
}

/** One short line without secrets: servers like to quote the key they reject. */
function tidy(text: string): string {
  const line = removeSecrets(text)
    .replace(/[\s\u0000-\u001f\u007f-\u009f]+/g, ' ')
    .trim();
  return line.length > 200 ? `${line.slice(0, 200)}…` : line.replace(/\.$/, '');
}
