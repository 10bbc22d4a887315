// Curves of which a log says on which part of the data they were measured, but not what: `learn: 0.65 test: 0.64`. What they do tells it.
import type { MergedSeries } from './merged-series.js';

/** The subject of such a curve. */
export const nameless = 'nameless';

const fewest = 5;

/** Curves whose meaning shows get it; the others stay as they are. */
export function nameNameless(series: readonly MergedSeries[]): MergedSeries[] {
  const own = series.filter(({ subject, metric }) => subject === nameless && metric === 'other');
  if (own.length === 0) return [...series];
  const hasLoss = series.some(({ metric }) => metric === 'loss');
  const trained = own.find(({ split }) => split === 'train');
  const metric = trained === undefined ? null : meaningOf(trained.values, hasLoss);
  if (metric === null) return [...series];
  return series.map((curve) => (own.includes(curve) ? { ...curve, metric, subject: null } : curve));
}

/** Beside a loss, a share that grows is a score. Without one, what falls or stops being a number is the loss, unless it is a share that grew. */
function meaningOf(values: Float64Array, hasLoss: boolean): 'loss' | 'accuracy' | null {
  const finite = values.filter((value) => Number.isFinite(value));
  if (values.length < fewest || finite.length < 2) return null;
  const third = Math.max(1, Math.floor(finite.length / 3));
  const gain = mean(finite.slice(-third)) - mean(finite.slice(0, third));
  const [least, most] = [Math.min(...finite), Math.max(...finite)];
  const isShare = least >= 0 && most <= 1;
  const moves = Math.abs(gain) > 0.3 * (most - least);
  if (isShare && moves && gain > 0) return 'accuracy';
  if (hasLoss) return null;
  return finite.length < values.length || (moves && gain < 0) ? 'loss' : null;
}

function mean(values: Float64Array): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
