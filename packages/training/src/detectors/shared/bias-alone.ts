// Does anything but the output's bias learn? Frozen layers, dead ones and inputs without content leave the same record: held-out loss slides
// smoothly to that of a constant answer, and the gradient is no larger than that of a bias. Then no single one of them may be named.
import { type Curve, finiteValues, startsAtBeginning } from '../../features/curve.js';
import { mean, median, standardError } from '../../features/robust.js';
import { numberSetting } from '../../features/task.js';
import type { RunView } from '../../features/view.js';
import { scoreOf } from '../../health/score.js';

/** The held-out loss that shows it; null where something wanders as only moving weights do, or too little was recorded. */
export function biasAlone(view: RunView): Curve | null {
  const curve = view.curve('loss', 'eval');
  const values = curve ? finiteValues(curve) : [];
  const rises = values.some((value, index) => index > 0 && value > values[index - 1]!);
  if (!curve || values.length < 5 || rises || values.at(-1) === values[0]) return null;
  const half = Math.floor(values.length / 2);
  const slows = values[half]! - values.at(-1)! <= values[0]! - values[half]!;
  return slows && !pullsOnBody(view) ? curve : null;
}

/** The recorded gradient is more than that of a bias, also of one on its way, which has more than its noise. */
export function pullsOnBody(view: RunView): boolean {
  return (overBias(view) ?? 0) >= (numberSetting(view.record, 'batch_size') === null ? 3 : 1.5);
}

/** The steps of a bias alone, at a usual rate, move the loss of held-out data by this share and less. */
export const ofBias = 3e-3;

/**
 * Held-out data, after its first evaluations, loses the same within a share of a thousandth each time, or slides as that of a bias does: whether
 * any weight behind the bias moves is not to be seen.
 */
export function evaluationHardlyMoves(view: RunView, share = 1e-3): boolean {
  const curve = view.curve('loss', 'eval');
  const values = curve ? finiteValues(curve) : [];
  const later = values.slice(Math.ceil(values.length / 4));
  return (
    biasAlone(view) !== null ||
    (later.length >= 3 && Math.max(...later) - Math.min(...later) < share * Math.abs(median(later)))
  );
}

/** A batch of unknown size is taken for a small one, whose mean error is large. */
const presumedBatch = 16;

/** The recorded gradient over what the noise of one bias would have, the mean error of a batch: a body of layers makes many times that. */
function overBias(view: RunView): number | null {
  const norms = view.curve('grad_norm');
  const losses = view.curve('loss', 'eval') ?? view.curve('loss');
  if (!norms || !losses || norms.finite.length === 0 || losses.finite.length === 0) return null;
  const loss = Math.abs(finiteValues(losses).at(-1)!);
  const score = scoreOf(view, 'eval') ?? scoreOf(view, 'train');
  const squared =
    view.task.loss === 'regression' || score?.kind === 'explained' || (score === null && loss > 5);
  const error = squared ? 4 * loss : 1 - (score?.values.at(-1) ?? 0.5) ** 2;
  const size = numberSetting(view.record, 'batch_size') ?? presumedBatch;
  return median(finiteValues(norms)) / Math.sqrt(error / size);
}

/** Nothing but the noise of an output's bias is in the recorded gradients: the layers behind it are frozen, dead or without inputs. */
export function gradientOfBias(view: RunView): boolean {
  const ratio = overBias(view);
  return ratio !== null && ratio < (numberSetting(view.record, 'batch_size') === null ? 1 : 1.3);
}

/**
 * Held-out data is right equally often each time: every input gets the same answer, which frozen layers, whose random outputs differ from
 * input to input, hardly give. Where one class is most of the data they do.
 */
export function answersEverythingAlike(view: RunView): boolean {
  const score = scoreOf(view, 'eval');
  const values = score ? score.values.slice(1) : [];
  if (values.length < 2 || creeps(view) || costsMoreThanGuessing(view)) return false;
  if (score?.kind === 'explained') return values.every((value) => value <= 0 && value > -0.03);
  // Classes may take turns: their shares come again and again, and add up to no more than all.
  const shares = [...new Set(values)];
  const again = shares.length <= Math.max(1, values.length / 4);
  const [one, other = one] = shares;
  const two = shares.length === 2 && Math.abs(one! - other!) > 0.02;
  const whole = shares.reduce((sum, share) => sum + share, 0) <= 1;
  return (shares.length === 1 || two || again) && (whole || shares.length === 1) && Math.max(...shares) < 0.7;
}

