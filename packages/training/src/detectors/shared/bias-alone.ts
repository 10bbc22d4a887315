// Does anything but the output's bias learn? Frozen layers, dead ones and inputs without content leave the same record: held-out loss slides
// smoothly to that of a constant answer, and the gradient is no larger than that of a bias. Then no single one of them may be named.
import { type Curve, finiteValues } from '../../features/curve.js';
import { median } from '../../features/robust.js';
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
  // A bias on its way has more than its noise.
  const most = numberSetting(view.record, 'batch_size') === null ? 3 : 1.5;
  return slows && (overBias(view) ?? 0) < most ? curve : null;
}

/**
 * Held-out data, after its first evaluations, loses the same within a thousandth each time, or slides as that of a bias does: whether any weight
 * behind the bias moves is not to be seen.
 */
export function evaluationHardlyMoves(view: RunView): boolean {
  const curve = view.curve('loss', 'eval');
  const values = curve ? finiteValues(curve) : [];
  const later = values.slice(Math.ceil(values.length / 4));
  return (
    biasAlone(view) !== null ||
    (later.length >= 3 && Math.max(...later) - Math.min(...later) < 1e-3 * Math.abs(median(later)))
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
  if (values.length < 2 || creeps(view)) return false;
  if (score?.kind === 'explained') return values.every((value) => value <= 0 && value > -0.03);
  // Classes may take turns: their shares come again and again, and add up to no more than all.
  const shares = [...new Set(values)];
  const again = shares.length <= Math.max(1, values.length / 4);
  const [one, other = one] = shares;
  const two = shares.length === 2 && Math.abs(one! - other!) > 0.02;
  const whole = shares.reduce((sum, share) => sum + share, 0) <= 1;
  return (shares.length === 1 || two || again) && (whole || shares.length === 1) && Math.max(...shares) < 0.7;
}

/** Each evaluation is a little better than the one before, and all together by so little that no answer would change, whatever gives it. */
function creeps(view: RunView): boolean {
  const curve = view.curve('loss', 'eval');
  const values = curve ? finiteValues(curve) : [];
  const falls = values.every((value, index) => index === 0 || value < values[index - 1]!);
  return values.length > 1 && falls && values[0]! - values.at(-1)! < 5e-4 * Math.abs(values[0]!);
}
