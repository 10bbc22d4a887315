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
 * When the reward rose: a good policy may be certain.
 */
import { finiteValues, movementOf } from '../../features/curve.js';
import { median } from '../../features/robust.js';
import { figure } from '../../record/figures.js';
import { defineDetector } from '../define.js';
import { citePoint } from '../shared/cite.js';

export const policyCollapse = defineDetector({
  id: 'optimization/policy-collapse',
  subcause: 'policy_collapse',
  role: 'root',
  signal: 'curve',
  needs: ['loss'],
  detect: (_record, _features, { view }) => {
    const entropy = view.curve('entropy');
    const reward = view.curve('reward');
    const earned = reward ? movementOf(reward) : null;
    if (!entropy || !reward || !earned || entropy.finite.length < 8 || earned.count < 8) return [];
    const values = finiteValues(entropy);
    const late = median(values.slice(-Math.ceil(values.length / 3)));
    const gone = values.findIndex((value) => value < 0.1 * values[0]!);
    if (values[0]! <= 0 || late > 0.1 * values[0]! || gone < 0 || gone > values.length / 2) return [];
    const rewards = finiteValues(reward);
    const rise = median(rewards.slice(-Math.ceil(rewards.length / 3))) - rewards[0]!;
    if (rise > Math.max(2 * earned.noise, 0.15 * Math.abs(rewards[0]!))) return [];
    return [
      {
        strength: 0.85,
        onset: entropy.steps[entropy.finite[gone]!]!,
        evidence: [
          citePoint(
            entropy,
            entropy.finite[gone]!,
            `${entropy.name} fell from ${figure(values[0]!)} to ${figure(values[gone]!)}`,
          ),
          citePoint(
            reward,
            reward.finite.at(-1)!,
            `${reward.name} did not rise: ${figure(rewards[0]!)} at the start, ${figure(earned.end)} at the end`,
          ),
        ],
      },
    ];
  },
});
