// Did the run learn at all? The questions that plateau, chance level, dead units, frozen parameters and too small
// learning rates share, answered once.

import { peakLearningRate } from '../../features/configuration.js';
import {
  type Curve,
  digitsOf,
  finiteValues,
  type Movement,
  movementOf,
  roundingOf,
  smoothingWidth,
} from '../../features/curve.js';
import { stepsMade } from '../../features/ending.js';
import { once } from '../../features/once.js';
import { mean, median, standardError, trailingMedian } from '../../features/robust.js';
import { numberSetting } from '../../features/task.js';
import type { RunView } from '../../features/view.js';
import { figure } from '../../record/figures.js';
import type { Setting } from '../../record/run-record.js';
import type { RunEvidence } from '../define.js';
import { citePoint } from './cite.js';
import { scoreAtItsBest } from './score-at-its-best.js';

export interface Learning {
  readonly curve: Curve;
  readonly movement: Movement;
  /** The training loss fell, beyond its noise. */
  readonly fell: boolean;
  /** The training loss stayed within its noise from beginning to end, over enough points to say so. */
  readonly flat: boolean;
  /** The values are the same to the last digit, or repeat: nothing in the model changes. */
  readonly frozen: boolean;
}

/** Null for players and policies too: their losses are not meant to fall. */
export const learningOf = once((view: RunView): Learning | null => {
  const curve = view.task.loss === 'reinforcement' ? null : view.curve('loss');
  const movement = curve && curve.finite.length >= 3 ? movementOf(curve) : null;
  return curve && movement ? judge(curve, movement) : null;
});

function judge(curve: Curve, movement: Movement): Learning {
  const values = finiteValues(curve);
  const drop = movement.start - movement.best;
  const scale = Math.abs(movement.start) + 1e-12;
  const fell =
    movement.count >= 10
      ? movement.improvement >= 0.03 && movement.significance >= 2
      : movement.improvement >= 0.05;
  const enough = movement.count >= 5;
  const flat =
    enough &&
    !fell &&
    drop <= Math.max(3 * movement.noise, 0.02 * scale) &&
    movement.end - movement.start <= 3 * movement.noise + 0.02 * scale;
  return { curve, movement, fell, flat, frozen: enough && isFrozen(values) };
}

function isFrozen(values: readonly number[]): boolean {
  const tail = values.slice(Math.floor(values.length / 4));
  if (tail.length < 6) return false;
  const centre = median(tail);
  if (tail.every((value) => Math.abs(value - centre) <= 1e-7 * Math.abs(centre))) return true;
  return repeats(values);
}

/** One and the same loss of many digits is half of all values, whatever stands between: the mean over the same rows under the same weights. */
export function comesAgain(curve: Curve): boolean {
  const values = finiteValues(curve);
  const same = values.filter((value) => Math.abs(value - median(values)) <= 1e-7 * Math.abs(value));
  return same.length >= 3 && same.length >= values.length / 2 && digitsOf(curve) > 7;
}

/** Without shuffling, a model that never changes repeats its losses every epoch, digit by digit. */
function repeats(values: readonly number[]): boolean {
  for (let period = 2; period <= values.length / 2; period++) {
    let same = true;
    for (let i = period; i < values.length && same; i++)
      same = Math.abs(values[i]! - values[i % period]!) <= 1e-6 * Math.abs(values[i]!);
    if (same) return true;
  }
  return false;
}

/**
 * Validation, which draws nothing at random, gives the same loss to the last of many digits each time: the weights do not change.
 */
export function validationStandsStill(view: RunView): boolean {
  const curve = view.curve('loss', 'eval');
  if (!curve || curve.finite.length < 3 || curve.finite.length < curve.length) return false;
  const values = finiteValues(curve);
  return values.every((value) => value === values[0]) && String(values[0]).replace(/\D/g, '').length >= 7;
}

/** Loss and score of held-out data are the same, as far as they were printed, at every evaluation. */
export function evaluationRepeats(view: RunView): boolean {
  const [loss, score] = [view.curve('loss', 'eval'), view.curve('accuracy', 'eval')];
  if (!loss) return false;
  return [loss, score ?? loss].every((curve) => {
    const values = finiteValues(curve);
    return values.length >= 3 && values.every((value) => value === values[0]);
  });
}

