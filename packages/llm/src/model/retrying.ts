// Tries again where a failure may pass: after the time the server asked for, or after a growing pause.
import { cancelled, ModelFailure } from './failure.js';
import type { Model } from './model.js';

export interface RetryOptions {
  readonly retries: number;
  /** First pause in milliseconds; it doubles with every attempt. */
  readonly retryPauseMs: number;
  /** A server that asks for a longer wait is not waited for. Default 30 000. */
  readonly longestWaitMs?: number;
}

export function retrying(model: Model, options: RetryOptions): Model {
  const { retries, retryPauseMs, longestWaitMs = 30_000 } = options;
  return {
    name: model.name,
    async ask(request) {
      for (let attempt = 0; ; attempt++) {
        try {
          return await model.ask(request);
        } catch (error) {
          if (!ModelFailure.is(error) || !error.mayPass || attempt >= retries) throw error;
          const wait = error.retryAfterMs ?? retryPauseMs * 2 ** attempt;
          if (wait > longestWaitMs)
            throw new ModelFailure(
              error.kind,
              `${error.message}; it asks to wait ${Math.ceil(wait / 1000)} s`,
              {
                advice: error.advice,
                cause: error,
              },
            );
          await pause(wait, model.name, request.signal);
        }
      }
    },
  };
}

function pause(ms: number, model: string, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(cancelled(model));
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, ms);
    if (signal?.aborted) stop();
    else signal?.addEventListener('abort', stop, { once: true });
  });
}
