/**
 * # A label lies outside the classes of the output
 *
 * ## What
 * The loss function met a target that is negative or not below the number of classes.
 *
 * ## Why
 * Labels that count from 1, a class missing from the configuration, -1 for "unlabelled", or an ignore index the loss
 * does not know.
 *
 * ## Example
 * `IndexError: Target 10 is out of bounds.`; on a device `nll_loss_forward_reduce_cuda_kernel_2d: Assertion
 * "t >= 0 && t < n_classes" failed.`; in TensorFlow `Received a label value of 10 which is outside the valid range of [0, 10)`.
 *
 * ## Stays silent
 * When the assert belongs to an embedding or gather kernel.
 */

import { finiteValues } from '../../features/curve.js';
import { numberSetting } from '../../features/task.js';
import type { RunView } from '../../features/view.js';
import { figure } from '../../record/figures.js';
import { defineDetector, type Observation, type RunEvidence } from '../define.js';
import { citeDevice, citePoint } from '../shared/cite.js';
import { indexFailure } from '../shared/index-failure.js';
import { fromFailure } from '../shared/match.js';

const pattern =
  /Target -?\d+ is out of bounds|label value of -?\d+ which is outside|n_classes|cur_target|all elements of (input|target) should be between 0 and 1|class values must be (smaller|non-negative)|Label(s)? .*(out of range|must be in \[0)|label must be (discrete values )?in the range of|label must be (in|within) \[0|labels? .*\bin \[0, num_class|Target size .*label|Invalid classes inferred/i;

export const labelOutOfRange = defineDetector({
  id: 'data/label-out-of-range',
  subcause: 'label_out_of_range',
  role: 'root',
  signal: 'text',
  needs: ['text', 'batch'],
  detect: (record, _features, { view }) => {
    const classes = numberSetting(record, 'num_classes');
    const labels = view.curve('label_max');
    const beyond = labels && classes !== null ? labels.values.findIndex((value) => value >= classes) : -1;
    const excess: RunEvidence[] =
      labels && beyond >= 0
        ? [citePoint(labels, beyond, `label ${figure(labels.values[beyond]!)} with ${classes} classes`)]
        : [];
    const failure = fromFailure(view, pattern, { strength: 0.96, also: () => excess });
    if (failure.length > 0) return failure;
    const failed = indexFailure(view);
    if (failed?.table !== 'label') return shareAboveOne(view);
    const message = failed.message ? [citeDevice(failed.message)] : [];
    return [
      {
        strength: failed.strength,
        onset: failed.step,
        evidence: [...message, ...failed.evidence, ...excess],
      },
    ];
  },
});

/** Scores that are shares of what is annotated. */
const share = /(?:^|[^a-z])(?:m?iou|dice|jaccard|f1|f_?score|acc|accuracy|precision|recall)(?:[^a-z]|$)/i;

/** A share above 1 beside a loss below 0: the targets are not between 0 and 1, as masks of 0 and 255 are not. */
function shareAboveOne(view: RunView): Observation[] {
  const loss = view.curve('loss', 'train');
  if (!loss || !finiteValues(loss).some((value) => value < 0)) return [];
  for (const series of view.record.series) {
    const above = share.test(series.rawName) ? series.values.findLastIndex((value) => value > 1.02) : -1;
    // Percents begin above 1 as well, and end far above.
    if (above < 0 || !series.values.some((value) => value > 0 && value < 1)) continue;
    if (series.values.some((value) => value > 20)) continue;
    return [
      {
        strength: 0.74,
        onset: series.steps[above]!,
        evidence: [
          {
            fact: `${series.rawName} is ${figure(series.values[above]!)}, above 1, while the loss falls below 0`,
            ...series.where(above),
          },
        ],
      },
    ];
  }
  return [];
}
