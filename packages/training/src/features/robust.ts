// Statistics that a few wild points cannot move: what a run's own healthy window is measured with.

/** Makes a median absolute deviation comparable with a standard deviation of normal noise. */
const normalConsistency = 1.4826;

export function median(values: readonly number[]): number {
  return percentile(values, 0.5);
}

/** Median absolute deviation, scaled to a standard deviation. */
export function spread(values: readonly number[]): number {
  if (values.length === 0) return Number.NaN;
  const centre = median(values);
  return normalConsistency * median(values.map((value) => Math.abs(value - centre)));
}

/** Noise around the trend: spread of first differences, which a smooth trend leaves alone. */
export function noise(values: readonly number[]): number {
  if (values.length < 3) return Number.NaN;
  const differences = values.slice(1).map((value, index) => value - values[index]!);
  return spread(differences) / Math.SQRT2;
}

/** Between two points on the line that joins them, as numpy does by default. */
export function percentile(values: readonly number[], fraction: number): number {
  if (values.length === 0) return Number.NaN;
  const copy = values.slice();
  const at = (copy.length - 1) * fraction;
  const index = Math.floor(at);
  partition(copy, index);
  const lower = copy[index]!;
  if (index === at) return lower;
  let upper = copy[index + 1]!;
  for (let i = index + 2; i < copy.length; i++) upper = Math.min(upper, copy[i]!);
  return lower + (at - index) * (upper - lower);
}

/** Puts the value of rank `index` in its place, nothing greater before it and nothing smaller after it (quickselect). */
function partition(values: number[], index: number): void {
  let left = 0;
  let right = values.length - 1;
  while (left < right) {
    const pivot = values[(left + right) >> 1]!;
    let low = left;
    let high = right;
    while (low <= high) {
      while (values[low]! < pivot) low++;
      while (values[high]! > pivot) high--;
      if (low > high) break;
      const value = values[low]!;
      values[low++] = values[high]!;
      values[high--] = value;
    }
    if (index <= high) right = high;
    else if (index >= low) left = low;
    else return;
  }
}

/** Running median over `width` points ending at each index: looks back only, so an onset is never smeared forward in time. */
export function trailingMedian(values: readonly number[], width: number): number[] {
  return values.map((_, index) => median(values.slice(Math.max(0, index - width + 1), index + 1)));
}

/** Theil-Sen slope over indexes; on long curves over an even sample of them. */
export function robustSlope(values: readonly number[]): number {
  const sampled = sampleEvenly(values, 80);
  const stride = values.length <= 1 ? 1 : (values.length - 1) / Math.max(1, sampled.length - 1);
  const slopes: number[] = [];
  for (let i = 0; i < sampled.length; i++)
    for (let j = i + 1; j < sampled.length; j++)
      slopes.push((sampled[j]! - sampled[i]!) / ((j - i) * stride));
  return slopes.length === 0 ? Number.NaN : median(slopes);
}

/** Share of pairs in order, from -1 (always falling) to 1 (always rising): Kendall's tau against time. */
export function monotonicity(values: readonly number[]): number {
  const sampled = sampleEvenly(values, 80);
  let score = 0;
  let pairs = 0;
  for (let i = 0; i < sampled.length; i++)
    for (let j = i + 1; j < sampled.length; j++) {
      score += Math.sign(sampled[j]! - sampled[i]!);
      pairs += 1;
    }
  return pairs === 0 ? Number.NaN : score / pairs;
}

export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** Of the mean. */
export function standardError(values: readonly number[]): number {
  const centre = mean(values);
  return Math.sqrt(mean(values.map((value) => (value - centre) ** 2)) / values.length);
}

/** Correlation of a series with itself `lag` points later, around its mean. */
export function autocorrelation(values: readonly number[], lag: number): number {
  if (values.length < lag + 3) return Number.NaN;
  const centre = mean(values);
  let cross = 0;
  let power = 0;
  for (let i = 0; i < values.length; i++) {
    power += (values[i]! - centre) ** 2;
    if (i + lag < values.length) cross += (values[i]! - centre) * (values[i + lag]! - centre);
  }
  return power === 0 ? Number.NaN : cross / power;
}

export function sampleEvenly<T>(values: readonly T[], limit: number): T[] {
  if (values.length <= limit) return [...values];
  return Array.from(
    { length: limit },
    (_, index) => values[Math.round((index * (values.length - 1)) / (limit - 1))]!,
  );
}

export function clamp(value: number, low: number, high: number): number {
  return Math.min(high, Math.max(low, value));
}
