/**
 * # More answers are right than there are
 *
 * ## What
 * The share of right answers goes beyond 1.
 *
 * ## Why
 * Right answers are counted over more rows than they are divided by: the last batch is smaller, a batch is counted twice, a sum was not set back, or
 * it is divided by the size of another set.
 *
 * ## Example
 * Test accuracy 0.962, 0.987, 1.006, 0.998.
 *
 * ## Stays silent
 * For shares in percent, and for what rounding leaves.
 */
import { digitsOf, finiteValues, toCurve } from '../../features/curve.js';
import { figure } from '../../record/figures.js';
import { defineDetector } from '../define.js';
import { citePoint } from '../shared/cite.js';

/** Percent of few rows is printed with fewer digits, and guessing among a hundred classes gets as much of them. */
const digits = 3;

export const impossibleScore = defineDetector({
  id: 'model/impossible-score',
  subcause: 'code_error',
  role: 'root',
  signal: 'curve',
  needs: ['eval'],
  detect: (record) => {
    for (const series of record.series) {
      if (series.metric !== 'accuracy' && series.metric !== 'f1') continue;
      const curve = toCurve(series);
      const values = finiteValues(curve);
      const at = curve.finite.find((index) => curve.values[index]! > 1.0005);
      // What was in percent began lower, or goes far beyond.
      const isShare = values.length >= 2 && Math.min(...values) > 0.5 && Math.max(...values) < 1.5;
      if (at === undefined || !isShare || digitsOf(curve) <= digits || /%/.test(curve.name)) continue;
      return [
        {
          strength: 0.76,
          onset: curve.steps[at]!,
          evidence: [
            citePoint(
              curve,
              at,
              `${curve.name} is ${figure(curve.values[at]!)}: more than all answers are right`,
            ),
          ],
        },
      ];
    }
    return [];
  },
});
