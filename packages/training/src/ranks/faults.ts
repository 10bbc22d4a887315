// Devices that a driver or a tool finds at fault, and whose they are.
import type { RunView } from '../features/view.js';
import { ownerAmong } from './suspect.js';

/** Xids that a program causes by what it reads, writes or runs. */
export const ofPrograms: ReadonlySet<string | null> = new Set(['13', '31', '43', '45']);

/** The driver clears away what a process left that failed before: never the first report. */
const clearedAway = '45';

/** A device that reports a fault of its own, where it is known whose it is. */
export function brokenDevice(view: RunView): number | null {
  const reports = view.record.device.flatMap((message) => (message.kind === 'xid' ? message : []));
  const faults = reports.filter(({ code }) => code !== clearedAway);
  return ownerAmong(
    view,
    faults.length > 0 ? faults : reports,
    faults.filter(({ code }) => !ofPrograms.has(code)),
  );
}

const faulty: ReadonlySet<string> = new Set(['gpu_memory_error', 'gpu_missing', 'nvlink_error']);

/** A device that a tool finds at fault, where it is known whose it is. */
export function faultyDevice(view: RunView): number | null {
  return ownerAmong(
    view,
    view.record.device.filter(({ kind }) => faulty.has(kind)),
  );
}
