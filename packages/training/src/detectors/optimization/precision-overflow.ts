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
import { setting } from '../../record/run-record.js';
import { defineDetector } from '../define.js';
import { citeSetting } from '../shared/cite.js';
import { fromFailure } from '../shared/match.js';
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
    if (!found || found.scores.precision < 0.5) return said;
    const entry = setting(record, 'fp16') ?? setting(record, 'precision');
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
        evidence: [...found.evidence, ...found.reasons.precision, ...(entry ? [citeSetting(entry)] : [])],
      },
    ];
  },
});
