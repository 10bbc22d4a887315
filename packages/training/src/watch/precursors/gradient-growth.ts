/**
 * # The gradient norm is growing out of bounds
 *
 * ## What
 * Three records in a row rise, the last more than ten times the level of the run so far and twice anything seen in it;
 * or the norm climbs for a long stretch while the loss gets worse; or it multiplies by the same factor from record to
 * record, eightfold by now, while the loss no longer falls.
 *
 * ## Why
 * An explosion announces itself in the norm while the loss still looks well: warned now, a checkpoint can be kept. Growth by
 * a constant factor is what a step too long for the curvature does: it goes on until the loss diverges, a hundred steps later.
 *
 * ## Stays silent
 * For single spikes, for heavy-tailed norms of small batches, in the first records, after a restart, for a norm that
 * moves to a new level and stays there, for one that grows while the loss falls, as when a plateau is left, and for the
 * bursts of a run that has converged, far below where it began.
 */

import { median, monotonicity, noise, spread } from '../../features/robust.js';
import { figure } from '../../record/figures.js';
import { findSeries } from '../../record/run-record.js';
import { definePrecursor, type Sign, type WatchContext } from '../define.js';
import { citeTail, type Tail, tailOf } from '../tail.js';
import { line } from '../trend.js';

const fewest = 24;
const largestFloat = { fp16: 65_504, other: 3.4e38 } as const;

export const gradientGrowth = definePrecursor({
  id: 'gradient-growth',
  title: 'The gradient norm is growing out of bounds',
  subcause: 'gradient_explosion',
  expected: 'gradients explode and the loss becomes NaN or diverges',
  look: (context) => {
    const tail = tailOf(findSeries(context.record, 'grad_norm', { split: 'train' }));
    if (tail === null || tail.values.length < fewest) return [];
    if (tail.values.slice(-3).some((value) => !(value > 0) || !Number.isFinite(value))) return [];
    return sudden(tail, context) ?? creeping(tail, context) ?? compounding(tail, context) ?? [];
  },
});

function sudden(tail: Tail, context: WatchContext): Sign[] | null {
  const [a, b, c] = tail.values.slice(-3) as [number, number, number];
  const earlier = tail.values.slice(0, -3).filter((value) => value > 0 && Number.isFinite(value));
  const baseline = earlier.slice(-200);
  if (baseline.length < fewest - 4) return null;
  const logs = baseline.map(Math.log);
  const level = median(logs);
  const width = Math.max(spread(logs), 0.1);
  const rising = a < b && b < c && c >= 3 * a;
  if (!rising || Math.log(b) - level < Math.log(4)) return null;
  if (Math.log(c) - level < Math.max(Math.log(10), 8 * width)) return null;
  if (c < 2 * baseline.reduce((top, value) => Math.max(top, value), 0)) return null;
  if (c < 0.2 * opening(tail)) return null;
  const steps = tail.steps.at(-1)! - tail.steps.at(-3)!;
  const fact = `${tail.series.rawName} went ${figure(a)}, ${figure(b)}, ${figure(c)}; its level was ${figure(Math.exp(level))}`;
  return [sign(tail, context, fact, Math.log(c / a) / Math.max(1, steps))];
}

/** Slow, but for long, and the loss agrees that it harms. */
function creeping(tail: Tail, context: WatchContext): Sign[] | null {
  const logs = tail.values.filter((value) => value > 0 && Number.isFinite(value)).map(Math.log);
  if (logs.length < 60) return null;
  const edge = Math.floor(logs.length / 6);
  const rise = Math.min(...logs.slice(-5)) - median(logs.slice(0, edge));
  if (rise < Math.log(20) || monotonicity(logs) < 0.8) return null;
  const losses = tailOf(findSeries(context.record, 'loss', { split: 'train' }))?.values.filter(
    Number.isFinite,
  );
  if (!losses || losses.length < 60) return null;
  const width = Math.floor(losses.length / 6);
  const best = Math.min(median(losses.slice(0, width)), median(losses.slice(width, 2 * width)));
  if (median(losses.slice(-width)) < best + 4 * noise(losses) + 0.1 * Math.abs(best)) return null;
  const fact = `${tail.series.rawName} grew ${figure(Math.exp(rise))} times over ${logs.length} records while the loss rose`;
  const steps = tail.steps.at(-1)! - tail.steps[0]!;
  return [sign(tail, context, fact, rise / Math.max(1, steps))];
}

/** By the same factor from record to record since its lowest, with the loss on its way up: linear instability. */
function compounding(tail: Tail, { record }: WatchContext): Sign[] | null {
  const lowest = tail.values.indexOf(Math.min(...tail.values));
  if (lowest < 0) return null;
  const norms = tail.values.slice(lowest);
  if (norms.length < fewest || norms.some((value) => !(value > 0) || !Number.isFinite(value))) return null;
  const logs = norms.map(Math.log);
  const steps = tail.steps.slice(lowest);
  const third = Math.floor(logs.length / 3);
  const whole = line(steps, logs);
  const rise = logs.at(-1)! - logs[0]!;
  if (rise < Math.log(8) || whole.explained < 0.95 || monotonicity(logs) < 0.9) return null;
  if (line(steps.slice(-third), logs.slice(-third)).slope < 0.7 * whole.slope) return null;
  const losses = tailOf(findSeries(record, 'loss', { split: 'train' }));
  const since = losses?.values.filter((_, index) => losses.steps[index]! >= steps[0]!) ?? [];
  if (since.length < fewest || since.some((value) => !Number.isFinite(value))) return null;
  const level = Math.min(...since);
  if (losses !== null && Math.abs(level) < 0.01 * Math.abs(opening(losses))) return null;
  const excess = median(since.slice(-5)) - level;
  const before = median(since.slice(0, Math.floor(since.length / 3)));
  if (excess <= 0 || median(since.slice(-5)) < before + noise(since)) return null;
  const fact = `${tail.series.rawName} grew ${figure(Math.exp(rise))} times since step ${steps[0]}, by ${figure(100 * (Math.exp(whole.slope) - 1))} % a step, while the loss stopped falling`;
  // Near a minimum the loss rises with the square of the gradient: it has doubled when the excess has reached its level.
  const lead = Math.log(Math.abs(level) / excess) / (2 * whole.slope);
  return [
    {
      step: steps.at(-1)!,
      evidence: [citeTail(tail, tail.values.length - 1, fact)],
      subcause: 'divergence',
      expected: 'the loss diverges',
      leadSteps: Number.isFinite(lead) ? Math.max(0, Math.round(lead)) : null,
    },
  ];
}

/** Where the run began, since its last restart. A jump far below is the restlessness of a run that has converged. */
function opening({ series, from, before }: Tail): number {
  const values = Array.from(series.values.subarray(from - before, from - before + 10));
  return median(values.filter(Number.isFinite));
}

function sign(tail: Tail, { view }: WatchContext, fact: string, growth: number): Sign {
  const limit = view.task.precision === 'fp16' ? largestFloat.fp16 : largestFloat.other;
  const left = Math.log(limit) - Math.log(tail.values.at(-1)!);
  return {
    step: tail.steps.at(-1)!,
    evidence: [citeTail(tail, tail.values.length - 1, fact)],
    leadSteps: growth > 0 && left > 0 ? Math.ceil(left / growth) : null,
  };
}
