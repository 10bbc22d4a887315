/**
 * # One allocation is larger than the whole device
 *
 * ## What
 * The size that was asked for exceeds the total memory of the device.
 *
 * ## Why
 * No batch size cures this when a shape is wrong: a broadcast of (N, 1) with (1, N), a one-hot of a huge vocabulary, an
 * attention matrix of an unbroken document.
 *
 * ## Example
 * `Tried to allocate 298.02 GiB. GPU 0 has a total capacity of 79.15 GiB`.
 *
 * ## Stays silent
 * When the request is smaller than the device, or either number is missing.
 */
import { defineDetector } from '../define.js';
import { ofKind } from '../shared/out-of-memory.js';

export const gpuImpossibleRequest = defineDetector({
  id: 'memory/gpu-impossible-request',
  subcause: 'gpu_impossible_request',
  role: 'root',
  signal: 'memory',
  needs: ['text'],
  detect: (_record, _features, { view }) => ofKind(view, 'impossible', 0.94),
});