/** Held-out data ends above what guessing among its classes loses: no one answer has to cost that, and random ones do. */
function costsMoreThanGuessing(view: RunView): boolean {
  const curve = view.curve('loss', 'eval');
  const { outcomes } = view.task;
  if (!curve?.finite.length || outcomes === null || outcomes < 2) return false;
  return median(finiteValues(curve).slice(-3)) > 1.02 * Math.log(outcomes);
}

/** What a gradient is beyond noise: so many times that of a bias, and so little different from batch to batch; less is clipped to one size. */
const steadyPull = { overBias: 3, least: 0.01, most: 0.2 };

/**
 * The gradient is of one size from the first step to the last, far beyond its noise: steps along it would lower the loss. Yet the loss keeps its
 * level, and held-out data moves by no more than the statistics that a layer keeps. The gradient's curve; null elsewhere.
 */
export function pulledInVain(view: RunView): Curve | null {
  const [loss, norms, held] = [view.curve('loss'), view.curve('grad_norm'), view.curve('loss', 'eval')];
  const [losses, sizes, judged] = [loss, norms, held].map((curve) => (curve ? finiteValues(curve) : []));
  if (!norms || losses!.length < 24 || sizes!.length < 24 || judged!.length < 3) return null;
  // Now this class is the answer and now that one: something moves.
  if (answersEverythingAlike(view)) return null;
  const spread = (standardError(sizes!) * Math.sqrt(sizes!.length)) / mean(sizes!);
  const level = Math.abs(median(judged!));
  const still = Math.max(...judged!) - Math.min(...judged!) < 0.02 * level;
  return still &&
    spread > steadyPull.least &&
    spread < steadyPull.most &&
    (overBias(view) ?? 0) > steadyPull.overBias &&
    keepsLevel(losses!) &&
    keepsLevel(sizes!)
    ? norms
    : null;
}

/** The means of the four quarters lie no further apart than noise lets them in nineteen of twenty cases. */
function keepsLevel(values: readonly number[]): boolean {
  const size = Math.floor(values.length / 4);
  const quarters = [0, 1, 2, 3].map((part) => values.slice(part * size, (part + 1) * size));
  const means = quarters.map(mean);
  return Math.max(...means) - Math.min(...means) < 3.6 * mean(quarters.map(standardError));
}

/** As far as the loss of one answer to everything lies from what it is told to be. */
const exact = { share: 2.5e-3, entropy: 1e-3 };

/** Among so many classes logarithms lie apart. */
const fewClasses = 20;

/**
 * The first batches, which were logged one by one, all lose the logarithm of a number of classes: every input gets the same outputs from the
 * first step on. Random layers, frozen or not, give each input its own, and each batch its own loss.
 */
export function outputsBeginAlike(view: RunView): boolean {
  const curve = view.curve('loss');
  const first = curve ? finiteValues(curve).slice(0, 5) : [];
  const evaluations = view.curve('loss', 'eval')?.finite.length ?? 0;
  if (!curve || first.length < 5 || curve.finite.length <= 2 * evaluations || !startsAtBeginning(curve))
    return false;
  const classes = Math.round(Math.exp(median(first)));
  const guessing = Math.log(classes);
  return (
    classes >= 2 &&
    classes <= fewClasses &&
    first.every((loss) => Math.abs(loss / guessing - 1) < exact.share)
  );
}

/**
 * Held-out data of two classes is right equally often each time, and its loss has come to the entropy of that share: every input gets the same
 * probabilities. Answers of random layers differ, and cost more.
 */
export function oneAnswerToAll(view: RunView): boolean {
  const [score, loss] = [view.curve('accuracy', 'eval'), view.curve('loss', 'eval')];
  const values = score ? finiteValues(score) : [];
  const [share, ...others] = values.slice(Math.floor(values.length / 4));
  if (
    !loss?.finite.length ||
    share === undefined ||
    others.length < 2 ||
    others.some((value) => value !== share)
  )
    return false;
  const least = -share * Math.log(share) - (1 - share) * Math.log(1 - share);
  return share > 0.4 && share < 0.97 && Math.abs(Math.min(...finiteValues(loss)) - least) < exact.entropy;
}

/** Each evaluation is a little better than the one before, and all together by so little that no answer would change, whatever gives it. */
function creeps(view: RunView): boolean {
  const curve = view.curve('loss', 'eval');
  const values = curve ? finiteValues(curve) : [];
  const falls = values.every((value, index) => index === 0 || value < values[index - 1]!);
  return values.length > 1 && falls && values[0]! - values.at(-1)! < 5e-4 * Math.abs(values[0]!);
}
