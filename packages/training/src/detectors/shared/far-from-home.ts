// A policy that ran away from the one that it came from: whoever calls that a divergence, and whoever asks why it earns less, both ask.
import { type Curve, finiteValues } from '../../features/curve.js';
import { chanceAbove, unlikely } from '../../features/few-points.js';
import { median } from '../../features/robust.js';
import type { RunView } from '../../features/view.js';
import { figure } from '../../record/figures.js';
import type { RunEvidence } from '../define.js';
import { citePoint } from './cite.js';

interface Left {
  readonly curve: Curve;
  readonly index: number;
  readonly evidence: readonly RunEvidence[];
}

/** In nats: a policy that is this far from where it came from answers nothing as it did before. */
const far = 1;

/** The distance of a policy from the one that it came from grows a hundredfold, beyond a nat, while it earns less. */
export function farFromHome(view: RunView): Left | null {
  const [reward, curve] = [view.curve('reward'), view.curve('kl')];
  const [earned, distances] = [reward, curve].map((one) => (one ? finiteValues(one) : [])) as [
    number[],
    number[],
  ];
  if (!reward || !curve || earned.length < 4 || distances.length < 4) return null;
  const [near, away] = ends(distances.map(Math.abs));
  const [early, late] = ends(earned);
  const third = Math.max(2, Math.floor(earned.length / 3));
  const lost = chanceAbove(earned.slice(0, third), earned.slice(-third)) < unlikely;
  const index = curve.finite.find((at) => Math.abs(curve.values[at]!) > far);
  if (!lost || index === undefined || away < Math.max(far, 100 * near, 0.01)) return null;
  return {
    curve,
    index,
    evidence: [
      citePoint(curve, curve.finite.at(-1)!, `${curve.name} grew from ${figure(near)} to ${figure(away)}`),
      citePoint(
        reward,
        reward.finite.at(-1)!,
        `while ${reward.name} fell from ${figure(early)} to ${figure(late)}`,
      ),
    ],
  };
}

/** The usual value of the first third and of the last. */
export function ends(values: readonly number[]): [early: number, late: number] {
  const third = Math.max(1, Math.floor(values.length / 3));
  return [median(values.slice(0, third)), median(values.slice(-third))];
}
