// What a handful of points proves: how likely noise alone would give as much, by Student's t, which knows how little few points tell of their
// own noise. No number of points is too few by itself: two that agree to the third digit say more than ten that scatter.
import { mean } from './robust.js';

/** As unlikely as noise has to be before anything is claimed from a handful of points. */
export const unlikely = 0.01;

/** Printed digits end somewhere: no spread is smaller than what rounding leaves. */
const rounding = 5e-4;

/** How likely noise about one level would order the points by as much: small for a rise, near 1 for a fall. */
export function chanceOfRise(values: readonly number[]): number {
  const count = values.length;
  if (count < 3) return 1;
  const [middle, level] = [(count - 1) / 2, mean(values)];
  let [cross, width] = [0, 0];
  for (const [at, value] of values.entries()) {
    cross += (at - middle) * (value - level);
    width += (at - middle) ** 2;
  }
  const slope = cross / width;
  const rest = values.reduce((sum, value, at) => sum + (value - level - slope * (at - middle)) ** 2, 0);
  const deviation = Math.max(Math.sqrt(rest / (count - 2)), rounding * Math.abs(level));
  return deviation === 0 ? 1 : tail((slope * Math.sqrt(width)) / deviation, count - 2);
}

/** How likely two samples of one level would lie as far apart, the first above the second (Welch). */
export function chanceAbove(above: readonly number[], below: readonly number[]): number {
  if (above.length < 2 || below.length < 2) return 1;
  const [one, other] = [above, below].map((values) => {
    const spread = values.reduce((sum, value) => sum + (value - mean(values)) ** 2, 0) / (values.length - 1);
    return Math.max(spread, (rounding * mean(values)) ** 2) / values.length;
  }) as [number, number];
  if (one + other === 0) return 1;
  const freedom = (one + other) ** 2 / (one ** 2 / (above.length - 1) + other ** 2 / (below.length - 1));
  return tail((mean(above) - mean(below)) / Math.sqrt(one + other), freedom);
}

/** What is known of a course's noise before its points are seen: as much as so many points tell, each so far off its level. */
const known = { points: 4, deviation: 0.15, ofScore: 0.05 };

/**
 * How likely one level would give the points of `above` and those of `below`: Student's t over a noise that a few points cannot make small.
 * `inLogs`: they are logarithms; `wavers`: noise that is known besides. A single point may stand for one of the two.
 */
export function chanceApart(
  above: readonly number[],
  below: readonly number[],
  inLogs: boolean,
  wavers = 0,
): number {
  const squares = [above, below].flatMap((values) => values.map((value) => (value - mean(values)) ** 2));
  const freedom = squares.length - 2 + known.points;
  const expected = inLogs ? known.deviation : known.ofScore * Math.max(...below.map(Math.abs));
  const own = (squares.reduce((sum, square) => sum + square, 0) + known.points * expected ** 2) / freedom;
  const error = Math.sqrt(Math.max(own, wavers ** 2) * (1 / above.length + 1 / below.length));
  return error === 0 ? 1 : tail((mean(above) - mean(below)) / error, freedom);
}

/** The share of Student's distribution above `t`. */
function tail(t: number, freedom: number): number {
  const outside = 0.5 * incompleteBeta(freedom / (freedom + t * t), freedom / 2, 0.5);
  return t > 0 ? outside : 1 - outside;
}

/** The regularised incomplete beta function, by its continued fraction (Lentz). */
function incompleteBeta(x: number, a: number, b: number): number {
  if (x <= 0 || x >= 1) return x <= 0 ? 0 : 1;
  if (x > (a + 1) / (a + b + 2)) return 1 - incompleteBeta(1 - x, b, a);
  const front = Math.exp(logGamma(a + b) - logGamma(a) - logGamma(b) + a * Math.log(x) + b * Math.log(1 - x));
  let [c, d] = [1, 1 / (1 - ((a + b) * x) / (a + 1))];
  let product = d;
  for (let m = 1; m <= 200; m++) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / (1 + even * d);
    c = 1 + even / c;
    product *= c * d;
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / (1 + odd * d);
    c = 1 + odd / c;
    product *= c * d;
    if (Math.abs(c * d - 1) < 1e-12) break;
  }
  return (front * product) / a;
}

/** Stirling's series, raised until it is exact enough. */
function logGamma(x: number): number {
  let [shift, y] = [0, x];
  for (; y < 8; y++) shift -= Math.log(y);
  const inverse = 1 / (y * y);
  return (
    shift +
    (y - 0.5) * Math.log(y) -
    y +
    0.5 * Math.log(2 * Math.PI) +
    (1 / 12 - (1 / 360 - inverse / 1260) * inverse) / y
  );
}