/** Neither a gradient nor held-out data, whose rows stay the same, was recorded: where nothing is learned, nothing shows that weights move. */
export function movesUnseen(view: RunView): boolean {
  return !(view.curve('grad_norm') ?? view.curve('loss', 'eval') ?? view.curve('accuracy', 'eval'));
}

/** From its first quarter on, held-out data loses the same to the last digit: whatever moved the weights has ended. */
export function evaluationStopped(view: RunView): boolean {
  const curve = view.curve('loss', 'eval');
  const values = curve ? finiteValues(curve) : [];
  const later = values.slice(Math.ceil(values.length / 4));
  return (
    validationStandsStill(view) ||
    evaluationRepeats(view) ||
    (later.length >= 4 &&
      String(later[0]).replace(/\D/g, '').length >= 5 &&
      later.every((value) => Math.abs(value - later[0]!) <= 1e-7 * Math.abs(later[0]!)))
  );
}

export interface Chance {
  readonly accuracy: number;
  readonly outcomes: number;
  readonly curve: Curve;
  readonly index: number;
}

/**
 * Accuracy that stayed at one over the number of classes for the whole run. The number comes from the settings, or from
 * the loss itself: a classifier that guesses among K has loss ln K and accuracy 1/K at once.
 */
export function chanceAccuracy(view: RunView, split: 'train' | 'eval'): Chance | null {
  const curve = view.curve('accuracy', split);
  // Two evaluations are enough beside a training loss of many points.
  const least = (view.curve('loss')?.finite.length ?? 0) >= 20 ? 2 : 3;
  if (!curve || curve.finite.length < least) return null;
  const values = finiteValues(curve);
  const level = median(values.slice(-Math.max(3, Math.floor(values.length / 3))));
  const outcomes = view.task.outcomes ?? impliedOutcomes(view, split, level);
  if (outcomes === null || outcomes < 2 || outcomes > 1000) return null;
  const expected = 1 / outcomes;
  // Small batches score far from their mean: the smoothed curve is what may not leave chance. Among few classes a tenth above is learning.
  const tolerance = Math.min(Math.max(0.4 * expected, 0.02), 0.08);
  const ceiling = expected + Math.min(Math.max(0.7 * expected, 0.05), 0.15);
  const settled = trailingMedian(values.slice(1), smoothingWidth(values.length));
  if (Math.abs(level - expected) > tolerance || Math.max(...settled) > ceiling) return null;
  if (split === 'eval' && ranksBetter(view, least)) return null;
  return { accuracy: level, outcomes, curve, index: curve.finite.at(-1)! };
}

/** Guessing ranks half of all pairs rightly; this much more is no accident, and so much that training may rank so. */
const ranking = { skilled: 0.6, training: 0.95 };

/** The area under the curve of held-out data says that it is told apart, wherever the threshold of its score lies. */
function ranksBetter(view: RunView, least: number): boolean {
  const own = view.curve('auc', 'eval');
  const curve = own ?? view.curve('auc', 'train');
  if (!curve || curve.finite.length < least) return false;
  const values = finiteValues(curve);
  const level = median(values.slice(Math.floor(values.length / 2)));
  // One that does not say whose it is, is not of a training that answers more rightly than this ranks.
  const trained = view.curve('accuracy', 'train');
  const isHeld =
    own !== null || (trained !== null && finiteValues(trained).at(-1)! > Math.max(ranking.training, level));
  return isHeld && level > ranking.skilled;
}

/** The number of classes that a loss of guessing and a score of guessing agree on. */
export function impliedOutcomes(
  view: RunView,
  split: 'train' | 'eval' | 'test',
  accuracy: number,
): number | null {
  const curve = view.curve('loss', split) ?? view.curve('loss');
  const losses = curve ? finiteValues(curve) : [];
  if (losses.length === 0 || accuracy <= 0) return null;
  const byScore = Math.round(1 / accuracy);
  for (const loss of [median(losses.slice(-Math.max(3, Math.floor(losses.length / 3)))), losses[0]!]) {
    // The score names the number of classes more sharply, where the loss agrees.
    if (byScore >= 2 && byScore <= 20 && Math.abs(loss - Math.log(byScore)) < 0.06) return byScore;
    const outcomes = Math.round(Math.exp(loss));
    if (outcomes < 2 || Math.abs(loss - Math.log(outcomes)) > 0.12) continue;
    if (Math.abs(accuracy * outcomes - 1) < 0.45) return outcomes;
  }
  return null;
}

