/**
 * # The ranks did not find each other at the start
 *
 * ## What
 * The run ends before its first step: ranks wait for others to join, or try in vain to reach the store until the log ends.
 *
 * ## Why
 * An address, port, interface or number of ranks differs between the hosts.
 *
 * ## Example
 * `DistStoreError: wait timeout after 600000ms, keys: /default_pg/0//cpu//0/5`: rank 5 did not come.
 *
 * ## Stays silent
 * After the first step: then a rank went away. And while an error of a rank's own is on record: then that is why it did not come.
 */
import type { RunView } from '../../features/view.js';
import { couldNotReach } from '../../ranks/unreached.js';
import { defineDetector, type Observation } from '../define.js';
import { citeLine } from '../shared/cite.js';
import { fromDevice } from '../shared/device-reports.js';

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

export const rendezvous = defineDetector({
  id: 'distributed/rendezvous',
  subcause: 'rendezvous',
  role: 'root',
  signal: 'exit',
  needs: [],
  outweighs: ['text'],
  detect: (_record, _features, { view }) => {
    const told = fromDevice(view, 'rendezvous');
    return told.length > 0 ? told : stillTrying(view);
  },
});
