/**
 * # One rank is slower than the others
 *
 * ## What
 * The step times of one rank are well above the median of all ranks, for most of the run.
 *
 * ## Why
 * Synchronous training goes at the pace of its slowest rank: a throttled device, a slow disk or an uneven shard.
 *
 * ## Example
 * Ranks 0 to 6 take 0.40 s before the collective, rank 7 takes 0.71 s.
 *
 * ## Stays silent
 * With fewer than two ranks of step times, and for a rank that is slow only now and then.
 */
import { type Curve, finiteValues } from '../../features/curve.js';
import { median } from '../../features/robust.js';
import { figure } from '../../record/figures.js';
import { defineDetector } from '../define.js';
import { citePoint } from '../shared/cite.js';
import { findLine } from '../shared/match.js';

export const straggler = defineDetector({
  id: 'distributed/straggler',
  subcause: 'straggler',
  role: 'root',
  signal: 'curve',
  needs: ['throughput'],
  detect: (_record, _features, { view }) => {
    const byRank = (metric: 'step_time' | 'data_time') =>
      view.curves(metric).filter((curve) => curve.series.rank !== null && curve.finite.length >= 8);
    const waiting = byRank('data_time');
    const ranked = differ(waiting) ? waiting : byRank('step_time');
    const said = findLine(view, /straggler|rank \d+ is (much )?slower|slow(est)? rank/i);
    if (ranked.length < 2) {
      return said
        ? [
            {
              strength: 0.65,
              onset: said.step,
              evidence: [{ fact: said.text.trim(), file: said.at.file, line: said.at.line! }],
            },
          ]
        : [];
    }
    const levels = ranked.map((curve) => median(finiteValues(curve)));
    const usual = median(levels);
    const slowest = levels.indexOf(Math.max(...levels));
    const curve = ranked[slowest]!;
    const lower = ranked.length === 2 ? Math.min(...levels) : usual;
    const factor = levels[slowest]! / Math.max(lower, 1e-6);
    const often = finiteValues(curve).filter((value) => value > 1.3 * lower).length / curve.finite.length;
    if (factor < 1.5 || often < 0.6) return [];
    return [
      {
        strength: 0.82,
        onset: curve.steps[curve.finite[0]!]!,
        evidence: [
          citePoint(
            curve,
            curve.finite[0]!,
            `rank ${curve.series.rank} takes ${figure(levels[slowest]!)} s a step, the others ${figure(lower)} s`,
          ),
        ],
      },
    ];
  },
});

/** Behind a collective all steps last as long as the slowest one: only what a rank waits for data by itself can differ. */
function differ(curves: readonly Curve[]): boolean {
  const levels = curves.map((curve) => median(finiteValues(curve)));
  return levels.length >= 2 && Math.max(...levels) > 0.05 && Math.max(...levels) > 3 * Math.min(...levels);
}