/** The first loss is the logarithm of the classes to the last digit: every output was zero, which random weights do not give. */
export function beganAtNothing(view: RunView): boolean {
  const first = view.curve('loss')?.values[0];
  if (first === undefined || first <= 0) return false;
  const { outcomes } = view.task;
  // Small random weights come near it among many words: it must be the same as far as it was printed.
  if (outcomes !== null)
    return (
      outcomes >= 2 &&
      Math.abs(first - Math.log(outcomes)) < Math.min(5e-4, Math.max(1e-4, roundingOf(first)))
    );
  // Of an unknown number of classes it must be the logarithm of a small whole number, and stay there.
  const likely = Math.round(Math.exp(first));
  const later = view.curve('loss', 'eval');
  return (
    likely >= 2 &&
    likely <= 1000 &&
    [first, ...(later ? finiteValues(later) : [])].every((loss) => Math.abs(loss - Math.log(likely)) < 1e-4)
  );
}

/** Every step takes a hundredth of the weights or more: soon nothing is left of them, and they stand still at zero. */
export function decaysToNothing(view: RunView): boolean {
  const [rate, decay] = [peakLearningRate(view), numberSetting(view.record, 'weight_decay')];
  return rate !== null && decay !== null && rate * decay > 0.01;
}

/** The norm of all weights fell to less than this share of what it was: decay pulls them to zero faster than they learn. */
export function weightsShrank(view: RunView, share: number): RunEvidence | null {
  const norms = view.curve('param_norm');
  const values = norms ? finiteValues(norms) : [];
  if (!norms || values.length < 5 || values.at(-1)! >= share * values[0]!) return null;
  return citePoint(
    norms,
    norms.finite.at(-1)!,
    `${norms.name} fell from ${figure(values[0]!)} to ${figure(values.at(-1)!)}`,
  );
}

/** More than any classifier or language model loses unless its outputs are of another size than they should be, in nats. */
export const beyondOutputs = 50;

/**
 * Outputs of another size than they should be, from the first point to the last: the loss of a classifier or language model is out of all
 * proportion, or an error many times the spread of the targets. A rate, weights or a reduction that is too large makes them, no label does.
 */
export function outputsOutOfScale(view: RunView): boolean {
  const curve = view.curve('loss');
  if (!curve || curve.finite.length < 3 || scoreAtItsBest(view)) return false;
  const values = finiteValues(curve);
  const least = Math.min(...values);
  const late = median(values.slice(-Math.max(3, Math.floor(values.length / 4))));
  if (view.task.loss === 'classification' || view.task.loss === 'language_model')
    return Math.min(late, median(values)) > beyondOutputs || beganOutOfScale(view, curve);
  const variance = view.curve('target_variance');
  return (
    (variance !== null &&
      (least > beyondOutputs * Math.max(...finiteValues(variance)) ||
        beganFar(values, late, Math.max(...finiteValues(variance))))) ||
    wildErrors(view, curve)
  );
}

/** The first errors are many times the spread of the targets, and the last are no less than it. */
function beganFar(values: readonly number[], late: number, variance: number): boolean {
  return median(values.slice(0, 3)) > 20 * variance && late > 0.9 * variance;
}

/**
 * The first loss is many times that of guessing among the classes, as random weights of a usual size never begin, and the last is still
 * above it. Where the hooks counted the labels, and held-out data agrees, twice is many.
 */
function beganOutOfScale(view: RunView, curve: Curve): boolean {
  const { outcomes } = view.task;
  const counted = view.curve('constant_loss');
  const guessing = counted?.finite.length
    ? finiteValues(counted).at(-1)!
    : outcomes === null || outcomes < 2
      ? null
      : Math.log(outcomes);
  const values = finiteValues(curve);
  if (guessing === null || guessing <= 0 || values.length < 5) return false;
  const held = view.curve('loss', 'eval');
  const judged = held ? finiteValues(held) : [];
  const sure = counted !== null && judged.length >= 3 && Math.min(...judged) > guessing;
  return (
    median(values.slice(0, 3)) > (sure ? 2 : 6) * guessing &&
    median(values.slice(-Math.max(3, Math.floor(values.length / 4)))) > guessing
  );
}

