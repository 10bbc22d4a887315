/**
 * # Gradients explode
 *
 * ## What
 * The gradient norm left its own healthy level by an order of magnitude or more and the loss followed, or broke.
 *
 * ## Why
 * Products over many steps or layers grow without bound when nothing clips them; one outlier batch is enough.
 *
 * ## Example
 * Norms 0.24, 0.95, 2.4, 15.9, 145 while the loss is still at 2.6; NaN forty steps later.
 *
 * ## Stays silent
 * For norms that are large from the beginning (summed losses), for spikes that heal, and for growth the loss never notices.
 */
import { type Curve, finiteValues } from '../../features/curve.js';
import { monotonicity } from '../../features/robust.js';
import { numberSetting } from '../../features/task.js';
import type { RunView } from '../../features/view.js';
import { figure } from '../../record/figures.js';
import { setting } from '../../record/run-record.js';
import { defineDetector, type Observation } from '../define.js';
import { citePoint, citeSetting } from '../shared/cite.js';
import { divergenceOf, gradientRise, learningRateExcess } from '../shared/divergence.js';
import { learningOf, outputsOutOfScale } from '../shared/learning.js';
import { fromFailure } from '../shared/match.js';
import { brokeWithinFullPrecision, giantGradient, nonFiniteOf } from '../shared/nonfinite.js';

export const gradientExplosion = defineDetector({
  id: 'optimization/gradient-explosion',
  subcause: 'gradient_explosion',
  role: 'root',
  signal: 'curve',
  needs: ['gradient', 'loss'],
  detect: (record, _features, { view }) => {
    const said = fromFailure(
      view,
      /total norm of order .* non-?finite|grad(ient)? ?norm .*(exploded|too large|exceeds)/i,
      { strength: 0.85 },
    );
    const rise = gradientRise(view);
    const broken = nonFiniteOf(view);
    if (!rise) {
      const giant = broken && said.length === 0 ? giantGradient(view, broken.step) : null;
      if (giant) return [{ strength: 0.8, onset: broken!.step, evidence: [giant, ...broken!.evidence] }];
      return said.length > 0 ? said : outOfScale(view);
    }
    const diverged = divergenceOf(view);
    const consequence = broken !== null || diverged !== null;
    const clip = numberSetting(record, 'gradient_clipping');
    const entry = setting(record, 'gradient_clipping');
    const excess = learningRateExcess(view);
    const rateToBlame = excess !== null && excess.factor > 0.9;
    const halfPrecision = broken !== null && brokeWithinFullPrecision(view, broken.step);
    const strength = consequence
      ? rateToBlame || halfPrecision
        ? 0.8
        : 0.9
      : lostItsGains(view)
        ? 0.72
        : rise.ratio > 1000
          ? 0.62
          : 0.35;
    return [
      {
        strength,
        onset: rise.step,
        evidence: [
          citePoint(
            rise.curve,
            rise.index,
            `${rise.curve.name} left its healthy level of ${figure(rise.baseline)} and rose ${figure(rise.ratio)} times`,
          ),
          ...(broken?.evidence ?? diverged?.evidence ?? []),
          ...(entry && (clip === null || clip === 0) ? [citeSetting(entry)] : []),
        ],
      },
    ];
  },
});

/** The loss is out of all proportion from the first point on, and no gradient is small: the weights are out of proportion. */
function outOfScale(view: RunView): Observation[] {
  const norms = view.curve('grad_norm');
  const curve = view.curve('loss');
  if (!curve || !outputsOutOfScale(view) || learns(view, curve)) return [];
  // Without norms, a loss that is summed over a batch, a sentence or several parts looks the same; not beside the variance it leaves.
  const small = norms !== null && (norms.finite.length < 3 || Math.min(...finiteValues(norms)) < 1);
  if (view.curve('explained_variance', 'eval') === null && (norms === null || small)) return [];
  return [
    {
      strength: 0.72,
      onset: curve.steps[curve.finite[0]!]!,
      evidence: [
        citePoint(
          curve,
          curve.finite[0]!,
          `${curve.name} begins at ${figure(curve.values[curve.finite[0]!]!)}`,
        ),
        ...(norms?.finite.length
          ? [
              citePoint(
                norms,
                norms.finite[0]!,
                `${norms.name} begins at ${figure(norms.values[norms.finite[0]!]!)}`,
              ),
            ]
          : []),
      ],
    },
  ];
}

/** A loss that is summed looks out of proportion too; it halves, and a score beside it rises at every point. */
function learns(view: RunView, curve: Curve): boolean {
  const score = view.curve('accuracy');
  const [losses, scores] = [finiteValues(curve), score ? finiteValues(score) : []];
  return losses.at(-1)! < 0.5 * losses[0]! && scores.length >= 3 && monotonicity(scores) > 0.8;
}

/** The loss ends several times above its best and has given back most of what it had gained. */
function lostItsGains(view: RunView): boolean {
  const movement = learningOf(view)?.movement;
  if (!movement) return false;
  return (
    movement.end > 3 * movement.best && movement.end - movement.best > 0.5 * (movement.start - movement.best)
  );
}
