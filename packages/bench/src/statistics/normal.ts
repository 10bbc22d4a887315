// The standard normal distribution, to double precision: its cumulative probability and the quantile that inverts it.

export function normalCdf(z: number): number {
  return 0.5 * complementaryError(-z / Math.SQRT2);
}

export function normalQuantile(probability: number): number {
  if (!(probability > 0 && probability < 1)) throw new RangeError('A probability lies between 0 and 1.');
  let low = -40;
  let high = 40;
  for (let step = 0; step < 200 && high - low > 1e-15; step++) {
    const middle = (low + high) / 2;
    if (normalCdf(middle) < probability) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

function complementaryError(x: number): number {
  if (x < 0) return 2 - complementaryError(-x);
  return x < 2.5 ? 1 - errorSeries(x) : errorFraction(x);
}

/** Taylor series in the form whose terms are all positive. */
function errorSeries(x: number): number {
  let term = x;
  let sum = x;
  for (let n = 1; term > sum * 1e-17; n++) {
    term *= (2 * x * x) / (2 * n + 1);
    sum += term;
  }
  return (2 / Math.sqrt(Math.PI)) * Math.exp(-x * x) * sum;
}

/** Continued fraction, evaluated from its tail. */
function errorFraction(x: number): number {
  let tail = 0;
  for (let n = 120; n > 0; n--) tail = n / 2 / (x + tail);
  return Math.exp(-x * x) / Math.sqrt(Math.PI) / (x + tail);
}
