/**
 * # The network between hosts failed
 *
 * ## What
 * NCCL's log reports a completion with an error, or a device that went down.
 *
 * ## Why
 * A cable, port or adapter of one host stops the collectives of all.
 *
 * ## Example
 * `node7:812:901 [3] NCCL WARN NET/IB : Got completion from peer 10.0.0.9<4711> with status=12`.
 *
 * ## Stays silent
 * When the run completed, and for warnings after which NCCL goes on.
 */
import { defineDetector } from '../define.js';
import { fromDevice } from '../shared/device-reports.js';

export const networkLink = defineDetector({
  id: 'distributed/network-link',
  subcause: 'network_link',
  role: 'root',
  signal: 'exit',
  needs: [],
  outweighs: ['text'],
  detect: (_record, _features, { view }) => fromDevice(view, 'network_link'),
});
