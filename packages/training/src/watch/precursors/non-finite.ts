/**
 * # The loss or the gradient norm is NaN or infinite
 *
 * ## What
 * Two records in a row whose loss is no number (three under a loss scaler), or four whose gradient norm is none.
 *
 * ## Why
 * Nothing is learned from here on; most loops go on for hours and save checkpoints that are lost.
 *
 * ## Stays silent
 * For a single value that heals, and for infinite norms under a loss scaler: those steps are skipped.
 */
import type { Subcause } from '../../causes/table.js';
import { nonFiniteOf, type Origin } from '../../detectors/shared/nonfinite.js';
import { findSeries } from '../../record/run-record.js';
import { definePrecursor, type Sign, type WatchContext } from '../define.js';
import { citeTail, type Tail, tailOf } from '../tail.js';

const causeOfOrigin: Readonly<Record<Origin, Subcause>> = {
  growth: 'learning_rate_too_high',
  precision: 'precision_overflow',
  data: 'nan_in_data',
  operation: 'unstable_operation',
};

export const nonFinite = definePrecursor({
  id: 'non-finite',
  title: 'The loss or the gradient norm is NaN or infinite',
  subcause: 'unstable_operation',
  expected: 'the run is lost: nothing is learned from NaN',
  look: (context) => {
    const scaled =
      findSeries(context.record, 'loss_scale') !== null || context.view.task.precision === 'fp16';
    const loss = tailOf(findSeries(context.record, 'loss', { split: 'train' }));
    if (loss && broken(loss) >= (scaled ? 3 : 2)) return [sign(loss, context, 0)];
    const norm = scaled ? null : tailOf(findSeries(context.record, 'grad_norm', { split: 'train' }));
    return norm && broken(norm) >= 4 ? [sign(norm, context, null)] : [];
  },
});

/** How many of the newest values in a row are no numbers. */
function broken(tail: Tail): number {
  const last = tail.values.findLastIndex((value) => Number.isFinite(value));
  return tail.values.length - 1 - last;
}

function sign(tail: Tail, { view }: WatchContext, leadSteps: number | null): Sign {
  const first = tail.values.length - broken(tail);
  const origin = mostLikely(view);
  const { metric, rawName } = tail.series;
  return {
    title: `The ${metric === 'loss' ? 'loss' : 'gradient norm'} (${rawName}) is ${Number.isNaN(tail.values[first]!) ? 'NaN' : 'infinite'}`,
    step: tail.steps[first]!,
    evidence: [
      citeTail(
        tail,
        first,
        `${tail.series.rawName} is ${tail.values[first]} from step ${tail.steps[first]} on`,
      ),
      ...(origin ? (nonFiniteOf(view)?.reasons[origin] ?? []) : []),
    ],
    subcause: origin ? causeOfOrigin[origin] : null,
    leadSteps,
  };
}

function mostLikely(view: WatchContext['view']): Origin | null {
  const scores = nonFiniteOf(view)?.scores;
  if (!scores) return null;
  const ranked = Object.entries(scores).sort(([, a], [, b]) => b - a) as [Origin, number][];
  return ranked[0]![1] >= 0.8 && ranked[0]![1] - ranked[1]![1] >= 0.15 ? ranked[0]![0] : null;
}
