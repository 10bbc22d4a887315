/**
 * # The ranks did not find each other at the start
 *
 * ## What
 * The run ends before its first step: ranks wait for others to join.
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
import { defineDetector } from '../define.js';
import { fromDevice } from '../shared/device-reports.js';

export const rendezvous = defineDetector({
  id: 'distributed/rendezvous',
  subcause: 'rendezvous',
  role: 'root',
  signal: 'exit',
  needs: [],
  outweighs: ['text'],
  detect: (_record, _features, { view }) => fromDevice(view, 'rendezvous'),
});
