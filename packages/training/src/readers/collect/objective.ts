// What training lowers where its log calls nothing a loss: the sum beside its parts, else the first of the parts by which a model learns.
import { median } from '../../features/robust.js';
import { averageWords, objectives, splitWords } from '../../record/metric-words.js';
import type { MergedSeries } from './merged-series.js';

/** A name without the words for a part of the data and for an average: `val/recon`, `avg total`. */
function objectiveOf({ rawName }: MergedSeries): string {
  return rawName
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '' && !(word in splitWords) && !averageWords.has(word))
    .join('_');
}

/** What a run without a loss is said to learn by. A policy is only watched by its distance to another. */
const learnt: ReadonlySet<string> = new Set(['error_metric', 'perplexity', 'reward', 'entropy']);

export function nameObjective(series: readonly MergedSeries[]): readonly MergedSeries[] {
  const losses = series.filter(({ metric }) => metric === 'loss');
  // A part does not speak where something is called the loss itself.
  if (losses.some(({ subject }) => subject === null || subject === 'total')) return series;
  // Files and parameters are counted in whole numbers.
  const trained = series.filter(
    ({ split, unit, values }) => split === 'train' && unit === '' && !values.every(Number.isInteger),
  );
  const kindOf = (curve: MergedSeries): string | undefined =>
    curve.metric === 'other' || curve.metric === 'kl' ? objectives[objectiveOf(curve)] : undefined;
  const isBeside = (curve: MergedSeries): boolean => {
    const others = trained.filter((other) => other !== curve && areTogether(other, curve));
    return others.some(kindOf) || others.filter(({ metric }) => metric === 'loss').length > 1;
  };
  const first = (kind: string): MergedSeries | undefined => trained.find((curve) => kindOf(curve) === kind);
  const [sum, shared] = ['sum', 'shared']
    .map(first)
    .map((curve) => (curve && isBeside(curve) && !(curve.values[0]! < 0) ? curve : undefined));
  const watched = series.some(
    (curve) => learnt.has(curve.metric) || (curve.metric === 'other' && kindOf(curve) !== undefined),
  );
  const named =
    sum ??
    (losses.length > 0 ? undefined : (first('whole') ?? shared ?? (watched ? undefined : first('last'))));
  // Times, sums that grow, what is earned and a bound that rises are called by these names too.
  const found = named && comesDown(named) ? named : undefined;
  return series.map((curve) =>
    found && curve.metric === found.metric && objectiveOf(curve) === objectiveOf(found)
      ? { ...curve, metric: 'loss', subject: losses.length > 0 ? 'total' : null }
      : curve,
  );
}

/** Less at its end than at first, or no number any more. */
function comesDown({ values }: MergedSeries): boolean {
  const finite = values.filter(Number.isFinite);
  const part = Math.ceil(finite.length / 4);
  return (
    finite.length < values.length || median([...finite.slice(-part)]) < median([...finite.slice(0, part)])
  );
}

/** Told by the same rows. */
function areTogether(one: MergedSeries, other: MergedSeries): boolean {
  return (
    one.reader === other.reader &&
    one.split === other.split &&
    one.steps[0] === other.steps[0] &&
    Math.abs(one.length - other.length) <= 0.1 * other.length
  );
}
