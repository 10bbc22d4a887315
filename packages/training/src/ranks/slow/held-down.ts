// A device whose clocks are held down, in a run that became slower: no other sign of it need be there.
import { median } from '../../features/robust.js';
import { paceCurve } from '../../features/system.js';
import type { RunView } from '../../features/view.js';
import type { DeviceMessage } from '../../record/run-record.js';
import { ownerAmong } from '../lost/owner.js';

export interface HeldDown {
  readonly rank: number;
  readonly message: DeviceMessage;
}

const slower = 1.25;
const fewestSteps = 12;

/** Null where the reports are of several devices, where the run kept its pace, and where an error ended it. */
export function heldDownIn(view: RunView): HeldDown | null {
  const reports = view.record.device.filter(({ kind }) => kind === 'gpu_throttled');
  if (reports.length === 0 || view.failures.length > 0) return null;
  const owners = new Set(reports.map((message) => ownerAmong(view, [message])));
  const [rank] = owners;
  if (rank == null || owners.size > 1 || !becameSlower(view)) return null;
  return { rank, message: reports[0]! };
}

function becameSlower(view: RunView): boolean {
  const pace = paceCurve(view);
  const values = pace?.curve.finite.map((at) => pace.curve.values[at]!) ?? [];
  if (pace === null || values.length < fewestSteps) return false;
  const third = Math.floor(values.length / 3);
  const [early, late] = [median(values.slice(1, third)), median(values.slice(-third))];
  return pace.slowerIsHigher ? late >= slower * early : early >= slower * late;
}
