// Curves whose name does not tell what they are: `learn: 0.65 test: 0.64` says on which part of the data, but not what was measured; `time/batch: 120`
// is the batch that training is at. What they do tells it.
import { splitWords } from '../../record/metric-words.js';
import type { MergedSeries } from './merged-series.js';
import { nameObjective } from './objective.js';

/** The subject of such a curve. */
export const nameless = 'nameless';

const fewest = 5;

/** The subject of a column of numbers without any name. */
export const inColumns = 'column';

/** What some call the quantity that is lowered, and others something else. */
export const mayBeLoss = /^(?:\w+ )?(?:total|elbo|f|fx|fval|error|error per epoch|energy|residual)$/i;

/** Alone, `grad_l2` is a norm of the whole; beside `grad_l0` and `grad_l3` it is of a layer. */
function layersNamed(series: readonly MergedSeries[]): readonly MergedSeries[] {
  if (!series.some(({ rawName }) => /grad\w*_l[03]$/i.test(rawName))) return series;
  return series.map((curve) => (/grad\w*_l2$/i.test(curve.rawName) ? { ...curve, subject: 'l2' } : curve));
}

/** Curves whose meaning shows get it; the others stay as they are. */
export function nameNameless(all: readonly MergedSeries[]): MergedSeries[] {
  const areErrors = tellErrors(all);
  const series = nameObjective(besideLoss(layersNamed(all))).map((curve) => {
    if (counts(curve)) return { ...curve, metric: 'other' as const };
    return areErrors && isTop(curve) ? { ...curve, metric: 'error_rate' as const } : curve;
  });
  const isOther = ({ metric }: MergedSeries): boolean => metric === 'other';
  const hasLoss = series.some(({ metric }) => metric === 'loss');
  const bare = hasLoss ? [] : barePartsOf(series.filter(isOther));
  const own = series.filter(
    (curve) => isOther(curve) && (curve.subject === nameless || bare.includes(curve)),
  );
  const columns = series.filter((curve) => curve.subject === inColumns && isOther(curve));
  if (columns.length > 0) return nameColumns(series, columns);
  const isLowered =
    hasLoss || series.some(({ metric }) => metric === 'error_metric' || metric === 'perplexity');
  if (own.length === 0) {
    const lowered = isLowered
      ? []
      : series.filter((curve) => isOther(curve) && mayBeLoss.test(curve.rawName) && isCourse(curve));
    const trained = lowered.find(
      ({ split, values }) => split === 'train' && meaningOf(values, false) === 'loss',
    );
    const alike = lowered.filter(({ rawName }) => lastWord(rawName) === lastWord(trained?.rawName ?? ''));
    return alike.length === 0
      ? series
      : series.map((curve) =>
          alike.includes(curve) ? { ...curve, metric: 'loss' as const, subject: null } : curve,
        );
  }
  const trained = own.find(({ split }) => split === 'train');
  const metric =
    trained === undefined
      ? null
      : (meaningOf(trained.values, hasLoss) ?? (!hasLoss && isLoweredFast(trained.values) ? 'loss' : null));
  if (metric === null) return series;
  return series.map((curve) => (own.includes(curve) ? { ...curve, metric, subject: null } : curve));
}

/** Columns that are called by nothing but a part of the data, as LightGBM calls its own: `iter,training,valid_1`. Times and counts have both parts too. */
function barePartsOf(series: readonly MergedSeries[]): readonly MergedSeries[] {
  const bare = series.filter(
    ({ rawName, hasSteps }) =>
      hasSteps && Object.hasOwn(splitWords, rawName.toLowerCase().replace(/[ _]?\d+$/, '')),
  );
  const ofBoosting = ['training', 'valid_1'].every((name) => bare.some(({ rawName }) => rawName === name));
  return ofBoosting ? bare : [];
}

