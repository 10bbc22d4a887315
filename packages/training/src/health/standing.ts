// Does a split's metric beat what one constant answer would get? The proof that "healthy" needs, and the first sign of most silent
// failures. Only what the run itself shows is used: its classes or words, its scores, its losses, what its hooks counted.
import { impliedOutcomes } from '../detectors/shared/learning.js';
import { type Curve, finiteValues, startsAtBeginning } from '../features/curve.js';
import { chanceOfRise, unlikely } from '../features/few-points.js';
import { mean, median, noise } from '../features/robust.js';
import type { RunView } from '../features/view.js';
import { figure } from '../record/figures.js';
import { onlyAnotherMeasure } from './other-measure.js';
import { isOverClasses, type Score, scoreOf } from './score.js';

/** `constant`: no better than one answer for every input. `unclear`: the record does not decide it. */
export type StandingKind = 'beats' | 'constant' | 'unclear';

export interface Standing {
  readonly kind: StandingKind;
  readonly split: 'train' | 'eval' | 'test';
  readonly curve: Curve;
  /** Index into the curve of the point that shows it. */
  readonly index: number;
  readonly fact: string;
}

type Split = Standing['split'];

const cache = new WeakMap<RunView, Map<Split, Standing | null>>();

/** Null where the split has neither a score nor a loss. */
export function standingOf(view: RunView, split: Split): Standing | null {
  const known = cache.get(view) ?? new Map<Split, Standing | null>();
  cache.set(view, known);
  const found = known.get(split);
  if (found !== undefined) return found;
  const answer = judge(view, split);
  known.set(split, answer);
  return answer;
}

/** Of held-out data: validation, or a test where there is no validation. */
export function heldOutStanding(view: RunView): Standing | null {
  const evaluated = standingOf(view, 'eval');
  return evaluated?.kind === 'unclear' || evaluated === null
    ? (standingOf(view, 'test') ?? evaluated)
    : evaluated;
}

function judge(view: RunView, split: Split): Standing | null {
  const score = scoreOf(view, split);
  const loss = view.curve('loss', split) ?? (split === 'train' ? view.curve('loss') : null);
  const losses = loss ? finiteValues(loss) : [];
  const standing = (kind: StandingKind, curve: Curve, fact: string): Standing => ({
    kind,
    split,
    curve,
    index: curve.finite.at(-1) ?? 0,
    fact,
  });
  const ranked = ranksAsChance(view, split);
  if (ranked)
    return standing(
      'constant',
      ranked,
      `${ranked.name} ${figure(finiteValues(ranked).at(-1)!)} in every evaluation: what guessing gives`,
    );
  if (score && score.values.length > 0) {
    const [kind, fact] =
      score.kind === 'explained' ? byExplained(score) : byAccuracy(view, split, score, losses);
    if (kind !== 'unclear' || losses.length < 3) return standing(kind, score.curve, fact);
  }
  if (!loss || losses.length === 0) return null;
  const [kind, fact] = byLoss(view, split, loss, losses);
  return standing(kind, loss, fact);
}

/** How far from a half the area under the curve comes by luck, with a hundred or more rows of the rarer class. */
const luck = 0.03;

/** The area under the ROC curve, which does not depend on how frequent each class is, is a half in every evaluation. */
function ranksAsChance(view: RunView, split: Split): Curve | null {
  const curve = view.curve('auc', split);
  const values = curve ? finiteValues(curve) : [];
  return values.length >= 4 && values.every((value) => Math.abs(value - 0.5) < luck) ? curve : null;
}

type Judged = readonly [kind: StandingKind, fact: string];

const late = (values: readonly number[]): readonly number[] =>
  values.slice(-Math.max(1, Math.floor(values.length / 3)));

/** A share of the variance explained: a constant explains none of it. */
function byExplained({ curve, values }: Score): Judged {
  const level = median(late(values));
  const fact = `${curve.name} ${figure(level)}, where a constant answer has 0`;
  if (level > 0.5) return ['beats', fact];
  return level < 0.05 && values.length >= 3 ? ['constant', fact] : ['unclear', fact];
}

