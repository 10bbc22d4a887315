// Curves whose name does not tell what they are: `learn: 0.65 test: 0.64` says on which part of the data, but not what was measured; `time/batch: 120`
// is the batch that training is at. What they do tells it.
import type { MergedSeries } from './merged-series.js';

/** The subject of such a curve. */
export const nameless = 'nameless';

const fewest = 5;

/** Curves whose meaning shows get it; the others stay as they are. */
export function nameNameless(all: readonly MergedSeries[]): MergedSeries[] {
  const areErrors = tellErrors(all);
  const series = all.map((curve) => {
    if (counts(curve)) return { ...curve, metric: 'other' as const };
    return areErrors && isTop(curve) ? { ...curve, metric: 'error_rate' as const } : curve;
  });
  const own = series.filter(({ subject, metric }) => subject === nameless && metric === 'other');
  if (own.length === 0) return series;
  const hasLoss = series.some(({ metric }) => metric === 'loss');
  const trained = own.find(({ split }) => split === 'train');
  const metric = trained === undefined ? null : meaningOf(trained.values, hasLoss);
  if (metric === null) return series;
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

const top = /\btop[-_@ ]?1\b/i;

function isTop({ metric, rawName }: MergedSeries): boolean {
  return metric === 'accuracy' && top.test(rawName);
}

/** `Err 0.52 top1 18.9`: what is told of the first answer are errors where it comes down from most of them together with the loss. */
function tellErrors(series: readonly MergedSeries[]): boolean {
  const score = series.find((curve) => isTop(curve) && curve.split === 'train')?.values;
  const loss = series.find(({ metric, split }) => metric === 'loss' && split === 'train')?.values;
  if (score === undefined || loss === undefined || score.length < fewest) return false;
  const least = score.reduce((best, value, at) => (value < score[best]! ? at : best), 0);
  const then = loss[Math.floor((least / score.length) * loss.length)]!;
  return score[0]! > 0.5 && score[0]! - score[least]! > 0.2 && then < 0.9 * loss[0]!;
}

/** A time that is a whole number and grows by the same from point to point is how far training is, unless its name says that it is of a step. */
function counts({ metric, rawName, values }: MergedSeries): boolean {
  if (metric !== 'step_time' || values.length < fewest || /step|iter|per|duration/i.test(rawName))
    return false;
  const by = values[1]! - values[0]!;
  return (
    by > 0 &&
    values.every((value, at) => Number.isInteger(value) && (at === 0 || value - values[at - 1]! === by))
  );
}

function mean(values: Float64Array): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
