// The six panels of a run, chosen once for the terminal and the page: loss, learning rate, perplexity or accuracy, gradient
// norm, memory, throughput.
import type { Curve } from '../features/curve.js';
import { memoryCurve } from '../features/memory.js';
import { paceCurve } from '../features/system.js';
import { type RunView, viewOf } from '../features/view.js';
import type { RunRecord } from '../record/run-record.js';

export interface PanelCurve {
  readonly label: string;
  readonly steps: readonly number[];
  readonly values: readonly number[];
}

export interface Panel {
  readonly title: string;
  readonly unit: string;
  /** The main curve first; validation second where there is one. Empty when the run did not record it. */
  readonly curves: readonly PanelCurve[];
}

/** Values that span so much are drawn by their logarithm: in the terminal and on the page alike. */
export function isDrawnByLog(values: readonly number[]): boolean {
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  for (const value of values) {
    if (!Number.isFinite(value)) continue;
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  return low > 0 && high / low > 1000;
}

export function panelsOf(record: RunRecord): Panel[] {
  const view = viewOf(record);
  const pace = paceCurve(view);
  return [
    panel('loss', '', [view.curve('loss'), view.curve('loss', 'eval')]),
    panel('learning rate', '', [view.curve('learning_rate')]),
    quality(view),
    panel('gradient norm', '', [view.curve('grad_norm')]),
    panel('memory', 'GiB', [memoryCurve(view)], 1 / 2 ** 30),
    pace
      ? panel(pace.slowerIsHigher ? 'step time' : 'throughput', pace.curve.series.unit, [pace.curve])
      : panel('throughput', '', []),
  ];
}

function quality(view: RunView): Panel {
  const perplexity = [view.curve('perplexity'), view.curve('perplexity', 'eval')];
  if (perplexity.some((curve) => curve !== null)) return panel('perplexity', '', perplexity);
  return panel('accuracy', '', [view.curve('accuracy'), view.curve('accuracy', 'eval')]);
}

function panel(title: string, unit: string, curves: readonly (Curve | null)[], factor = 1): Panel {
  return {
    title,
    unit,
    curves: curves
      .filter((curve) => curve !== null)
      .map((curve) => ({
        label: `${curve.name}${curve.series.split === 'eval' ? ' (validation)' : ''}`,
        steps: curve.steps,
        values: curve.values.map((value) => value * factor),
      })),
  };
}
