/**
 * # Weight decay pulls the weights to nothing
 *
 * ## What
 * The settings decay the weights so fast that nothing can be learned, or the norm of the weights fell to a hundredth of what it was; and
 * the loss stays where it began or where a constant answer is.
 *
 * ## Why
 * A decay meant for another optimizer (coupled and decoupled decay differ by the learning rate), or a wrong exponent.
 *
 * ## Example
 * AdamW with learning rate 3e-3 and weight decay 100: a third of every weight is gone with each step.
 *
 * ## Stays silent
 * When the run learned all the same, and for usual values.
 */
import { peakLearningRate } from '../../features/configuration.js';
import { type Curve, finiteValues } from '../../features/curve.js';
import { numberSetting } from '../../features/task.js';
import type { RunView } from '../../features/view.js';
import { heldOutStanding } from '../../health/standing.js';
import { figure } from '../../record/figures.js';
import { setting } from '../../record/run-record.js';
import { defineDetector } from '../define.js';
import { citePoint, citeSetting } from '../shared/cite.js';
import { learningOf, weightsShrank } from '../shared/learning.js';

/** Adam's coupled decay acts through the gradient, which is scaled to about one: from here on it outweighs the loss. */
const coupledTooMuch = 0.5;
/** Share of every weight that is gone with each step of plain or decoupled decay. */
const shareTooMuch = 0.01;

export const weightDecayTooHigh = defineDetector({
  id: 'optimization/weight-decay-too-high',
  subcause: 'weight_decay_too_high',
  role: 'root',
  signal: 'configuration',
  needs: ['settings', 'loss'],
  detect: (record, _features, { view }) => {
    const decay = numberSetting(record, 'weight_decay');
    const rate = peakLearningRate(view);
    const curve = view.curve('loss');
    if (decay === null || decay <= 0 || rate === null || !curve || curve.finite.length === 0) return [];
    const coupled = view.task.optimizer === 'adaptive' && !/w|lion/i.test(view.task.optimizerName ?? '');
    const shrunk = weightsShrank(view, 0.01);
    const heavy = decay * rate >= shareTooMuch || (coupled && decay >= coupledTooMuch) || shrunk !== null;
    // Where a twentieth of every weight goes with each step, what is learned in between is little, whatever it is.
    const kept = decay * rate >= 0.05 ? 0.5 : 0.3;
    if (!heavy || heldOutStanding(view)?.kind === 'beats' || improvementOf(view, curve) > kept) return [];
    const entry = setting(record, 'weight_decay');
    return [
      {
        strength: 0.85,
        onset: curve.steps[curve.finite[0]!]!,
        evidence: [
          ...(entry ? [citeSetting(entry)] : []),
          ...(shrunk ? [shrunk] : []),
          citePoint(
            curve,
            curve.finite.at(-1)!,
            `each step takes ${figure(decay * rate)} of every weight, and ${curve.name} stays at ${figure(finiteValues(curve).at(-1)!)}`,
          ),
        ],
      },
    ];
  },
});

/** Two or three points tell less than a movement, but the settings speak for themselves. */
function improvementOf(view: RunView, curve: Curve): number {
  const movement = learningOf(view)?.movement;
  if (movement) return movement.improvement;
  const values = finiteValues(curve);
  return (values[0]! - values.at(-1)!) / (Math.abs(values[0]!) + 1e-12);
}