function byAccuracy(
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

function byLoss(view: RunView, split: Split, curve: Curve, losses: readonly number[]): Judged {
  const level = median(late(losses));
  const constant = recorded(view, 'constant_loss');
  const shown = `${curve.name} ${figure(level)}`;
  if (constant !== null && constant > 0)
    return level < 0.8 * constant
      ? ['beats', `${shown}; the best constant answer gets ${figure(constant)}`]
      : level > 0.97 * constant && losses.length >= 3
        ? ['constant', `${shown}; the best constant answer gets ${figure(constant)}`]
        : ['unclear', shown];
  const variance = recorded(view, 'target_variance');
  if (variance !== null && variance > 0 && view.task.loss !== 'language_model') {
    // The mean of the targets has their variance as squared error, and about 0.8 of its root as absolute error: both are asked.
    const errors = [variance, 0.8 * Math.sqrt(variance)];
    const fact = `${shown}; the variance of the targets is ${figure(variance)}`;
    if (level >= 0 && level < 0.5 * Math.min(...errors)) return ['beats', fact];
    if (level > 0.93 * Math.max(...errors) && losses.length >= 3) return ['constant', fact];
    return ['unclear', fact];
  }
  const start = startOf(view);
  const beyond = onlyAnotherMeasure(view, curve) ? null : worseThanUntrained(view, losses);
  if (split !== 'train' && beyond !== null && losses.length >= 2)
    return ['constant', `${shown}, worse than a model that has not learned yet (${figure(beyond)})`];
  if (view.task.loss === 'language_model') {
    const guessing = view.task.outcomes === null ? start : Math.log(view.task.outcomes);
    if (guessing === null) return ['unclear', shown];
    if (level > 0 && level < 0.6 * guessing && (view.task.outcomes !== null || losses.length >= 4))
      return ['beats', `${shown}, far below the ${figure(guessing)} of guessing among all words`];
    return level > 0.97 * guessing && losses.length >= 3
      ? ['constant', `${shown}, about the ${figure(guessing)} of guessing among all words`]
      : ['unclear', shown];
  }
  if (
    start !== null &&
    !view.task.fineTuning &&
    (view.task.outcomes === null || start > 0.5 * Math.log(Math.max(2, view.task.outcomes))) &&
    neverImproved(losses) &&
    level > 0.85 * start &&
    losses.length >= 4
  )
    return ['constant', `${shown}, never better than at its first evaluation (${figure(losses[0]!)})`];
  const { outcomes } = view.task;
  if (outcomes === null || outcomes < 2) return ['unclear', shown];
  // Classes of unlike size are guessed at less than the logarithm of their number, but hardly at a fraction of it.
  const guessing = Math.log(outcomes);
  const plain = start === null || (start > 0.5 * guessing && start < 2 * guessing);
  return split !== 'train' && plain && level >= 0 && level < (outcomes === 2 ? 0.2 : 0.3) * guessing
    ? ['beats', `${shown}, far below the ${figure(guessing)} of guessing among ${outcomes} classes`]
    : ['unclear', shown];
}

/** The loss that training began with, or of guessing, when every evaluation is far above it. */
function worseThanUntrained(view: RunView, losses: readonly number[]): number | null {
  const trained = view.curve('loss');
  const first = trained && trained.finite.length > 0 ? trained.values[trained.finite[0]!]! : null;
  if (first === null || first <= 0 || !startsAtBeginning(trained!)) return null;
  // Training that began low had learned before: a run that was taken up, or weights that were trained.
  const classes = view.task.outcomes ?? (scoreOf(view, 'train')?.kind === 'accuracy' ? 2 : 1);
  const untrained = Math.max(first, Math.log(classes));
  return untrained > 0 && Math.min(...losses) > 2 * untrained ? untrained : null;
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

function neverImproved(losses: readonly number[]): boolean {
  const first = losses[0]!;
  return first > 0 && median(late(losses)) > 0.93 * first && Math.min(...losses) > 0.9 * first;
}

/** Where the loss was before anything was learned, as far as the run shows it. */
function startOf(view: RunView): number | null {
  const trained = view.curve('loss');
  if (!trained || trained.finite.length < 10) return null;
  const last = view.record.lastStep ?? trained.steps[trained.finite.at(-1)!]!;
  const first = trained.finite[0]!;
  const early = trained.finite.length >= 20 ? 0.05 : 0.03;
  return trained.steps[first]! <= early * last ? trained.values[first]! : null;
}

/** What the hooks counted over the labels, where they did. */
function recorded(
  view: RunView,
  metric: 'majority_share' | 'constant_loss' | 'target_variance',
): number | null {
  const curve = view.curve(metric);
  const values = curve ? finiteValues(curve) : [];
  return values.length === 0 ? null : values.at(-1)!;
}