/** So many times the variance of the targets is no offset that a bias has yet to learn, where the error also changes from batch to batch. */
const wild = 10;

/**
 * The squared error of training and held-out data, which fell, is still many times what the mean of the targets would get, as the share of
 * the variance that is explained tells; and batches differ as answers do that are wrong each in its own way.
 */
function wildErrors(view: RunView, curve: Curve): boolean {
  const held = view.curve('loss', 'eval');
  const explained = view.curve('explained_variance', 'eval');
  const values = finiteValues(curve);
  if (!held || !explained || held.finite.length < 3 || explained.finite.length < 3 || values.length < 10)
    return false;
  const share = finiteValues(explained).at(-1)!;
  if (Math.max(...finiteValues(explained)) > 1 - wild) return false;
  const variance = finiteValues(held).at(-1)! / (1 - share);
  const movement = movementOf(curve);
  if (!movement || new Set(finiteValues(held)).size <= 2) return false;
  return movement.end > wild * variance && movement.noise > 0.2 * movement.end;
}

/** Long enough that "it has not learned" says something: the plan is done, or tens of points or several epochs are in. */
export function ranLongEnough(view: RunView): boolean {
  const steps = stepsMade(view.record, view.ending) ?? 0;
  if (loggedByEpoch(view) || countedEpochs(view) >= 10) return true;
  if (view.ending.kind === 'completed' && (view.curve('loss')?.finite.length ?? 0) >= 20) return true;
  return steps >= 100 || (view.curve('loss')?.finite.length ?? 0) >= 40;
}

/** The rate is one of those for weights that were trained before, which may have little left to learn. */
export function mayTune(view: RunView): boolean {
  return view.task.fineTuning || (peakLearningRate(view) ?? 1) < 1e-4;
}

/** The last epoch that a line of the log counts. */
export function countedEpochs(view: RunView): number {
  const counts = view.lines
    .slice(-50)
    .map(({ text }) =>
      Number(/\bep(?:och)?s?\b[^\w\n]{0,4}(\d{1,6})(?![\d.])/i.exec(text.slice(0, 200))?.[1] ?? 0),
    );
  return Math.max(0, ...counts);
}

/** Validation stands beside every training loss: each point is an epoch, and ten epochs are long. */
function loggedByEpoch(view: RunView): boolean {
  const trained = view.curve('loss')?.length ?? 0;
  return trained >= 10 && view.curve('loss', 'eval')?.length === trained;
}

/**
 * The accuracy of training, and of validation where there is one, is the same share to the last digit from early on: every input gets
 * the same answer. And the loss began at exactly the logarithm of the classes, which outputs of nothing but zeros lose, where random
 * weights before real inputs lose more: the inputs carry nothing.
 */
export function inputsCarryNothing(view: RunView, chance: Chance | null): boolean {
  const curves = (['train', 'eval'] as const).flatMap((split) => view.curve('accuracy', split) ?? []);
  const first = view.curve('loss')?.values[0];
  if (!chance || first === undefined) return false;
  return (
    curves.length > 0 &&
    Math.abs(first / Math.log(chance.outcomes) - 1) < 0.002 &&
    curves.every((curve) => {
      const later = finiteValues(curve).slice(Math.ceil(curve.finite.length / 4));
      return later.length >= 6 && later.every((value) => value === later[0]);
    })
  );
}

/**
 * Loss and gradient are of one distribution from the first quarter of the run to the last, although gradients flow, and the loss is
 * above what always guessing the same would reach: no weight moves, for the output's bias alone would have learned that much.
 */
export function weightsStandStill(view: RunView): boolean {
  const loss = view.curve('loss');
  const norms = view.curve('grad_norm');
  if (!loss || !norms || loss.finite.length < 100 || norms.finite.length < 100) return false;
  const losses = finiteValues(loss);
  const level = median(losses);
  const accuracy = view.curve('accuracy');
  const outcomes =
    view.task.outcomes ?? (accuracy && impliedOutcomes(view, 'train', median(finiteValues(accuracy))));
  if (outcomes === null || outcomes < 2) return false;
  const excess = level - Math.log(outcomes);
  if (excess < 0.005 * Math.log(outcomes) || excess < 5 * standardError(losses)) return false;
  return stationary(losses) && stationary(finiteValues(norms));
}

