// What makes a run slow, as evidence.
import type { RunView } from '../../features/view.js';
import { isOfDevice } from '../../ranks/lost/owner.js';
import { type Slow, slowIn } from '../../ranks/slow/slow.js';
import type { DeviceMessage, RunRecord } from '../../record/run-record.js';
import type { Observation } from '../define.js';
import { citeDevice, citeWhere } from './cite.js';

/** With what a tool reports of the device of the rank, or of the ports. */
export function citeSlow(
  slow: Slow | null,
  of: Slow['of'],
  record: RunRecord,
  reported?: DeviceMessage['kind'],
): Observation[] {
  if (slow?.of !== of) return [];
  const { fact, at, step, strength, ranks } = slow;
  const reports = record.device.filter(
    (message) => message.kind === reported && (of === 'link' || isOfDevice(record, message, ranks[0]!)),
  );
  const evidence = [citeWhere(fact, at, step), ...reports.slice(0, 2).map(citeDevice)];
  return [{ strength, onset: step, evidence }];
}

/** One rank made every step last twice as long as the others needed: whoever ends such a run has a reason. */
export function isHeldUp(view: RunView): boolean {
  return (slowIn(view)?.times ?? 1) >= 2;
}
