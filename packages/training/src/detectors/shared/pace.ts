// The times of a slow rank in words.
import type { Outlier } from '../../ranks/profile.js';
import { rankWord } from '../../ranks/rank-words.js';
import type { Slowest } from '../../ranks/slowest.js';
import type { Trade } from '../../ranks/trade.js';
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
