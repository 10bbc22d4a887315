/**
 * # The ranks did not find each other at the start
 *
 * ## What
 * The run ends before its first step: ranks wait for others to join, or the port is taken.
 *
 * ## Why
 * An address, port, interface or number of ranks differs between the hosts.
 *
 * ## Example
 * `DistNetworkError: The server socket has failed to listen on any local network address … EADDRINUSE`.
 *
 * ## Stays silent
 * After the first step: then a rank went away.
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
