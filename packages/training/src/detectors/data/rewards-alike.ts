/**
 * # All answers to a question earn the same
 *
 * ## What
 * Answers are compared with one another, and in every group their rewards are equal: the spread of the rewards is 0, the share of groups without a
 * spread is 1, or all advantages are 0. The loss and its gradient are then 0 too.
 *
 * ## Why
 * A reward that no answer meets, or every one; a parser that finds nothing; a temperature of 0. What does not differ gives no direction.
 *
 * ## Example
 * `reward_std: 0.0, frac_reward_zero_std: 1.0, loss: 0.0, grad_norm: 0.0`.
 *
 * ## Stays silent
 * When any group differs, when a gradient flows, and for a spread over episodes that is not what is learned from.
 */
import { type Curve, toCurve } from '../../features/curve.js';
import type { RunView } from '../../features/view.js';
import { figure } from '../../record/figures.js';
import { defineDetector, type Observation } from '../define.js';
import { citePoint } from '../shared/cite.js';

/** How far the rewards of one group differ, and the share of the groups in which they do not. */
const spreads =
  /(?:^|[^a-z])(?:rewards?_(?:std|spread|var(?:iance)?)|advantages?(?:_(?:std|mean|abs|abs_mean|max))?)$/i;
const groupsAlike = /zero_std|std_zero|no_variance|all_(?:same|equal)/i;

export const rewardsAlike = defineDetector({
  id: 'data/rewards-alike',
  subcause: 'degenerate_labels',
  role: 'root',
  signal: 'curve',
  needs: ['loss'],
  detect: (_record, _features, { view }) => {
    const gradient = view.curve('grad_norm');
    const still = gradient !== null && all(gradient, 0);
    const reward = view.curve('reward');
    // Whoever earns all there is has nothing left to learn.
    if (!gradient || !still || reward === null || all(reward, 1)) return [];
    const own = view.record.series.filter(({ metric }) => metric === 'other').map(toCurve);
    const spread = own.find(({ name, length }) => spreads.test(name) && length >= 2);
    const share = own.find(({ name, length }) => groupsAlike.test(name) && length >= 2);
    if ((share && all(share, 1)) || (spread && all(spread, 0) && (!share || !hasNumber(share))))
      return [observed(share ?? spread!, gradient, 'degenerate_labels')];
    return spread?.values.every((value) => value > 0) && paysNothing(view)
      ? [observed(spread, gradient, 'frozen_parameters')]
      : [];
  },
});

/** The gradient of a policy is weighed by what its answers earned: answers that differ, and a gradient of exactly 0, leave only weights that are not trained. */
function observed(
  curve: Curve,
  gradient: Curve,
  subcause: 'degenerate_labels' | 'frozen_parameters',
): Observation {
  return {
    strength: 0.74,
    subcause,
    onset: gradient.steps[0]!,
    evidence: [
      citePoint(curve, curve.length - 1, `${curve.name} is ${figure(curve.values.at(-1)!)}`),
      citePoint(
        gradient,
        gradient.length - 1,
        `and ${gradient.name} is exactly 0 in every step${subcause === 'frozen_parameters' ? ': what is earned differs, and nothing is learned from it' : ''}`,
      ),
    ],
  };
}

/** Neither the policy nor its distance from where it came from has moved. */
function paysNothing(view: RunView): boolean {
  const kl = view.curve('kl');
  return kl === null || all(kl, 0);
}

function all({ values }: Curve, level: number): boolean {
  return values.length >= 2 && values.every((value) => value === level);
}

function hasNumber({ values }: Curve): boolean {
  return values.some(Number.isFinite);
}
