/**
 * # A GPU's memory has errors that cannot be corrected
 *
 * ## What
 * An Xid of the memory (48, 63, 64, 94, 95), or a count of uncorrectable errors in `nvidia-smi -q`.
 *
 * ## Why
 * The driver ends the process whose values are lost.
 *
 * ## Example
 * `NVRM: Xid (PCI:0000:86:00): 94, pid=9113, Contained: SM (0x1)`.
 *
 * ## Stays silent
 * For corrected errors, and when the run completed.
 */
import { defineDetector } from '../define.js';
import { fromDevice } from '../shared/device-reports.js';

export const gpuMemoryFault = defineDetector({
  id: 'distributed/gpu-memory-fault',
  subcause: 'gpu_memory_fault',
  role: 'root',
  signal: 'exit',
  needs: [],
  outweighs: ['text'],
  detect: (_record, _features, { view }) => fromDevice(view, 'gpu_memory_fault'),
});
