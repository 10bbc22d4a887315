/**
 * # Steps became much slower
 *
 * ## What
 * Time per step left its own healthy level by more than half again, and stayed there.
 *
 * ## Why
 * A throttling device, a noisy neighbour, swapping, a cold cache or a loader that falls behind; lists that grow each step.
 *
 * ## Example
 * 0.21 s a step for 2,000 steps, then 0.9 s until the end.
 *
 * ## Stays silent
 * For single slow steps (checkpoints, evaluation), for the first steps, and below 1.8 times the healthy level.
 */
import { departure } from '../../features/curve.js';
import { paceCurve } from '../../features/system.js';
import { defineDetector } from '../define.js';
import { citePoint, figure } from '../shared/cite.js';

export const slowdown = defineDetector({
  id: 'platform/slowdown',
  title: 'Steps became much slower',
  subcause: 'slowdown',
  role: 'root',
  signal: 'curve',
  needs: ['throughput'],
  detect: (_record, _features, { view }) => {
    const pace = paceCurve(view);
    if (!pace || pace.curve.finite.length < 16) return [];
    const found = departure(pace.curve, {
      direction: pace.slowerIsHigher ? 'up' : 'down',
      minRatio: 1.8,
      minDeviations: 5,
    });
    if (!found) return [];
    const factor = pace.slowerIsHigher ? found.ratio : 1 / found.ratio;
    const remaining = pace.curve.finite.filter((index) => index >= found.index).length;
    if (remaining < 4) return [];
    return [
      {
        strength: view.failures.length > 0 ? 0.4 : factor > 2.5 && remaining >= 8 ? 0.8 : 0.62,
        onset: found.step,
        evidence: [
          citePoint(
            pace.curve,
            found.index,
            `${pace.curve.name} became ${figure(factor)} times slower than its early level of ${figure(found.baseline)}`,
          ),
        ],
      },
    ];
  },
});
