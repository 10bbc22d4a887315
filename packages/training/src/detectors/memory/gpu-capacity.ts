/**
 * # The device is too small for model and batch
 *
 * ## What
 * An allocation on the accelerator failed although the process held the memory legitimately: nothing grew, nothing is
 * fragmented, nobody else is on the device.
 *
 * ## Why
 * Parameters, gradients, optimizer state and the activations of one batch exceed the memory of the device.
 *
 * ## Example
 * `torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0 has a total capacity of 15.77 GiB of
 * which 512.00 MiB is free.` in the first steps.
 *
 * ## Stays silent
 * When the numbers of the sentence or the curves point at a narrower kind, and when the run caught the error and went on.
 */
import { defineDetector } from '../define.js';
import { ofKind } from '../shared/out-of-memory.js';

export const gpuCapacity = defineDetector({
  id: 'memory/gpu-capacity',
  subcause: 'gpu_capacity',
  role: 'root',
  signal: 'text',
  needs: ['text'],
  detect: (_record, _features, { view }) => ofKind(view, 'capacity', 0.93),
});
