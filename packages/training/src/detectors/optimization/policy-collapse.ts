/**
 * # The policy collapsed to one answer
 *
 * ## What
 * The entropy of the policy goes to nothing early in the run, and the reward does not rise.
 *
 * ## Why
 * Too large steps or no bonus for entropy: the first lucky action is repeated for ever, and nothing else is tried again.
 *
 * ## Example
 * Entropy 1.08 to 0.00 in ten updates; mean reward 0.35 from then on.
 *
 * ## Stays silent
 * When the reward rose: a good policy may be certain. Where nothing is left of the entropy within the first tenth of the run, only a rise
 * since then counts, or a reward that is always the same.
 */
import { finiteValues, movementOf } from '../../features/curve.js';
import { median } from '../../features/robust.js';
import { figure } from '../../record/figures.js';
import { defineDetector } from '../define.js';
import { becameCertain, fewest } from '../shared/certainty.js';
import { citePoint } from '../shared/cite.js';

export const policyCollapse = defineDetector({
  id: 'optimization/policy-collapse',
  subcause: 'policy_collapse',
  role: 'root',
  signal: 'curve',
  needs: ['loss'],
  detect: (_record, _features, { view }) => {
    const certain = becameCertain(view);
    const reward = view.curve('reward');
    const earned = reward ? movementOf(reward) : null;
    if (!certain || !reward || !earned || earned.count < fewest) return [];
    const rewards = finiteValues(reward);
    const late = median(rewards.slice(-Math.ceil(rewards.length / 3)));
    // Measured from the first reward, and from where it was certain: one lucky arm pays more than chance, and no more than that.
    const since = reward.steps.findIndex((step) => step >= certain.step);
    const after = median(rewards.slice(Math.max(0, since), Math.max(0, since) + 5));
    const rise = late - rewards[0]!;
    // Where each choice is certain to the last digit there is no gradient: whatever it earns, it learns no more, unless all is won.
    const ended = certain.wholly && new Set(rewards.slice(since)).size > 1;
    const stuck = late - after < earned.noise && (rise < 4 * earned.noise || ended) && certain.early;
    if (rise > Math.max(2 * earned.noise, 0.15 * Math.abs(rewards[0]!)) && !stuck) return [];
    return [
      {
        strength: 0.85,
        onset: certain.step,
        evidence: [
          citePoint(certain.curve, certain.index, certain.fact),
          citePoint(
            reward,
            reward.finite.at(-1)!,
            certain.early && late > rewards[0]!
              ? `${reward.name} has not risen since: ${figure(after)} then, ${figure(late)} at the end`
              : `${reward.name} did not rise: ${figure(rewards[0]!)} at the start, ${figure(earned.end)} at the end`,
          ),
        ],
      },
    ];
  },
});
