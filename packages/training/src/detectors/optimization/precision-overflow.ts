/**
 * # Half precision overflows
 *
 * ## What
 * The loss became NaN or infinite under fp16, with overflow messages or a falling loss scale, without growing first.
 *
 * ## Why
 * fp16 ends at 65,504: activations, squared gradients or attention scores pass it in healthy models.
 *
 * ## Example
 * `Gradient overflow. Skipping step, loss scaler 0 reducing loss scale to 4096.0`, then NaN.
 *
 * ## Stays silent
 * For the few skipped steps at the beginning with which a loss scaler finds its scale, and under bf16 or full precision.
 */
import { halfPrecision } from '../../features/task.js';
import type { RunView } from '../../features/view.js';
import { setting } from '../../record/run-record.js';
import { defineDetector, type Observation } from '../define.js';
import { citeLine, citePoint, citeSetting } from '../shared/cite.js';
import { findLine, fromFailure } from '../shared/match.js';
import { brokeWithinFullPrecision, nonFiniteOf } from '../shared/nonfinite.js';

export const precisionOverflow = defineDetector({
  id: 'optimization/precision-overflow',
  subcause: 'precision_overflow',
  role: 'root',
  signal: 'curve',
  needs: ['loss', 'settings'],
  detect: (record, _features, { view }) => {
    const said = fromFailure(
      view,
      /value cannot be converted to type (at::)?Half without overflow|overflow.*(half|fp16|float16)/i,
      { strength: 0.92 },
    );
    const found = nonFiniteOf(view);
    if (!found || found.scores.precision < 0.5) return said.length > 0 ? said : everyStepSkipped(view);
    const entry = setting(record, 'fp16') ?? setting(record, 'precision');
    const told = entry ? null : findLine(view, halfPrecision);
    // Where full precision would still have counted on, the format ended the run, whatever made the values grow.
    const grown = found.scores.growth >= 0.5 && !brokeWithinFullPrecision(view, found.step);
    return [
      {
        strength: grown
          ? 0.5 * found.scores.precision
          : found.scores.growth >= 0.5
            ? Math.max(0.92, found.scores.precision)
            : found.scores.precision,
        onset: found.step,
        evidence: [
          ...found.evidence,
          ...found.reasons.precision,
          ...(entry ? [citeSetting(entry)] : told ? [citeLine(told)] : []),
        ],
      },
    ];
  },
});

/**
 * No gradient was ever finite, the loss is, and the rate waits at the zero that warming up begins with: the loss scaler of half precision
 * skips every step, and the schedule with it. In full precision the schedule would have gone on.
 */
function everyStepSkipped(view: RunView): Observation[] {
  const [norms, rates, loss] = [view.curve('grad_norm'), view.curve('learning_rate'), view.curve('loss')];
  if (!norms || !rates || !loss || norms.length < 3 || norms.finite.length > 0) return [];
  if (rates.finite.length < 3 || rates.values.some((rate) => rate !== 0) || loss.finite.length < 3) return [];
  return [
    {
      strength: 0.68,
      onset: norms.steps[0]!,
      evidence: [
        citePoint(norms, norms.length - 1, `${norms.name} is NaN in every step`),
        citePoint(rates, rates.length - 1, `${rates.name} has not left 0: every step was skipped`),
      ],
    },
  ];
}
