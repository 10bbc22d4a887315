/**
 * # Steps have become much slower
 *
 * ## What
 * Ten records or more take over two and a half times as long as before, and the newest still do.
 *
 * ## Why
 * A throttled device, a noisy neighbour, swapping or a loader that falls behind doubles what the run costs.
 *
 * ## Stays silent
 * For pauses of evaluation and checkpoints, in the first records, and for noisy clocks.
 */

import { departure } from '../../features/curve.js';
import { median } from '../../features/robust.js';
import { paceCurve } from '../../features/system.js';
import { figure } from '../../record/figures.js';
import { definePrecursor } from '../define.js';

const factorAtLeast = 2.5;

export const slowdown = definePrecursor({
  id: 'slowdown',
  title: 'Steps have become much slower',
  subcause: 'slowdown',
  expected: 'the run takes several times as long as it began to',
  looks: 2,
  look: ({ view }) => {
    const pace = paceCurve(view);
    if (!pace || pace.curve.finite.length < 40) return [];
    const { curve, slowerIsHigher } = pace;
    const found = departure(curve, {
      direction: slowerIsHigher ? 'up' : 'down',
      minRatio: factorAtLeast,
      minDeviations: 6,
    });
    if (!found) return [];
    const since = curve.finite.filter((index) => index >= found.index).map((index) => curve.values[index]!);
    const level = median(since.slice(-10));
    const factor = slowerIsHigher ? level / found.baseline : found.baseline / level;
    if (since.length < 10 || factor < factorAtLeast) return [];
    const at = curve.where(found.index);
    return [
      {
        step: found.step,
        evidence: [
          {
            fact: `${curve.name} is ${figure(factor)} times slower than its early level of ${figure(found.baseline)}`,
            file: at.file,
            ...(at.line === undefined ? {} : { line: at.line }),
            step: found.step,
          },
        ],
        leadSteps: 0,
      },
    ];
  },
});
