// The score of a split that grows with quality: accuracy or F1, or a share of the variance explained.
import { type Curve, finiteValues, toCurve } from '../features/curve.js';
import type { RunView } from '../features/view.js';
import type { Split } from '../record/run-record.js';

export interface Score {
  readonly kind: 'accuracy' | 'explained';
  readonly curve: Curve;
  readonly values: readonly number[];
}

/** Measures of how much of what is sought is found, of all classes or of one (`iou_road`). */
const findsOf = /(?:^|[^a-z])(?:m?iou|jaccard|dice|f1|recall|precision|sensitivity)(?:[^a-z]|$)/i;

const overClasses = /(?:^|[^a-z])(?:precision|recall|sensitivity|f1|balanced|macro)(?:[^a-z]|$)/i;

/** A mean over classes in place of a share of rows: the most frequent answer alone gets little of it. */
export function isOverClasses(name: string): boolean {
  return overClasses.test(name);
}

/** The last evaluations found nothing of what one of the scores counts, however good the others are. */
export function findsNothing(view: RunView): boolean {
  return view.record.series.some(({ rawName, values }) => {
    const last = values.slice(-3);
    return findsOf.test(rawName) && last.length === 3 && last.every((value) => value === 0);
  });
}

/**
 * A measure beside the held-out loss whose name says nothing: a share, by its values, that rose while the loss fell; or a share of errors, that fell
 * with it. Null where none behaves so.
 */
export function scoreBeside(view: RunView, loss: Curve): readonly number[] | null {
  const losses = finiteValues(loss);
  const until = losses.indexOf(Math.min(...losses)) + 1;
  for (const series of view.record.series) {
    if (series.metric !== 'other' || series.split !== loss.series.split || until < 4) continue;
    const values = finiteValues(toCurve(series));
    const most = Math.max(...values);
    if (values.length !== losses.length || Math.min(...values) < 0 || most > 100) continue;
    const alike = agreement(values.slice(0, until), losses);
    const shares = values.map((value) => (most > 1 ? value / 100 : value));
    if (alike < -0.6) return shares;
    if (alike > 0.6 && /err/i.test(series.rawName)) return shares.map((share) => 1 - share);
  }
  return null;
}

/** Share of pairs that two series order alike, from -1 (always the other way round) to 1. */
function agreement(values: readonly number[], others: readonly number[]): number {
  let [score, pairs] = [0, 0];
  for (let i = 0; i < values.length; i++)
    for (let j = i + 1; j < values.length; j++) {
      score += Math.sign(values[j]! - values[i]!) * Math.sign(others[j]! - others[i]!);
      pairs++;
    }
  return score / pairs;
}

export function scoreOf(view: RunView, split: Split): Score | null {
  const accuracy = view.curve('accuracy', split) ?? view.curve('f1', split);
  const curve = accuracy ?? view.curve('explained_variance', split);
  if (!curve || curve.finite.length === 0) return null;
  return { kind: accuracy ? 'accuracy' : 'explained', curve, values: finiteValues(curve) };
}
