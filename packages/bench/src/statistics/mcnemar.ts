// McNemar's exact test: do two methods that judged the same instances differ in how often they are right?

export interface McNemar {
  /** Instances that only the first method got right, and that only the second did. */
  readonly onlyFirst: number;
  readonly onlySecond: number;
  readonly p: number;
}

export function mcnemarExact(
  pairs: Iterable<{ readonly first: boolean; readonly second: boolean }>,
): McNemar {
  let onlyFirst = 0;
  let onlySecond = 0;
  for (const { first, second } of pairs) {
    if (first && !second) onlyFirst++;
    else if (second && !first) onlySecond++;
  }
  return { onlyFirst, onlySecond, p: twoSidedSignTest(onlyFirst, onlySecond) };
}

/** Twice the smaller tail of a fair binomial over the discordant pairs, at most 1. */
function twoSidedSignTest(a: number, b: number): number {
  const n = a + b;
  let logChoose = 0;
  let tail = 0;
  for (let k = 0; k <= Math.min(a, b); k++) {
    if (k > 0) logChoose += Math.log(n - k + 1) - Math.log(k);
    tail += Math.exp(logChoose - n * Math.LN2);
  }
  return Math.min(1, 2 * tail);
}
