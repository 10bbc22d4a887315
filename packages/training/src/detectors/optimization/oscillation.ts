/**
 * # The loss oscillates instead of falling
 *
 * ## What
 * The loss swings up and down in a rhythm whose height is a large part of its level, and does not fall; or the loss of held-out data doubles or
 * halves at nearly every evaluation while training falls.
 *
 * ## Why
 * Steps jump from one side of a valley to the other: the learning rate or momentum is somewhat too high.
 *
 * ## Example
 * 1.1, 2.4, 1.0, 2.5, 1.1, 2.4: the same two levels for a hundred steps.
 *
 * ## Stays silent
 * For noise, which has no rhythm, however large; for two losses that are told under one name in each step; for swings that shrink; for a loss that falls underneath.
 */
import { type Curve, finiteValues } from '../../features/curve.js';
import { autocorrelation, median, monotonicity, percentile, spread } from '../../features/robust.js';
import type { RunView } from '../../features/view.js';
import { figure } from '../../record/figures.js';
import { defineDetector, type Observation } from '../define.js';
import { citePoint } from '../shared/cite.js';
import { divergenceOf, learningRateExcess } from '../shared/divergence.js';
import { reversalsOf } from '../shared/held-out.js';
import { type Learning, learningOf } from '../shared/learning.js';

export const oscillation = defineDetector({
  id: 'optimization/oscillation',
  subcause: 'oscillation',
  role: 'root',
  signal: 'curve',
  needs: ['loss'],
  detect: (_record, _features, { view }) => {
    const learning = learningOf(view);
    if (!learning || divergenceOf(view)) return [];
    const held = heldOutSwings(view, learning);
    if (held.length > 0) return held;
    const values = byStep(learning.curve);
    if (values.length < 20) return [];
    const half = values.slice(Math.floor(values.length / 2));
    const swing = spread(half) / (Math.abs(median(half)) + 1e-12);
    const rhythm = strongestRhythm(half);
    const excess = learningRateExcess(view);
    if (swing < 0.15 || rhythm === null || falling(values) || heldOutFalls(view)) return [];
    const wide = swing > 0.3;
    return [
      {
        strength: Math.min(0.9, (wide ? 0.78 : 0.66) + (excess && excess.factor > 0.5 ? 0.12 : 0)),
        onset: learning.curve.steps[learning.curve.finite[Math.floor(learning.curve.finite.length / 2)]!]!,
        evidence: [
          citePoint(
            learning.curve,
            learning.curve.finite.at(-1)!,
            `${learning.curve.name} swings by ${figure(swing * 100)} % of its level every ${rhythm} points without falling`,
          ),
        ],
      },
    ];
  },
});

/** Held-out data loses less with nearly every evaluation: batches differ, and the weights do not swing. */
function heldOutFalls(view: RunView): boolean {
  const curve = view.curve('loss', 'eval');
  const values = curve ? finiteValues(curve) : [];
  return values.length >= 5 && monotonicity(values) < -0.7 && values.at(-1)! < 0.9 * values[0]!;
}

/** So many of the evaluations turn round after a move by this factor. */
const wild = { share: 0.4, factor: 2 };

/** Training falls, and held-out data loses twice as much or half as much from one evaluation to the next, to the end and no less on the whole. */
function heldOutSwings(view: RunView, { fell, curve: trained }: Learning): Observation[] {
  const curve = view.curve('loss', 'eval');
  const values = curve ? finiteValues(curve) : [];
  if (!curve || !fell || values.length < 15 || Math.min(...values) <= 0) return [];
  const third = Math.floor(values.length / 3);
  const later = values.slice(third);
  const turns = reversalsOf(later.map(Math.log), Math.log(wild.factor));
  const falls = median(values.slice(-third)) < 0.7 * median(values.slice(0, third));
  if (turns < wild.share * later.length || falls || monotonicity(finiteValues(trained)) > -0.6) return [];
  return [
    {
      strength: 0.66,
      onset: curve.steps[curve.finite[third]!]!,
      evidence: [
        citePoint(
          curve,
          curve.finite.at(-1)!,
          `${curve.name} doubles or halves ${turns} times in ${later.length} evaluations, while ${trained.name} falls`,
        ),
      ],
    },
  ];
}

/** One value for each step: where a name is told twice in each, what it is told of takes turns, and the loss does not swing. */
function byStep({ steps, values, finite }: Curve): number[] {
  const means: number[] = [];
  let [step, count] = [Number.NaN, 0];
  for (const index of finite) {
    if (steps[index] !== step) {
      [step, count] = [steps[index]!, 0];
      means.push(0);
    }
    const last = means.length - 1;
    means[last] = (means[last]! * count + values[index]!) / (count + 1);
    count += 1;
  }
  return means;
}

/** Half a period after which the curve is its own opposite and a whole one after which it is itself again; null for noise. */
function strongestRhythm(values: readonly number[]): number | null {
  for (let half = 1; half <= Math.min(12, Math.floor(values.length / 5)); half++) {
    const opposite = autocorrelation(values, half);
    const same = autocorrelation(values, 2 * half);
    if (opposite < -0.5 && same > 0.4) return 2 * half;
  }
  return null;
}

/** The crests come down: whatever swings, the loss falls underneath. */
function falling(values: readonly number[]): boolean {
  const third = Math.floor(values.length / 3);
  return percentile(values.slice(-third), 0.9) < 0.7 * percentile(values.slice(0, third), 0.9);
}
