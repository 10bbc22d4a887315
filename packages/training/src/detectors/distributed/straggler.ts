/**
 * # One rank is slower than the others
 *
 * ## What
 * One rank needs well more time than the others, for most of the run: by the times that the ranks recorded, or because it calls nearly
 * every collective last, or because it is the highest in one phase of a step and the lowest in the phase where the others wait.
 *
 * ## Why
 * Synchronous training goes at the pace of its slowest rank: a throttled device, a slow disk or an uneven shard.
 *
 * ## Example
 * Ranks 0 to 6 take 0.40 s before the collective, rank 7 takes 0.71 s.
 *
 * ## Stays silent
 * With fewer than two ranks of step times, for a rank that is slow only now and then, and for the order of calls on hosts with clocks of
 * their own.
 */
import { latecomerIn } from '../../ranks/lateness.js';
import { slowestIn } from '../../ranks/slowest.js';
import { tradeIn } from '../../ranks/trade.js';
import { figure } from '../../record/figures.js';
import { defineDetector } from '../define.js';
import { citeLine, citePoint, citeWhere } from '../shared/cite.js';
import { findLine } from '../shared/match.js';

export const straggler = defineDetector({
  id: 'distributed/straggler',
  subcause: 'straggler',
  role: 'root',
  signal: 'curve',
  needs: ['throughput'],
  detect: (record, _features, { view }) => {
    const slowest = slowestIn(view);
    if (slowest) {
      const { curve, rank, own, others, of } = slowest;
      const start = curve.finite[0]!;
      const what = of === 'data_time' ? 'before each forward pass' : 'a step';
      const fact = `rank ${rank} takes ${figure(own)} s ${what}, the others ${figure(others)} s`;
      const strength = own >= 2 * others ? 0.88 : 0.82;
      return [{ strength, onset: curve.steps[start]!, evidence: [citePoint(curve, start, fact)] }];
    }
    const trade = tradeIn(record);
    if (trade) {
      const { rank, slow, waiting } = trade;
      const fact = `rank ${rank} takes ${figure(slow.own)} s a step for ${slow.name}, the others ${figure(slow.others)} s; they take ${figure(waiting.others)} s for ${waiting.name}, rank ${rank} ${figure(waiting.own)} s`;
      const { series } = slow;
      return [
        {
          strength: 0.86,
          onset: series.steps[0]!,
          evidence: [citeWhere(fact, series.where(0), series.steps[0]!)],
        },
      ];
    }
    const late = latecomerIn(record);
    if (late) {
      const fact = `rank ${late.rank} called ${late.turns} collectives last, ${figure(late.late)} ms after the others`;
      return [{ strength: 0.82, evidence: [{ fact, file: late.file }] }];
    }
    const said = findLine(view, /straggler|rank \d+ is (much )?slower|slow(est)? rank/i);
    return said ? [{ strength: 0.65, onset: said.step, evidence: [citeLine(said)] }] : [];
  },
});
