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
  return slows && gradientOfBias(view, values.at(-1)!) ? curve : null;
}

/** The gradient of one bias is the mean error of a batch; a body of layers makes many times that. */
function gradientOfBias(view: RunView, loss: number): boolean {
  const norms = view.curve('grad_norm');
  if (!norms || norms.finite.length === 0) return true;
  const size = numberSetting(view.record, 'batch_size');
  const score = scoreOf(view, 'eval');
  const error =
    view.task.loss === 'regression' || score?.kind === 'explained'
      ? 4 * Math.abs(loss)
      : 1 - (score?.values.at(-1) ?? 0.5) ** 2;
  // A batch of unknown size is taken for a small one, whose mean error is large, and a bias on its way has more than its noise.
  const [most, batch] = size === null ? [3, 16] : [1.5, size];
  return median(finiteValues(norms)) < most * Math.sqrt(error / batch);
}
