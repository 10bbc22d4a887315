/**
 * # A GPU fell off the bus
 *
 * ## What
 * The driver reports Xid 79, or says that it has lost the device.
 *
 * ## Why
 * The device no longer answers. Every process on it ends, and all other ranks wait.
 *
 * ## Example
 * `NVRM: Xid (PCI:0000:3b:00): 79, pid=812, GPU has fallen off the bus.`
 *
 * ## Stays silent
 * When the run completed.
 */
import { defineDetector } from '../define.js';
import { fromDevice } from '../shared/device-reports.js';

export const gpuLost = defineDetector({
  id: 'distributed/gpu-lost',
  subcause: 'gpu_lost',
  role: 'root',
  signal: 'exit',
  needs: [],
  outweighs: ['text'],
  detect: (_record, _features, { view }) => fromDevice(view, 'gpu_lost'),
});
