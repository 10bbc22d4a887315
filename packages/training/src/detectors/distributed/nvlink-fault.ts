/**
 * # A link between GPUs failed
 *
 * ## What
 * The driver reports Xid 74.
 *
 * ## Why
 * Collectives inside of a host go over these links; one that fails stops all.
 *
 * ## Example
 * `NVRM: Xid (PCI:0000:0d:00): 74, pid=4021, NVLink: fatal error detected on link 4`.
 *
 * ## Stays silent
 * When the run completed.
 */
import { defineDetector } from '../define.js';
import { fromDevice } from '../shared/device-reports.js';

export const nvlinkFault = defineDetector({
  id: 'distributed/nvlink-fault',
  subcause: 'nvlink_fault',
  role: 'root',
  signal: 'exit',
  needs: [],
  outweighs: ['text'],
  detect: (_record, _features, { view }) => fromDevice(view, 'nvlink_fault'),
});
