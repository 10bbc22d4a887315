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
import { type Curve, finiteValues, movementOf } from '../../features/curve.js';
import { median } from '../../features/robust.js';
import type { RunView } from '../../features/view.js';
import { figure } from '../../record/figures.js';
import { defineDetector } from '../define.js';
import { citePoint } from '../shared/cite.js';

/** What people paste of a run: three boxes of numbers. */
const fewest = 3;

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
    const stuck = late - after < earned.noise && rise < 4 * earned.noise && certain.early;
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
            `${reward.name} did not rise: ${figure(rewards[0]!)} at the start, ${figure(earned.end)} at the end`,
          ),
        ],
      },
    ];
  },
});

interface Certainty {
  readonly curve: Curve;
  readonly index: number;
  readonly step: number;
  /** Within the first tenth of the run. */
  readonly early: boolean;
  readonly fact: string;
}

/** The policy always does the same: its entropy is gone, or the loss that weighs its choices is zero because each was certain. */
function becameCertain(view: RunView): Certainty | null {
  const curve = view.curve('entropy') ?? view.curve('loss');
  const byLoss = curve?.series.metric === 'loss';
  if (!curve || curve.finite.length < (byLoss ? 8 : fewest)) return null;
  const values = finiteValues(curve).map(Math.abs);
  // So few points prove it only by an entropy of all but nothing.
  const gone = (byLoss || values.length < 8 ? 1e-3 : 0.1) * values[0]!;
  const at = values.findIndex((value) => value < gone);
  const late = median(values.slice(-Math.ceil(values.length / 3)));
  if (values[0]! <= 0 || late > gone || at < 0 || at > values.length / (byLoss ? 5 : 2)) return null;
  const index = curve.finite[at]!;
  return {
    curve,
    index,
    step: curve.steps[index]!,
    early: at <= values.length / 10,
    fact: `${curve.name} fell from ${figure(values[0]!)} to ${figure(values[at]!)}`,
  };
}
