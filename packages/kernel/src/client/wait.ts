// Waiting with a limit, without leaving a timer behind. Works in Node and in a browser.

export const timedOut = Symbol('timed out');

/** The value of the promise, or `timedOut` after `ms`. An infinite limit sets no timer. */
export async function within<T>(promise: Promise<T>, ms: number): Promise<T | typeof timedOut> {
  if (!Number.isFinite(ms)) {
    return promise;
  }
  let timer: ReturnType<typeof setTimeout> | undefined;
  const limit = new Promise<typeof timedOut>((resolve) => {
    timer = setTimeout(() => resolve(timedOut), Math.max(0, ms));
  });
  try {
    return await Promise.race([promise, limit]);
  } finally {
    clearTimeout(timer);
  }
}

export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
