/**
 * # Another process holds the device memory
 *
 * ## What
 * The out-of-memory sentence shows that other processes hold more than a fifth of the device.
 *
 * ## Why
 * A notebook kernel, an orphan of an earlier run or another user shares the device.
 *
 * ## Example
 * `Process 4242 has 30.10 GiB memory in use. Process 5150 has 9.00 GiB memory in use.`, or total minus free far above
 * what this process reserved.
 *
 * ## Stays silent
 * When the rest is explained by contexts and libraries of this process (under 1 GiB), and when the others are as many as the run's other
 * ranks on this host and hold as much: they are these ranks.
 */
import { defineDetector } from '../define.js';
import { ofKind } from '../shared/out-of-memory.js';

export const gpuOtherProcess = defineDetector({
  id: 'memory/gpu-other-process',
  subcause: 'gpu_other_process',
  role: 'root',
  signal: 'memory',
  needs: ['text'],
  detect: (_record, _features, { view }) => ofKind(view, 'other_process', 0.95),
});
