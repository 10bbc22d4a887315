/**
 * # The replicas of the model drifted apart
 *
 * ## What
 * The norm of the weights, or another number that moved alike on all ranks, was equal at first and differs later, for good. Or one
 * rank says that it went on from another checkpoint or step than all others, or tells another sum of its weights where a check found them
 * apart. Or a sum of its state stands still on one rank, to the last digit, while it moves on all others.
 *
 * ## Why
 * Replicas stay equal only while every rank makes the same updates. Nothing else tells of it: no error, no time-out.
 *
 * ## Example
 * `param_norm` is 3.20 on ranks 0 to 3 at step 10; at step 14 it is 5.19 on rank 2 and 3.22 on the others.
 *
 * ## Stays silent
 * For ranks that hold parts of a model or report the loss of their own shard: their numbers were never equal. For times, memory and
 * counts.
 */
import { driftIn } from '../../ranks/differing/drift.js';
import { resumedApart, weighedApart } from '../../ranks/differing/sentences.js';
import { figure } from '../../record/figures.js';
import { defineDetector } from '../define.js';
import { citeWhere } from '../shared/cite.js';

export const replicaDrift = defineDetector({
  id: 'distributed/replica-drift',
  subcause: 'replica_drift',
  role: 'root',
  signal: 'data',
  needs: [],
  outweighs: ['text', 'curve'],
  detect: (record, _features, { view }) => {
    const drift = driftIn(record);
    const parted = drift === null ? (weighedApart(view) ?? resumedApart(view)) : null;
    if (parted) {
      const fact = `${parted.name}: ${parted.word} on rank ${parted.rank}, ${parted.others} on the others`;
      return [{ strength: 0.9, onset: parted.line.step, evidence: [citeWhere(fact, parted.line.at)] }];
    }
    if (drift === null) return [];
    const shown = (value: number): string =>
      drift.isDigest ? `${value.toString(16).padStart(12, '0')}…` : figure(value);
    const values = drift.values.map(({ rank, value }) => `${shown(value)} on rank ${rank}`).slice(0, 8);
    const name = drift.name === 'param_norm' ? 'the norm of the weights' : drift.name;
    const how = drift.stands
      ? `stands still on rank ${drift.rank}, and not on the others,`
      : 'is not the same on all ranks';
    return [
      {
        strength: 0.92,
        onset: drift.step,
        evidence: [
          citeWhere(
            `${name} ${how} from step ${drift.step} on; in the end it is ${values.join(', ')}`,
            drift.at,
            drift.step,
          ),
        ],
      },
    ];
  },
});
