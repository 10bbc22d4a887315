// Whether a score says more than one answer for every input would get.
import { impliedOutcomes } from '../detectors/shared/learning.js';
import { finiteValues } from '../features/curve.js';
import { chanceOfRise, unlikely } from '../features/few-points.js';
import { mean, median, noise } from '../features/robust.js';
import type { RunView } from '../features/view.js';
import { figure } from '../record/figures.js';
import { type Judged, late, recorded, type Split, startOf } from './judged.js';
import { isOverClasses, type Score, scoreOf } from './score.js';

/** A share of the variance explained: a constant explains none of it. */
export function byExplained({ curve, values }: Score): Judged {
  const level = median(late(values));
  const fact = `${curve.name} ${figure(level)}, where a constant answer has 0`;
  if (level > 0.5) return ['beats', fact];
  return level < 0.05 && values.length >= 3 ? ['constant', fact] : ['unclear', fact];
}

export function byAccuracy(
  view: RunView,
  split: Split,
  { curve, values }: Score,
  losses: readonly number[],
): Judged {
  const level = median(late(values));
  const outcomes = view.task.outcomes ?? impliedOutcomes(view, split, level) ?? outcomesAtStart(view);
  const loss = losses.length > 0 ? median(late(losses)) : null;
  const counts = isOverClasses(curve.name) ? null : view.curve('majority_share');
  const majority = counts && recorded(view, 'majority_share');
  const shown = `${curve.name} ${figure(level)}`;
  const constant = recorded(view, 'constant_loss');
  // Where one label is nearly all, there is little left to be better by.
  const left = majority === null ? 1 : 1 - majority;
  // What a run says of its labels may be of other rows than the score is, and of classes that are weighed: then only answers that never change
  // say it, and nothing proves the contrary.
  const isSaid = counts?.series.reader === 'console';
  // Probabilities may have learned what no answer shows yet.
  const asCostly = isSaid
    ? new Set(values).size === 1 && values.length >= 3
    : constant === null || loss === null || loss > 0.8 * constant;
  if (majority !== null && asCostly && level < majority + Math.min(0.02, 0.1 * left))
    return ['constant', `${shown}; the most frequent label alone gets ${figure(majority)}`];
  // Few clusters give a fair score by luck: the loss must be below that of a constant answer as well, where both are known.
  const certain = constant === null || loss === null || loss < 0.9 * constant;
  // The labels were counted over training: held-out data may hold more of one of them, and answers that never change are right as often.
  const changes = values.length < 3 || new Set(values).size > 1;
  if (majority !== null && !isSaid && level > majority + Math.min(0.05, 0.5 * left) && certain && changes)
    return ['beats', `${shown}; the most frequent label alone gets ${figure(majority)}`];
  if (majority !== null && constant !== null) return ['unclear', shown];
  if (majority !== null && isSaid && level < majority + 0.5 * left) return ['unclear', shown];
  if (outcomes !== null && outcomes >= 2 && level <= chanceCeiling(outcomes) && values.length >= 3)
    return ['constant', `${shown} with ${outcomes} classes: what guessing gives`];
  if (outcomes !== null && outcomes >= 3 && level <= 1.5 / outcomes && onlyRose(losses, outcomes))
    return [
      'constant',
      `${shown} with ${outcomes} classes, and a loss never below that of its first evaluation`,
    ];
  if (level >= 0.999) return ['beats', `${shown}: every answer is right`];
  const needed = leastEntropy(level);
  const most = needed + (1 - level) * Math.log(Math.max(2, (outcomes ?? 10) - 1));
  const settled = values.slice(Math.ceil(values.length / 4));
  const same =
    (settled.length >= 4 && mostFrequent(settled) >= 0.75 * settled.length) ||
    (values.length >= 4 && new Set(values).size === 1) ||
    (values.length >= 5 && new Set(values.slice(1)).size === 1 && trainingScoreStays(view)) ||
    fewAnswers(settled, losses);
  const trained = view.curve('loss');
  // Of batches of one answer most lose less than their mean.
  const byHeart = trained !== null && mean(late(finiteValues(trained))) < 0.9 * needed;
  // Among several classes the most frequent one is seldom most of the data; among two it is seldom nearly all. Who loses more than guessing
  // between two loses at first has several.
  const two = outcomes === null ? (startOf(view) ?? 0) < 1.5 * Math.LN2 : outcomes <= 2;
  const plausible = two ? level < 0.955 : level < 0.6;
  // Of two classes a constant answer may lose any more than its best, until its bias has settled; of several, a hard task does too.
  const asConstant = loss === null || (loss > 0.95 * needed && (outcomes === 2 || loss < 1.1 * most));
  if (same && !climbs(values) && plausible && !byHeart && asConstant)
    return ['constant', `${shown} at every evaluation: the same answer for every input`];
  // A score that did not rise may be the share of the most frequent class, which a few hundred rows tell to a hundredth or two.
  const margin = values.length >= 3 && level - Math.min(...values.slice(0, 2)) < 0.05 ? 0.85 : 0.93;
  const likely = level >= 0.5 || (outcomes !== null && level > 1.5 / outcomes);
  if (split !== 'train' && likely && loss !== null && loss >= 0 && loss < margin * needed)
    return [
      'beats',
      `${shown} at a loss of ${figure(loss)}, below the ${figure(needed)} of any constant answer that is right as often`,
    ];
  if (declines(values)) return ['unclear', shown];
  const first = Math.min(values[0]!, values[1] ?? values[0]!);
  const wobble = Math.max(noise(values) || 0, 0.01);
  const rise = level - first;
  const distinct = new Set(values.map((value) => value.toFixed(3))).size;
  const clear = outcomes === null ? level > 0.6 : level > 1.5 / outcomes + 0.05;
  const several = outcomes !== null && outcomes >= 3;
  // A bias alone can climb to the share of the most frequent class: the loss must be below what that leaves.
  const varied = new Set(settled).size >= 3;
  const informed = loss === null ? varied : loss < (several ? (varied ? 1.5 : 1) * most : needed);
  if (values.length >= 4 && distinct >= 4 && rise > Math.max(0.08, 3 * wobble) && clear && informed)
    return ['beats', `${shown}, up from ${figure(first)} by many small steps`];
  // A score that was there at the first evaluation may be the share of the most frequent class: then the loss must be clearly below what that leaves.
  const earned = rise > Math.max(0.05, 3 * wobble) || loss === null || loss < 0.85 * most;
  if (several && level > Math.max(1.8 / outcomes, 1 / outcomes + 0.25) && distinct >= 3 && informed && earned)
    return [
      'beats',
      `${shown} with ${outcomes} classes, ${figure(level * outcomes)} times what guessing gives`,
    ];
  return ['unclear', shown];
}

