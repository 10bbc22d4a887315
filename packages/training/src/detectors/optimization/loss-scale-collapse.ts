/**
 * # The loss scale collapsed
 *
 * ## What
 * The dynamic loss scale fell to its floor, step after step being skipped.
 *
 * ## Why
 * A few halvings find the right scale; halving without end means that gradients overflow at any scale: they are NaN already.
 *
 * ## Example
 * `Current loss scale already at minimum - cannot decrease scale anymore. Exiting run.`, scale 65536, 16384, ... 1, 0.0001.
 *
 * ## Stays silent
 * While the scale halves a few times and then grows again, and where the loss goes on falling behind it.
 */
import { finiteValues, toCurve } from '../../features/curve.js';
import type { RunView } from '../../features/view.js';
import { figure } from '../../record/figures.js';
import { defineDetector, type Observation } from '../define.js';
import { citePoint } from '../shared/cite.js';
import { fromFailure, fromLine } from '../shared/match.js';

const pattern =
  /loss scale already at minimum|Minimum loss scale reached|loss scale (is|has become) (too small|0)\b|FP16 scaler.*(collapsed|underflow)|loss scale(?: from|:) (\S+?),? (?:reducing )?to \4(?![\d.])/i;

/** As many steps were skipped as were taken: no weight was ever moved. */
function everyStepSkipped(view: RunView): Observation | null {
  const series = view.record.series.find(
    ({ rawName, length }) => /^skipped(?:_steps)?$/i.test(rawName) && length >= 2,
  );
  const curve = series ? toCurve(series) : null;
  const [last = 0, step = 0] = [curve?.values.at(-1), curve?.steps.at(-1)];
  // The first steps are skipped by every scale that is still finding its level.
  if (!curve || last < 50 || last < step) return null;
  return {
    strength: 0.8,
    onset: curve.steps[0]!,
    evidence: [citePoint(curve, curve.length - 1, `all of ${figure(last)} steps were skipped`)],
  };
}

/** The loss fell well below what it was at that step: the steps since then moved the weights, and the scale only stands for none. */
function learnsOn(view: RunView, step: number): boolean {
  const loss = view.curve('loss');
  const values = loss ? finiteValues(loss) : [];
  const at = loss?.steps.findIndex((other) => other >= step) ?? -1;
  return (
    at >= 0 && values.length === loss!.length && values.length - at > 4 && values.at(-1)! < values[at]! * 0.9
  );
}

export const lossScaleCollapse = defineDetector({
  id: 'optimization/loss-scale-collapse',
  subcause: 'loss_scale_collapse',
  role: 'root',
  signal: 'curve',
  needs: ['loss'],
  detect: (_record, _features, { view }) => {
    const said = fromFailure(view, pattern, { strength: 0.95 });
    if (said.length > 0) return said;
    const skipped = everyStepSkipped(view);
    if (skipped) return [skipped];
    const curve = view.curve('loss_scale');
    const values = curve ? finiteValues(curve) : [];
    // No gradient survives a scale this small, however few of its steps were logged.
    // Zero is how settings say that the scale is found on the way; not where no loss was ever a number.
    const losses = view.curve('loss');
    const found = Math.max(...values) > 0 || (losses !== null && losses.finite.length === 0);
    if (curve && values.length > 0 && values.at(-1)! < 1e-3 && found)
      return [
        {
          strength: 0.93,
          onset: curve.steps[curve.finite.at(-1)!]!,
          evidence: [citePoint(curve, curve.finite.at(-1)!, `the loss scale is ${figure(values.at(-1)!)}`)],
        },
      ];
    if (curve && values.length >= 4) {
      const peak = Math.max(...values);
      const last = values.at(-1)!;
      const falling = values
        .slice(-3)
        .every((value, index, tail) => index === 0 || value <= tail[index - 1]!);
      // A scale that finds its level stays far above this; one that is halved at every look does not.
      const nearEnd = last <= 4 && values.every((value, at) => at === 0 || value < values[at - 1]!);
      if (
        peak > 0 &&
        falling &&
        !learnsOn(view, curve.steps[values.indexOf(last)]!) &&
        (nearEnd || last <= Math.min(1, peak / 2 ** 10))
      ) {
        const from = curve.finite[values.lastIndexOf(peak)]!;
        return [
          {
            strength: last <= 1 ? 0.93 : 0.75,
            onset: curve.steps[from]!,
            evidence: [
              citePoint(
                curve,
                curve.finite.at(-1)!,
                `the loss scale fell from ${figure(peak)} to ${figure(last)}`,
              ),
            ],
          },
        ];
      }
    }
    return view.ending.kind === 'completed' ? [] : fromLine(view, pattern, { strength: 0.85 });
  },
});