/** A table that counts nothing is more often data than a course of training. */
function isCourse({ hasSteps, reader, unit }: MergedSeries): boolean {
  return unit === '' && (hasSteps || reader === 'console');
}

function lastWord(name: string): string {
  return name.toLowerCase().split(' ').at(-1)!;
}

/** What is lowered, what is its exponential, and what grows as a share, out of columns in their order. A learning rate is lowered too, in small numbers. */
function nameColumns(series: readonly MergedSeries[], columns: readonly MergedSeries[]): MergedSeries[] {
  const loss = series.some(({ metric }) => metric === 'loss')
    ? undefined
    : columns.find(
        ({ values }) =>
          meaningOf(values, false) === 'loss' && values.some((value) => Math.abs(value) > least),
      );
  const isExponential = ({ values }: MergedSeries): boolean =>
    loss !== undefined &&
    values.length === loss.values.length &&
    values.every(
      (value, at) => !Number.isFinite(value) || Math.abs(Math.log(value) - loss.values[at]!) < 0.02,
    );
  return series.map((curve) => {
    if (!columns.includes(curve)) return curve;
    if (curve === loss) return { ...curve, metric: 'loss' as const, subject: null };
    if (isExponential(curve)) return { ...curve, metric: 'perplexity' as const, subject: null };
    const isScore = loss !== undefined && meaningOf(curve.values, true) === 'accuracy';
    return isScore ? { ...curve, metric: 'accuracy' as const, subject: null } : curve;
  });
}

const least = 0.02;

/** An error beside a loss of the same part of the data is a rate, where it is a share. */
function besideLoss(series: readonly MergedSeries[]): readonly MergedSeries[] {
  const isError = ({ metric, subject }: MergedSeries): boolean =>
    metric === 'loss' && (subject === 'error' || subject === 'err');
  const errors = series.filter(isError);
  if (errors.length === 0) return series;
  const parts = new Set(
    series.filter((curve) => curve.metric === 'loss' && !isError(curve)).map(({ split }) => split),
  );
  return series.map((curve) =>
    errors.includes(curve) &&
    parts.has(curve.split) &&
    curve.values.every((value) => !(value < 0 || value > 1))
      ? { ...curve, metric: 'error_rate' as const, subject: null }
      : curve,
  );
}

/** Beside a loss, a share that grows is a score. Without one, what falls or stops being a number is the loss, unless it is a share that grew. */
function meaningOf(values: Float64Array, hasLoss: boolean): 'loss' | 'accuracy' | null {
  const finite = values.filter((value) => Number.isFinite(value));
  if (values.length < fewest || finite.length < 2) return null;
  const third = Math.max(1, Math.floor(finite.length / 3));
  const gain = mean(finite.slice(-third)) - mean(finite.slice(0, third));
  const [lowest, most] = [Math.min(...finite), Math.max(...finite)];
  // What is either 0 or 1 says yes or no.
  const isShare = lowest >= 0 && most <= 1 && finite.some((value) => value > 0 && value < 1);
  const moves = Math.abs(gain) > 0.3 * (most - lowest);
  if (isShare && moves && gain > 0) return 'accuracy';
  if (hasLoss) return null;
  return finite.length < values.length || (moves && gain < 0) || fallsFirst(finite) ? 'loss' : null;
}

/** What is halved, nearly always downwards, however soon it came to rest: trees are added to what is left of an error. */
function isLoweredFast(values: Float64Array): boolean {
  const down = values.filter((value, at) => at > 0 && value < values[at - 1]!).length;
  return values.length >= fewest && values.at(-1)! < 0.5 * values[0]! && down > 0.6 * values.length;
}

/** What falls by a quarter and then grows beyond all that a share can be was lowered, until it blew up. */
function fallsFirst(values: Float64Array): boolean {
  const start = values[0]!;
  const at = values.indexOf(Math.min(...values));
  return at >= 3 && start > 0 && values[at]! < 0.75 * start && values.at(-1)! > Math.max(100, 3 * start);
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
