// At most so many questions in flight; the others wait their turn, and a cancelled one leaves the queue.
import { cancelled } from './failure.js';
import type { Model } from './model.js';

export function limited(model: Model, concurrency: number): Model {
  let running = 0;
  const waiting: (() => void)[] = [];
  const turn = (signal: AbortSignal | undefined): Promise<void> => {
    if (signal?.aborted) return Promise.reject(cancelled(model.name));
    if (running < concurrency) {
      running++;
      return Promise.resolve();
    }
    return new Promise((resolve, reject) => {
      const start = () => {
        signal?.removeEventListener('abort', leave);
        resolve();
      };
      const leave = () => {
        waiting.splice(waiting.indexOf(start), 1);
        reject(cancelled(model.name));
      };
      waiting.push(start);
      signal?.addEventListener('abort', leave, { once: true });
    });
  };
  return {
    name: model.name,
    async ask(request) {
      await turn(request.signal);
      try {
        return await model.ask(request);
      } finally {
        const next = waiting.shift();
        if (next) next();
        else running--;
      }
    },
  };
}
