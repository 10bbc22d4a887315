// What a run is judged by, whatever it is called: scores and rewards that are better the higher they are. A name that only some fields use
// (BLEU, Dice, mAP, PSNR) says it as well as "accuracy" does.
import { type Curve, finiteValues, toCurve } from '../../features/curve.js';
import type { RunView } from '../../features/view.js';
import type { MetricName } from '../../record/metrics.js';

export interface Measure {
  readonly curve: Curve;
  readonly values: readonly number[];
}

const scores: ReadonlySet<MetricName> = new Set(['accuracy', 'f1', 'auc', 'explained_variance'] as const);

/** Scores under names of their own. Precision and recall are traded for one another, and are none by themselves. */
const named =
  /(?:^|[^a-z])(?:bleu|rouge|meteor|cider|spice|dice|dsc|m?iou|jaccard|m?ap|psnr|ssim|mrr|n?dcg|hits|kappa|mcc|pearson|spearman)(?:[ _@-]?\w{0,3})(?:[ _]?score)?$/i;

/** Of several spellings of one measure the longest; those of the split that is held out where there are any. */
export function scoresOf(view: RunView): Measure[] {
  const found = view.record.series.filter(
    ({ metric, rawName, split, subject }) =>
      split !== 'system' &&
      subject !== 'best' &&
      (scores.has(metric) || (metric === 'other' && named.test(rawName))),
  );
  const held = found.filter(({ split }) => split === 'eval' || split === 'test');
  return (held.length > 0 ? held : found).map((series) => {
    const curve = toCurve(series);
    return { curve, values: finiteValues(curve) };
  });
}
