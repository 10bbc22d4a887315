// How often one may ask: a bucket per token or address that fills again with time.

export interface RateLimit {
  /** False when there is nothing left for this key. */
  allow(key: string): boolean;
}

const mostKeys = 10_000;

export function rateLimit(perSecond: number, burst: number, now: () => number = Date.now): RateLimit {
  const buckets = new Map<string, { left: number; at: number }>();
  return {
    allow: (key) => {
      const at = now();
      const bucket = buckets.get(key) ?? { left: burst, at };
      const left = Math.min(burst, bucket.left + ((at - bucket.at) / 1_000) * perSecond);
      buckets.delete(key);
      // The oldest goes: it has filled up since.
      if (buckets.size >= mostKeys) buckets.delete(buckets.keys().next().value!);
      buckets.set(key, { left: Math.max(0, left - 1), at });
      return left >= 1;
    },
  };
}
