// The course of a run as trees read it: how each curve went, by its own measure, and how the curves lie to each other. Nothing in it depends on
// the unit of a loss.

import { peakLearningRate } from '../features/configuration.js';
import { type Curve, finiteValues } from '../features/curve.js';
import { type FeatureVector, makeVector } from '../features/extract.js';
import { mean, median, monotonicity, standardError } from '../features/robust.js';
import { numberSetting } from '../features/task.js';
import type { RunView } from '../features/view.js';
import type { StandingKind } from '../health/judged.js';
import { heldOutStanding, standingOf } from '../health/standing.js';
import type { MetricName, Split } from '../record/run-record.js';

const curves: readonly (readonly [name: string, metric: MetricName, split?: Split])[] = [
  ['train', 'loss', 'train'],
  ['held', 'loss', 'eval'],
  ['right', 'accuracy', 'train'],
  ['held_right', 'accuracy', 'eval'],
  ['explained', 'explained_variance', 'train'],
  ['held_explained', 'explained_variance', 'eval'],
  ['norm', 'grad_norm'],
  ['rate', 'learning_rate'],
];

const tiny = 1e-9;
const log = (over: number, under: number): number =>
  Math.log((Math.abs(over) + tiny) / (Math.abs(under) + tiny));
const quarterOf = (values: readonly number[]): number => Math.max(1, Math.floor(values.length / 4));
const late = (values: readonly number[]): number => median(values.slice(-3));

type Entries = (readonly [name: string, value: number | undefined])[];

function shapeOf(name: string, values: readonly number[]): Entries {
  const [first, last] = [values[0]!, values.at(-1)!];
  const start = median(values.slice(0, 3));
  const level = median(values);
  const quarter = quarterOf(values);
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const moves = values.slice(1).map((value, index) => Math.abs(value - values[index]!));
  const isShare = /right|explained/.test(name);
  const own: Entries = [
    ['fall', log(last, first)],
    ['change', log(median(values.slice(-quarter)), median(values.slice(0, quarter)))],
    ['best', log(least, start)],
    ['peak', log(most, start)],
    ['noise', moves.length > 0 ? median(moves) / (Math.abs(level) + tiny) : undefined],
    ['spread', (standardError(values) * Math.sqrt(values.length)) / (Math.abs(mean(values)) + tiny)],
    ['distinct', new Set(values).size / values.length],
    ['below_peak', log(most, last)],
    ['trend', monotonicity(values)],
    ...(isShare
      ? ([
          ['points', values.length],
          ['level', level],
          ['end', Math.max(last, -1e3)],
        ] as Entries)
      : []),
  ];
  return own.map(([what, value]) => [`${name}_${what}`, value]);
}

const kinds: Readonly<Record<StandingKind, number>> = { constant: 0, unclear: 1, beats: 2 };

function betweenCurves(view: RunView, get: (name: string) => readonly number[] | undefined): Entries {
  const [train, held, norm, right, heldRight] = ['train', 'held', 'norm', 'right', 'held_right'].map(get);
  const { outcomes } = view.task;
  const guessing = outcomes !== null && outcomes >= 2 ? Math.log(outcomes) : undefined;
  const size = numberSetting(view.record, 'batch_size');
  const level = train && median(train.slice(-Math.max(3, quarterOf(train))));
  const pull = train && norm ? log(median(norm), Math.sqrt(Math.abs(median(train)))) : undefined;
  const classes = train && train[0]! < 6 ? Math.exp(train[0]!) : undefined;
  const kindOf = (standing: { readonly kind: StandingKind } | null): number | undefined =>
    standing ? kinds[standing.kind] : undefined;
  const rate = peakLearningRate(view);
  return [
    ['gap', level !== undefined && held ? log(late(held), level) : undefined],
    ['gap_first', train && held ? log(held[0]!, train[0]!) : undefined],
    ['held_over_start', train && held ? log(late(held), train[0]!) : undefined],
    ['gap_right', right && heldRight ? late(right) - late(heldRight) : undefined],
    ['pull', pull],
    ['pull_over_bias', pull !== undefined && size !== null ? pull + 0.5 * Math.log(size) : undefined],
    ['over_guessing', guessing && train ? late(train) / guessing : undefined],
    ['first_over_guessing', guessing && train ? train[0]! / guessing : undefined],
    ['held_over_guessing', guessing && held ? late(held) / guessing : undefined],
    ['off_whole', classes === undefined ? undefined : Math.abs(classes - Math.round(classes))],
    ['standing', kindOf(heldOutStanding(view))],
    ['train_standing', kindOf(standingOf(view, 'train'))],
    ['rate', rate === null || rate <= 0 ? undefined : Math.log10(rate)],
    ['completed', view.ending.kind === 'completed' ? 1 : 0],
  ];
}

/** Every name each time, in one order; NaN where the run did not record it. */
export function courseVector(view: RunView): FeatureVector {
  const seen = new Map<string, readonly number[]>();
  for (const [name, metric, split] of curves) {
    const curve: Curve | null = view.curve(metric, split) ?? (name === 'train' ? view.curve(metric) : null);
    if (curve && curve.finite.length > 0) seen.set(name, finiteValues(curve));
  }
  const nothing = [0];
  return makeVector([
    ...curves.flatMap(([name]) =>
      shapeOf(name, seen.get(name) ?? nothing).map(
        ([what, value]) => [what, seen.has(name) ? value : undefined] as const,
      ),
    ),
    ...betweenCurves(view, (name) => seen.get(name)),
  ]);
}
