// The times of a slow rank in words.
import type { RunView } from '../../features/view.js';
import type { Outlier } from '../../ranks/profile.js';
import { rankWord } from '../../ranks/rank-words.js';
import { type Slowest, slowestIn } from '../../ranks/slowest.js';
import { type Trade, tradeIn } from '../../ranks/trade.js';
import { figure } from '../../record/figures.js';
import type { RunEvidence } from '../define.js';
import { citePoint, citeWhere } from './cite.js';

export function citeSlowest({ curve, rank, own, others, of }: Slowest): RunEvidence {
  const what = of === 'data_time' ? 'before each forward pass' : 'a step';
  const fact = `rank ${rank} takes ${figure(own)} s ${what}, the others ${figure(others)} s`;
  return citePoint(curve, curve.finite[0]!, fact);
}

export function citeOutlier({ ranks, name, own, others, at }: Outlier): RunEvidence {
  return citeWhere(`${rankWord(ranks)}: ${name} ${figure(own)}, the others ${figure(others)}`, at);
}

export function citeTrade({ rank, slow, waiting }: Trade): RunEvidence {
  const { series } = slow;
  const fact = `rank ${rank} takes ${figure(slow.own)} s a step for ${slow.name}, the others ${figure(slow.others)} s; they take ${figure(waiting.others)} s for ${waiting.name}, rank ${rank} ${figure(waiting.own)} s`;
  return citeWhere(fact, series.where(0), series.steps[0]!);
}

/** One rank made every step last twice as long as the others needed: whoever ends such a run has a reason. */
export function isHeldUp(view: RunView): boolean {
  const slow = slowestIn(view);
  if (slow) return slow.own >= 2 * slow.others;
  const trade = tradeIn(view.record);
  return (
    trade !== null && trade.slow.own >= 2 * trade.slow.others && trade.waiting.others >= trade.slow.others
  );
}
