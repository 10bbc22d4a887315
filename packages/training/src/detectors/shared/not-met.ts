// The start of a job at which its ranks did not find each other.
import type { RunView } from '../../features/view.js';
import { couldNotReach } from '../../ranks/lost/unreached.js';
import type { Observation } from '../define.js';
import { citeLine } from './cite.js';
import { fromDevice } from './device-reports.js';

const fewestTries = 3;

/** Nothing but tries to reach the store, until the log ends. */
function stillTrying({ record, failures, lines }: RunView): Observation[] {
  if (record.lastStep !== null || failures.length > 0) return [];
  const tries = lines.slice(-fewestTries);
  const isTrying = tries.every(({ text }) => text.includes('[c10d]') && couldNotReach.test(text));
  return tries.length === fewestTries && isTrying
    ? [{ strength: 0.82, evidence: [citeLine(tries.at(-1)!)] }]
    : [];
}

/** Ranks waited for others to join, or tried in vain to reach the store until the log ends. */
export function notMetAtStart(view: RunView): Observation[] {
  const told = fromDevice(view, 'rendezvous');
  return told.length > 0 ? told : stillTrying(view);
}