/** What was reached is being lost again, beyond what noise gives. */
function declines(values: readonly number[]): boolean {
  const best = Math.max(...values);
  const since = values.slice(values.indexOf(best) + 1);
  return best - median(since.slice(-3)) > 0.1 * best && chanceOfRise(since.map((value) => -value)) < unlikely;
}

/** The score came to its best in several steps, each above the one before: one answer for every input has no steps to take. */
function climbs(values: readonly number[]): boolean {
  const way = values.slice(0, values.indexOf(Math.max(...values)) + 1);
  return way.length >= 4 && way.every((value, i) => i === 0 || value > way[i - 1]!);
}

/** Training's own score, which many more answers make, ended its changes too. */
function trainingScoreStays(view: RunView): boolean {
  const last = scoreOf(view, 'train')?.values.slice(-3) ?? [];
  return last.length === 3 && Math.max(...last) - Math.min(...last) < 0.005;
}

/** The score jumps between two or three values while the loss stands still: one answer for every input, now this class and now that one. */
function fewAnswers(scores: readonly number[], losses: readonly number[]): boolean {
  const level = median(late(losses));
  const settled = losses.slice(Math.ceil(losses.length / 4));
  return (
    scores.length >= 6 &&
    settled.length >= 6 &&
    new Set(scores).size <= scores.length / 3 &&
    settled.every((loss) => Math.abs(loss - level) < 0.01 * Math.abs(level))
  );
}

/** How often the most frequent value stands there. */
function mostFrequent(values: readonly number[]): number {
  const counts = new Map<number, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return Math.max(...counts.values());
}

/** A tenth above guessing among few classes is learning; among many, a few hundredths are. */
function chanceCeiling(outcomes: number): number {
  return 1 / outcomes + Math.min(0.06, 0.35 / outcomes + 0.01);
}

/** The least loss of a constant answer that is right with this frequency: nobody who always says the same gets below it. */
export function leastEntropy(share: number): number {
  if (share <= 0 || share >= 1) return 0;
  const whole = Math.floor(1 / share + 1e-9);
  const rest = Math.max(0, 1 - whole * share);
  return -whole * share * Math.log(share) - (rest > 1e-9 ? rest * Math.log(rest) : 0);
}

/** Beyond so many classes the logarithms lie so close that any first loss is one of them. */
const manyClasses = 10;

/** The number of classes whose logarithm is the first loss. */
function outcomesAtStart(view: RunView): number | null {
  const start = startOf(view);
  const outcomes = start === null ? 0 : Math.round(Math.exp(start));
  return start !== null &&
    outcomes >= 2 &&
    outcomes <= manyClasses &&
    Math.abs(start - Math.log(outcomes)) < 0.12 / outcomes + 0.03
    ? outcomes
    : null;
}

/** Held-out data was at its best at the first evaluation, not far from guessing, and loses more since. */
function onlyRose(losses: readonly number[], outcomes: number): boolean {
  const [first] = losses;
  return (
    first !== undefined &&
    losses.length >= 4 &&
    first > 0.8 * Math.log(outcomes) &&
    Math.min(...losses) >= first &&
    median(late(losses)) > 1.03 * first
  );
}
