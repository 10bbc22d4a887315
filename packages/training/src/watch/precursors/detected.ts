/**
 * # A detector is certain already
 *
 * ## What
 * The detectors of a diagnosis, run over the record as it stands. Only causes that do not depend on how the run will end
 * count, only above a high strength, and only when several looks at a growing record agree.
 *
 * ## Why
 * Labels that are all ignored, parameters that never move or a failing device are plain long before a run is over.
 *
 * ## Stays silent
 * On everything that only time can tell: plateaus, overfitting, learning rates that seem low.
 */
import { causeOf, type Subcause } from '../../causes/table.js';
import { examine } from '../../detectors/examine.js';
import { definePrecursor } from '../define.js';

const strongEnough = 0.85;
const fewestSteps = 20;

const plainEarly: ReadonlySet<Subcause> = new Set([
  'ignored_targets',
  'degenerate_labels',
  'frozen_parameters',
  'foreign_parameters',
  'token_out_of_vocabulary',
  'label_out_of_range',
  'loss_scale_collapse',
  'device_fault',
  'collective_timeout',
  'collective_mismatch',
  'gpu_lost',
  'gpu_memory_fault',
  'nvlink_fault',
  'network_link',
  'replica_drift',
  'straggler',
  'slow_link',
  'slow_loader',
  'loader_stall',
  'slow_checkpoint',
  'rank_zero_work',
  'stuck_rank',
  'missing_rank',
  'disk_full',
  'shared_memory',
  'restart_loop',
] as const);

export const detected = definePrecursor({
  id: 'detected',
  title: 'A detector is certain already',
  subcause: 'code_error',
  expected: 'the run fails or learns nothing',
  looks: 3,
  look: ({ record }) => {
    if ((record.lastStep ?? 0) < fewestSteps) return [];
    return examine(record)
      .symptoms.filter(
        (symptom) =>
          symptom.role === 'root' && symptom.strength >= strongEnough && plainEarly.has(symptom.subcause),
      )
      .map((symptom) => ({
        subject: symptom.subcause,
        step: symptom.onset ?? record.lastStep,
        subcause: symptom.subcause,
        expected: causeOf(symptom.subcause).title,
        evidence: symptom.evidence,
        leadSteps: 0,
      }));
  },
});