/** The means of the four quarters agree within what their own spread allows, and that is little. */
function stationary(values: readonly number[]): boolean {
  const size = Math.floor(values.length / 4);
  const quarters = [0, 1, 2, 3].map((part) => values.slice(part * size, (part + 1) * size));
  const error = standardError(quarters[0]!.concat(quarters[3]!)) * Math.SQRT2;
  const means = quarters.map(mean);
  return (
    error < 0.03 * Math.abs(means[0]!) && Math.max(...means) - Math.min(...means) < 3.5 * Math.SQRT2 * error
  );
}

export interface SilentBody {
  readonly curve: Curve;
  readonly level: number;
  /** Whether the recorded inputs vary; null when they were not recorded. */
  readonly inputsVary: boolean | null;
}

/**
 * A classifier at chance level whose gradient is hardly larger than its output bias alone would have,
 * sqrt((1 - 1/K) / batch), where a working body of layers makes many times that: nothing behind the output layer carries a signal. Either the inputs are constant, or the layers are
 * dead or saturated.
 */
export function silentBody(view: RunView, chance: Chance): SilentBody | null {
  const curve = view.curve('grad_norm');
  const size = numberSetting(view.record, 'batch_size');
  if (!curve || curve.finite.length < 5 || size === null || size < 1) return null;
  const level = median(finiteValues(curve));
  const biasAlone = Math.sqrt((1 - 1 / chance.outcomes) / size);
  if (level > 4 * biasAlone) return null;
  const spreads = view.curve('input_std');
  const varied = spreads ? median(finiteValues(spreads)) : null;
  return { curve, level, inputsVary: varied === null || Number.isNaN(varied) ? null : varied > 1e-6 };
}

/**
 * Validation of a language model that was never as good as guessing among all words, while training got well below it: the
 * words of validation are not those the model was trained on.
 */
export function validationWorseThanGuessing(view: RunView): boolean {
  if (view.task.loss !== 'language_model' || view.task.outcomes === null) return false;
  const evaluated = view.curve('loss', 'eval');
  const trained = view.curve('loss');
  if (!evaluated || !trained || evaluated.finite.length < 3 || trained.finite.length < 5) return false;
  const guessing = Math.log(view.task.outcomes);
  return (
    Math.min(...finiteValues(evaluated)) > guessing + 0.2 &&
    median(finiteValues(trained).slice(-3)) < guessing - 0.5
  );
}

/** What the hooks saw of the way from loss to weights; null where they did not look. */
export interface Flow {
  /** Share of the trainable parameters that get a gradient at all. */
  readonly reach: Curve | null;
  readonly dead: Curve | null;
  readonly twins: Curve | null;
  /** Every part of the machine works: most parameters get a gradient of their own, and move. */
  readonly works: boolean;
}

export function flowOf(view: RunView): Flow {
  const level = (curve: Curve | null): number | null =>
    curve && curve.finite.length >= 3 ? median(finiteValues(curve)) : null;
  const [reach, dead, twins, ratio] = (
    ['gradient_reach', 'dead_fraction', 'twin_fraction', 'update_ratio'] as const
  ).map((metric) => view.curve(metric)) as [Curve | null, Curve | null, Curve | null, Curve | null];
  const trained = trainedShare(view);
  return {
    reach,
    dead,
    twins,
    works:
      (trained === null || trained.share > 0.01) &&
      (level(reach) ?? 0) > 0.9 &&
      (level(dead) ?? 0) < 0.5 &&
      (level(twins) ?? 0) < 0.5 &&
      (level(ratio) ?? 0) > 1e-5,
  };
}

/** The share of the parameters that are to be trained, as the hooks counted them. */
export function trainedShare(view: RunView): { readonly share: number; readonly entry: Setting } | null {
  const counted = (name: string): Setting | undefined =>
    view.record.settings.find(({ key, value }) => key === name && typeof value === 'number');
  const [all, entry] = [counted('num_parameters'), counted('trainable_parameters')];
  return all && entry && Number(all.value) > 0
    ? { share: Number(entry.value) / Number(all.value), entry }
    : null;
}
